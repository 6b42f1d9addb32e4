import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export const root = path.resolve(import.meta.dirname, '../..');
export const bin = path.join(root, 'dist/cli/bin.js');
export const example = path.join(root, 'examples/quality');

export interface CliResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const hangMs = 45_000;

/** Starts the built program with a small environment; the caller ends it. */
export function startCli(args: readonly string[], { cwd = example, env = {} }: CliOptions = {}): ChildProcess {
  const PATH = process.env['PATH'] ?? '';
  const HOME = process.env['HOME'] ?? '/';
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { PATH, HOME, ...env }, stdio: 'pipe' });
  child.stdin?.on('error', () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), hangMs);
  child.once('close', () => clearTimeout(timer));
  return child;
}

export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = startCli(args, options);
  const ended = resultOf(child);
  child.stdin?.end(options.stdin ?? '');
  return ended;
}

export function resultOf(child: ChildProcess): Promise<CliResult> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}

export interface PrintedAnswer {
  readonly decision: { readonly action: string; readonly reason?: string };
  readonly [key: string]: unknown;
}

/** The one line that `run` and `exec` print. */
export function answerOf({ stdout }: CliResult): PrintedAnswer {
  const lines = stdout.split('\n');
  if (lines.length !== 2 || lines[1] !== '') {
    throw new Error(`expected one line on stdout, got ${JSON.stringify(stdout)}`);
  }
  const answer: PrintedAnswer = JSON.parse(lines[0] ?? '');
  return answer;
}

/** A directory with the given files, removed after the test. */
export function project(files: Readonly<Record<string, string>>): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookcell-cli-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(directory, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  return directory;
}

/** A pack with one hook whose handler is the shell line. */
export function shellPack(line: string, hook: object = {}, handler: object = {}): string {
  const command = ['/bin/sh', '-c', line];
  const one = { id: 'check', event: 'tool:before', ...hook, handler: { type: 'command', command, ...handler } };
  return JSON.stringify({ version: 1, name: 'test', hooks: [one] });
}

export const event = JSON.stringify({ event: 'tool:before', data: { tool: 'write', input: { path: 'a.txt' } } });
export const allow = `cat >/dev/null; echo '{"decision":{"action":"allow"}}'`;
