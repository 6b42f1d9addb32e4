import type { Policy, Program, Sandbox } from '../../sandbox/index.ts';
import type { LoadedHook } from '../loaded-hook.ts';
import { hookKey } from './pin-pack.ts';
import type { PinnedFile } from './pins.ts';
import type { Pinning } from './pinning.ts';

/** Gives a hook's program the pinned content of the files that it names. */
export type Overlay = (loaded: Pick<LoadedHook, 'name'>, program: Program, policy: Policy) => Program;

/** Content is kept in the sandbox's private directory when it is first needed. */
export function createOverlay(pinning: Pinning, sandbox: Pick<Sandbox, 'keep'>): Overlay {
  const sources = new Map<PinnedFile, string>();
  const sourceOf = (file: PinnedFile): string => {
    const source = sources.get(file) ?? sandbox.keep(file.bytes, file.executable);
    sources.set(file, source);
    return source;
  };
  return ({ name }, program, { writePaths }) => {
    const files = pinning.filesOf(hookKey(name.pack, name.id), program.binds, writePaths);
    if (files.length === 0) return program;
    return { ...program, overlays: files.map((file) => ({ source: sourceOf(file), target: file.target })) };
  };
}
