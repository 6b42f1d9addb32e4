import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { ResolvedHook } from '../../protocol/index.ts';
import { isCoveredBelow } from '../../sandbox/index.ts';
import { isWithin } from '../within.ts';
import { commandWords } from './command-words.ts';
import { impliedNames, mainOf } from './implied-names.ts';
import { namedWords } from './named-words.ts';
import type { PinnedFile, Pins } from './pins.ts';
import { pinBounds } from './pins.ts';
import { readPinned, UnpinnableFile } from './read-pinned.ts';

type Named = Pick<ResolvedHook, 'handler' | 'sandbox'>;

/** Words of one command that are looked up. */
const maxWords = 10_000;
/** As deep as the kernel follows interpreters that are scripts themselves. */
const deepestInterpreter = 4;

/**
 * Pins every file of the project that a hook's command names: its script, what its options name, the interpreters that the
 * scripts name, and what interpreters complete by themselves. What the words mean does not depend on this machine's `PATH`, so
 * neither does the set. Left out: data that lies where the hook asks to write, and files of secrets, which it does not see.
 *
 * @throws {UnpinnableFile}
 */
export function pinCommand({ handler, sandbox }: Named, pins: Pins): readonly PinnedFile[] {
  const found = new Map<string, PinnedFile>();
  const writes = (sandbox.write ?? []).map((path) => resolve(pins.projectRoot, path));
  const read = commandWords(handler).words;
  let words = [...new Set([...namedWords(handler.command, handler.args), ...read])];
  if (words.length > maxWords) throw new UnpinnableFile('too_many', `names more than ${maxWords} words`);
  for (let depth = 0; depth <= deepestInterpreter && words.length > 0; depth += 1) {
    const next: string[] = [];
    for (const real of words.flatMap((word) => namedFiles(word, pins))) {
      if (found.has(real) || (depth === 0 && isWritable(real, writes))) continue;
      const file = pins.pin(real);
      found.set(real, file);
      next.push(...namesIn(file));
    }
    words = next;
  }
  return [...found.values()];
}

function isWritable(real: string, writes: readonly string[]): boolean {
  if (!writes.some((path) => isWithin(path, real))) return false;
  const { bytes, executable } = readPinned(real, pinBounds.maxFileBytes);
  return !executable && shebangOf(bytes) === undefined;
}

/** What a file says is run with it, or instead of it. */
function namesIn({ target, bytes }: PinnedFile): readonly string[] {
  if (basename(target) !== 'package.json') return namedWords(shebangOf(bytes) ?? '');
  const main = mainOf(new TextDecoder().decode(bytes));
  return main === undefined ? [] : [join(dirname(target), main)];
}

/** What a script names after its `#!`. */
function shebangOf(bytes: Uint8Array): string | undefined {
  return /^#!([^\n]*)/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 256)))?.[1];
}

function namedFiles(word: string, { words, projectRoot }: Pins): readonly string[] {
  const known = words.get(word) ?? projectFiles(word, projectRoot);
  words.set(word, known);
  return known;
}

/** Real paths of regular files of the project that a word names; the second try is for what is left of `"$ROOT"/script`. */
function projectFiles(word: string, projectRoot: string): string[] {
  const names = [...new Set([word, word.replace(/^\/+/, '')])];
  const filesOf = (list: readonly string[]): string[] => list.flatMap((name) => projectFile(name, projectRoot) ?? []);
  const found = filesOf(names);
  return found.length > 0 ? found : filesOf(names.flatMap(impliedNames));
}

function projectFile(name: string, projectRoot: string): string | undefined {
  try {
    // As the kernel goes: `link/..` is where the link leads, and then up.
    const path = isAbsolute(name) ? name : `${projectRoot}/${name}`;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const real = realpathSync.native(path);
    const isOurs = isWithin(projectRoot, real) && !isCoveredBelow(projectRoot, real);
    return isOurs ? real : undefined;
  } catch {
    // Too long, a loop, not accessible: what the launch will say.
    return undefined;
  }
}
