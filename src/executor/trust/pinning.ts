import type { ResolvedProgram } from '../../sandbox/index.ts';
import { HookcellError, shownPath } from '../../protocol/index.ts';
import type { Finding } from '../../protocol/index.ts';
import type { LoadedPack } from '../load-packs.ts';
import { isWithin } from '../within.ts';
import { hookKey, pinListed } from './pin-pack.ts';
import type { PinnedFile, Pins } from './pins.ts';
import { createPins } from './pins.ts';
import type { ProjectSet } from './project-set.ts';
import { UnpinnableFile } from './read-pinned.ts';

/** A program that is not what the operator accepted. No failure policy covers that. */
export interface UnacceptedProgram {
  readonly ok: false;
  readonly cause: 'untrusted';
  readonly message: string;
  readonly remedy: string;
}

/** Which bytes of the project's files hooks run with. */
export interface Pinning {
  /** The content that counts of a file of the project, for whoever resolves a program; `undefined`: what is there. */
  read(file: string): Uint8Array | undefined;
  /** Holds a resolved program to the pinned files. */
  check(program: ResolvedProgram): ResolvedProgram | UnacceptedProgram;
  /** What a hook's program runs with: its own files, and those that it may write near. */
  filesOf(hook: string, binds: readonly string[], writePaths: readonly string[]): readonly PinnedFile[];
}

/** Packs that the operator accepted: what is not in the set does not run. */
export function acceptedPinning(set: ProjectSet): Pinning {
  return {
    read: (file) => set.pins.get(file)?.bytes,
    check(program) {
      if (!program.ok) return program;
      const strange = program.program.binds.find(
        (path) => isWithin(set.pins.projectRoot, path) && set.pins.get(path) === undefined,
      );
      if (strange === undefined) return program;
      const message = `${shownPath(strange)} is not among the files that were accepted`;
      return { ok: false, cause: 'untrusted', message, remedy: 'accept them as they are now: hookcell trust' };
    },
    filesOf: (hook, binds, writePaths) => chooseFiles(set.pins, set.hookPins.get(hook) ?? [], binds, writePaths),
  };
}

/**
 * Packs that were named: nobody accepted certain content, and what is there when they are loaded counts from then on.
 * Files that are too large to keep run as they are.
 *
 * @throws {HookcellError} `invalid_pack` for `files` that cannot be pinned.
 */
export async function loadedPinning(packs: readonly LoadedPack[], projectRoot: string): Promise<Pinning> {
  const pins = createPins(projectRoot);
  const findings: Finding[] = [];
  const listed = new Map<string, readonly PinnedFile[]>();
  for (const { pack, layer } of packs) {
    if (layer === 'organization') continue;
    const found = await pinListed(pack, pins);
    findings.push(...found.findings.filter(({ code }) => code !== 'escapes'));
    for (const { id } of pack.hooks) listed.set(hookKey(pack.name, id), found.files);
  }
  const [first] = findings;
  if (first !== undefined)
    throw new HookcellError('invalid_pack', `${first.file ?? ''}: ${first.message}`, { findings });
  return {
    read: (file) => tryPin(pins, file)?.bytes,
    check(program) {
      if (program.ok) for (const path of program.program.binds) tryPin(pins, path);
      return program;
    },
    filesOf: (hook, binds, writePaths) => chooseFiles(pins, listed.get(hook) ?? [], binds, writePaths),
  };
}

function tryPin(pins: Pins, path: string): PinnedFile | undefined {
  if (!isWithin(pins.projectRoot, path)) return undefined;
  try {
    return pins.pin(path);
  } catch (error) {
    if (error instanceof UnpinnableFile) return undefined;
    throw error;
  }
}

/** What no write path reaches anyway. */
const configuration = /^\.(?:hookcell|polpo)\//;

/** A handler that may write must not reach what another one runs, so it gets those files pinned, too. */
function chooseFiles(
  pins: Pins,
  own: readonly PinnedFile[],
  binds: readonly string[],
  writePaths: readonly string[],
): readonly PinnedFile[] {
  const bound = binds.flatMap((path) => pins.get(path) ?? []);
  const isNear = ({ path, target }: PinnedFile): boolean =>
    !configuration.test(path) && writePaths.some((granted) => isWithin(granted, target));
  const near = writePaths.length === 0 ? [] : pins.all().filter(isNear);
  return [...new Set([...own, ...bound, ...near])];
}
