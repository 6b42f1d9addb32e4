import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { bin, root } from './cli.ts';

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a page, in their order. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gmu)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

/** Runs the commands of a page, one after another, each where the one before it left. */
export class Reader {
  cwd: string;
  /** Places on the page, and where they are here. */
  readonly #places: readonly (readonly [string, string])[];
  readonly #env: Readonly<Record<string, string>>;
  #code = 0;

  /** @param top a real directory, for a home and a `hookcell` on the PATH */
  constructor(top: string, cwd: string, places: readonly (readonly [string, string])[] = []) {
    // The built program reads it for whoever runs these tests, and what it says stands on no page.
    expect(
      existsSync('/etc/hookcell'),
      'the pages are of a machine without /etc/hookcell: put it aside to test them',
    ).toBe(false);
    this.cwd = cwd;
    this.#places = places;
    const home = path.join(top, 'home/me');
    const programs = path.join(top, 'bin');
    mkdirSync(home, { recursive: true });
    this.write(path.join(programs, 'hookcell'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
    const PATH = [programs, '/usr/local/bin', '/usr/bin', '/bin', path.dirname(process.execPath)].join(':');
    this.#env = { PATH, HOME: home, LANG: 'C.UTF-8' };
  }

  /** What stands on the page, as it is called here. */
  here(text: string): string {
    return this.#places.reduce((result, [there, here]) => result.replaceAll(there, here), text);
  }

  /** A file as the page has it. */
  write(name: string, text: string): void {
    const file = path.resolve(this.cwd, this.here(name));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, this.here(text));
    if (text.startsWith('#!')) chmodSync(file, 0o755);
  }

  run(command: string): { readonly code: number; readonly stdout: string; readonly stderr: string } {
    const script = `(exit ${this.#code})\n${this.here(command)}\ncode=$?; pwd >&3; exit $code`;
    const { status, output } = spawnSync('/bin/bash', ['-c', script], {
      cwd: this.cwd,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: 45_000,
    });
    const [, stdout, stderr, place] = output.map((text) => text ?? '');
    this.cwd = place?.trim() || this.cwd;
    this.#code = status ?? 255;
    return { code: this.#code, stdout: stdout ?? '', stderr: stderr ?? '' };
  }

  /** Runs the commands of a `console` block and compares what they print with what stands there; `…` is anything. */
  follow({ text }: Block): void {
    for (const step of text.split(/^\$ /mu).slice(1)) {
      const [command = '', ...expected] = step.trimEnd().split('\n');
      const { typed, printed } = withoutTerminal(command, expected);
      const wanted = patternOf(this.here(printed.join('\n')));
      const { stdout, stderr } = this.run(typed);
      // What only people read is on stderr, and left out where the page is about the answer.
      const said = wanted.test(shown(stdout)) ? stdout : stdout + stderr;
      expect(shown(said), `$ ${command}`).toMatch(wanted);
    }
  }
}

/** A question is asked on a terminal alone: what is answered there is said by a flag here. */
function withoutTerminal(command: string, expected: readonly string[]): { typed: string; printed: readonly string[] } {
  const question = expected.find((line) => line.includes('Type "yes":'));
  if (question === undefined) return { typed: command, printed: expected };
  const isAccepted = question.endsWith('yes');
  const printed = expected.map((line) => (line === question ? '…' : line));
  return { typed: isAccepted ? `${command} --yes` : command, printed };
}

/** Times differ from run to run, and columns with the length of a path. */
function shown(text: string): string {
  return `${text
    .trimEnd()
    .replaceAll(/\b\d+ ms\b/gu, 'N ms')
    .replaceAll(/(\.json:\d+):\d+/gu, '$1:N')}\n`;
}

/** A line `…` stands for any lines, also none; within a line `…` is what differs from machine to machine. */
function patternOf(text: string): RegExp {
  const escaped = shown(text).replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
  const lines = escaped.split('\n').slice(0, -1);
  const patterns = lines.map((line) =>
    line.trim() === '…' ? String.raw`(?:.*\n)*?` : `${line.replaceAll('…', '.*')}\\n`,
  );
  return new RegExp(`^${patterns.join('')}$`, 'u');
}
