import { basename, posix } from 'node:path';
import type { ResolvedHook } from '../../protocol/index.ts';
import type { ShellCommand, ShellWord } from './shell-words.ts';
import { shellCommands } from './shell-words.ts';

/** What a command was found to name, and whether that is all. */
export interface CommandWords {
  /** Relative to the project, or absolute. */
  readonly words: readonly string[];
  /** What runs something that only the running line knows. */
  readonly unresolved: readonly string[];
}

/** Whatever their words are, they run nothing. */
const quiet =
  /^(?:echo|printf|test|\[|\[\[|true|false|:|exit|return|break|continue|shift|cd|cat|e?grep|fgrep|jq|head|tail|cut|tr|uniq|wc|date|sha\d+sum|cmp|basename|dirname|realpath|pwd|stat|ls|tee|mkdir|touch|rm|sleep)$/u;
const shells = /^(?:sh|bash|dash|zsh|ksh|ash)$/u;
const interpreters = /^(?:sh|bash|dash|zsh|ksh|ash|node|nodejs|bun|deno|tsx|python[\d.]*|perl|ruby|php|source|\.)$/u;
/** They run what they read, or what a file of their own says, or in another place. */
const runners =
  /^(?:eval|trap|alias|xargs|parallel|make|gmake|just|task|npm|npx|pnpm|yarn|bunx|su|script|watch|flock|ssh|chroot|cd|pushd|popd|-execdir|-okdir)$/u;
/** They change what a word or a program means: where bare names are looked up, what a shell or a loader runs first. */
const settings = /^(?:\w*PATH|IFS|ENV|BASH_ENV|LD_\w+|NODE_OPTIONS|PERL5\w+|RUBY\w+|PYTHON(?:HOME|STARTUP))(?:\+?=|$)/u;
const assignment = /^[A-Za-z_]\w*\+?=/u;
const shellCharacters = /[\s"'`$&|;<>()*?[\]{}~#\\=!]/u;
/** As deep as shells are followed that start shells. */
const deepest = 4;

/**
 * Reads a handler's command as its shell would. A simple command names all that it runs when every word of it is literal, when
 * its program runs nothing, or when it starts a literal script and the rest is that script's input. Everything else is
 * unresolved.
 */
export function commandWords({ command, args }: Pick<ResolvedHook['handler'], 'command' | 'args'>): CommandWords {
  const words = new Set<string>();
  const unresolved = new Set<string>();
  const doubt = ({ text }: ShellWord): void => void unresolved.add(text === '' ? '$...' : text);

  const followLine = (line: string, depth: number): void => {
    for (const one of shellCommands(line)) follow(one, depth);
  };
  const follow = ({ words: given, targets, directories }: ShellCommand, depth: number): void => {
    for (const { text } of [...given, ...targets].filter(({ isKnown }) => isKnown))
      for (const place of directories ?? ['.']) words.add(placed(place, text));
    given.filter(({ text }) => settings.test(text)).forEach(doubt);
    // What is set to an unknown text is unknown wherever it is used.
    const own = given.slice(given.findIndex(({ text }) => !assignment.test(text)));
    const [program] = own;
    if (program === undefined || assignment.test(program.text)) return;
    if (program.isKnown && quiet.test(program.text) && own[1]?.text !== '-v') return;
    if (directories === undefined) unresolved.add(`cd ... ${program.text}`);
    for (const [index, word] of own.entries()) {
      const name = basename(word.text);
      if ((!word.isKnown && !assignment.test(word.text)) || runners.test(name) || isFleeting(word)) doubt(word);
      else if (name === 'env' && own.some(({ text }) => /^-\w*[SC]|^--(?:split|chdir)/u.test(text))) doubt(word);
      // As an argument `.` is a directory.
      else if (interpreters.test(name) && (index === 0 || name !== '.'))
        return interpret(word, own.slice(index + 1), depth);
      // A script of the project: what comes after is its input.
      else if (index === 0 && /^[^/]+\//u.test(word.text)) return;
    }
  };
  const interpret = (program: ShellWord, rest: readonly ShellWord[], depth: number): void => {
    const isShell = shells.test(basename(program.text));
    const isCode = rest.some(({ text }) => (isShell ? /^-\w*c/u : /^-\w*[ceEp]$|^--(?:eval|print)/u).test(text));
    if (isCode) {
      rest.filter(({ isKnown }) => !isKnown).forEach(doubt);
      if (isShell && depth >= deepest) doubt(program);
      else if (isShell) for (const { text } of rest) followLine(text, depth + 1);
      return;
    }
    const script = rest.findIndex(({ text }, index) => !/^[-+]/u.test(text) && !takesValue(rest[index - 1]));
    const before = script < 0 ? rest : rest.slice(0, script + 1);
    before.filter((word) => !word.isKnown || isFleeting(word)).forEach(doubt);
    // Then it reads its input as a script.
    if (script < 0 || (isShell && before.some(({ text }) => /^-\w*s/u.test(text)))) doubt(program);
  };

  if (typeof command === 'string' && args === undefined && shellCharacters.test(command)) followLine(command, 0);
  else {
    const argv = [command, args ?? []].flat().map((text) => ({ text, isKnown: true }));
    follow({ words: argv, targets: [], directories: ['.'] }, 0);
  }
  return { words: [...words], unresolved: [...unresolved] };
}

/** `..` is left to the kernel: behind a symbolic link it is not the directory before. */
function placed(directory: string, text: string): string {
  if (text.startsWith('/')) return text;
  return text.includes('..') ? `${directory}/${text}` : posix.join(directory, text);
}

/** What lies there was put there by the line itself, or is its input. */
function isFleeting({ text }: ShellWord): boolean {
  return /^\/(?:dev|proc|tmp|var\/tmp)\//u.test(text) && text !== '/dev/null';
}

function takesValue(option: ShellWord | undefined): boolean {
  return /^[-+](?:[oOWXr]|-(?:import|require|loader|rcfile|init-file))$/u.test(option?.text ?? '');
}
