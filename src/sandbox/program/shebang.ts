import { extname } from 'node:path';

import { problem, type LaunchProblem } from './problem.ts';

/** The kernel reads this much of a file to find its interpreter. */
export const headerBytes = 256;

export interface Shebang {
  readonly interpreter: string;
  /** The kernel hands over everything after the interpreter as one argument. */
  readonly argument?: string;
}

/** What the first bytes of a program say about how it runs. */
export type Header =
  | { readonly kind: 'shebang'; readonly shebang: Shebang }
  | { readonly kind: 'binary' }
  | { readonly kind: 'text' }
  | { readonly kind: 'problem'; readonly problem: LaunchProblem };

const carriageReturnRemedy = (file: string) => `convert it to Unix line ends: sed -i 's/\\r$//' '${file}'`;

/**
 * Reads the header of `file` as the kernel would, and names what the kernel would only call "not found" or "exec format error".
 * @param header at most the first {@link headerBytes} bytes
 */
export function readHeader(header: Uint8Array, file: string): Header {
  const text = new TextDecoder('latin1').decode(header);
  if (text.startsWith('\u00ef\u00bb\u00bf#!')) {
    return bad(
      'bom_before_shebang',
      `${file} starts with a byte order mark, so its "#!" line is not seen`,
      `remove the mark: sed -i '1s/^\\xEF\\xBB\\xBF//' '${file}'`,
    );
  }
  if (!text.startsWith('#!')) return { kind: text.includes('\0') || text.startsWith('\u007fELF') ? 'binary' : 'text' };
  const end = text.indexOf('\n');
  if (end === -1 && header.length >= headerBytes) {
    return bad(
      'shebang_too_long',
      `the "#!" line of ${file} is longer than ${headerBytes} bytes`,
      'shorten the interpreter path',
    );
  }
  const line = text.slice(2, end === -1 ? undefined : end);
  if (line.includes('\r')) {
    return bad(
      'cr_in_shebang',
      `the "#!" line of ${file} ends with a carriage return (Windows line ends), so no such interpreter exists`,
      carriageReturnRemedy(file),
    );
  }
  const match = /^[ \t]*([^ \t]+)(?:[ \t]+(.*?))?[ \t]*$/.exec(line);
  if (match?.[1] === undefined) {
    return bad(
      'empty_shebang',
      `the "#!" line of ${file} names no interpreter`,
      `write one, such as ${likelyShebang(file)}`,
    );
  }
  const argument = match[2] === undefined || match[2] === '' ? {} : { argument: match[2] };
  return { kind: 'shebang', shebang: { interpreter: match[1], ...argument } };
}

const interpreters: Readonly<Record<string, string>> = {
  '': '/bin/sh',
  '.sh': '/bin/sh',
  '.bash': '/usr/bin/env bash',
  '.py': '/usr/bin/env python3',
  '.js': '/usr/bin/env node',
  '.mjs': '/usr/bin/env node',
  '.cjs': '/usr/bin/env node',
  '.rb': '/usr/bin/env ruby',
  '.pl': '/usr/bin/env perl',
  '.php': '/usr/bin/env php',
};

/** A first line for a script, by the extension of its name, in quotes. */
export function likelyShebang(file: string): string {
  const extension = extname(file).toLowerCase();
  const interpreter = Object.hasOwn(interpreters, extension) ? interpreters[extension] : undefined;
  return `"#!${interpreter ?? '/usr/bin/env NAME'}"`;
}

/** Words of an `env -S` argument; `undefined` where quoting or escapes make the split uncertain. */
export function envSplit(argument: string): string[] | undefined {
  const rest = /^(?:-S[ \t]*|--split-string[= \t])(.*)$/.exec(argument)?.[1];
  if (rest === undefined || /["'\\$#]/.test(rest)) return undefined;
  return rest.split(/[ \t]+/).filter((word) => word !== '');
}

function bad(code: string, message: string, remedy: string): Header {
  return { kind: 'problem', problem: problem(code, message, remedy) };
}
