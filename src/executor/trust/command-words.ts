import { readdirSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import type { ResolvedHook } from '../../protocol/index.ts';
import { compileGlob } from '../glob.ts';
import type { ShellCommand, ShellWord } from './shell-words.ts';
import { shellCommands } from './shell-words.ts';

/** What a command was found to name, and whether that is all. */
export interface CommandWords {
  /** Relative to the project, or absolute. */
  readonly words: readonly string[];
  /** Words that say what runs, and of which only the running line knows what they are. */
  readonly unresolved: readonly string[];
}

const shells = /^(?:sh|bash|dash|zsh|ksh)$/u;
const interpreters = /^(?:sh|bash|dash|zsh|ksh|node|bun|deno|tsx|python[\d.]*|perl|ruby|source|\.)$/u;
/** They run what a file of their own says, and that again what it likes. */
const runners = /^(?:eval|make|gmake|just|npm|npx|pnpm|yarn|bunx)$/u;
/** What runs the words after it. */
const prefixes = /^(?:exec|env|command|time|nohup|nice|then|do|else|if|while|until|!|\{)$/u;
const shellCharacters = /[\s"'`$&|;<>()*?[\]{}~#\\=!]/u;
/** As deep as shells are followed that start shells. */
const deepest = 4;

/** Reads a handler's command as its shell would. */
export function commandWords(
  { command, args }: Pick<ResolvedHook['handler'], 'command' | 'args'>,
  projectRoot: string,
): CommandWords {
  const words = new Set<string>();
  const unresolved = new Set<string>();
  const followLine = (line: string, depth: number): void => {
    for (const one of shellCommands(line)) follow(one, depth);
  };
  const follow = (given: ShellCommand, depth: number): void => {
    const { directory } = given;
    for (const word of given.words) {
      if (!word.isKnown) continue;
      for (const text of globbed(word, directory ?? '.', projectRoot)) words.add(text);
    }
    const own = given.words.slice(given.words.findIndex(({ text, isKnown }) => !isKnown || !isPrefix(text)));
    const [program, ...rest] = own;
    if (program === undefined) return;
    const name = basename(program.text);
    const isRun = interpreters.test(name);
    const said = rest.map(({ text }) => text);
    for (const word of isRun ? own : [program]) if (isOpen(word)) unresolved.add(word.text === '' ? '$…' : word.text);
    if (runners.test(name)) unresolved.add(name);
    if (directory === undefined && (isRun || program.text.includes('/'))) unresolved.add(`cd … ${program.text}`);
    const lineAt = shells.test(name) ? said.findIndex((text) => /^-[a-z]*c$/u.test(text)) : -1;
    if (lineAt !== -1 && depth >= deepest) unresolved.add(name);
    else if (lineAt !== -1) followLine(said[lineAt + 1] ?? '', depth + 1);
    else if (isRun && given.isFed && said.every((text) => text.startsWith('-'))) unresolved.add(name);
  };
  if (typeof command === 'string' && args === undefined && shellCharacters.test(command)) followLine(command, 0);
  else {
    const argv = [command, args ?? []].flat().map((text) => ({ text, isKnown: true, isGlob: false }));
    follow({ words: argv, directory: '.', isFed: false }, 0);
  }
  return { words: [...words], unresolved: [...unresolved] };
}

/** `"$ROOT"/check.sh`: the host says where the project is, and the rest was looked up. */
function isOpen(word: ShellWord): boolean {
  return (!word.isKnown && !/^\/[^/]/u.test(word.text)) || (word.isGlob && /[?[]/u.test(word.text));
}

function isPrefix(text: string): boolean {
  return prefixes.test(text) || /^\w+=/u.test(text);
}

function globbed({ text, isGlob }: ShellWord, directory: string, projectRoot: string): readonly string[] {
  const name = text.startsWith('/') ? text : posix.join(directory, text);
  if (!isGlob || text.startsWith('/')) return [name];
  let found = ['.'];
  for (const part of name.split('/')) {
    const matches = compileGlob(part);
    found = found.flatMap((place) =>
      part.includes('*')
        ? namesOf(join(projectRoot, place))
            .filter(matches)
            .map((entry) => posix.join(place, entry))
        : [posix.join(place, part)],
    );
    if (found.length > 10_000) return [];
  }
  return found;
}

function namesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
