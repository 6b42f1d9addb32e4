import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { FileRefusal, Refusal, Trace } from '../../../src/sandbox/index.ts';
import { bubblewrap, liveTest, linux, program } from '../../support/capability.ts';
import { processesWith } from '../../support/survivors.ts';
import { sandboxOfFile, type RunOverrides } from '../../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

const needs = [linux, bubblewrap, program('strace')];
const run = sandboxOfFile();

function project(files: Readonly<Record<string, string>> = {}): string {
  return plant(scratchDirectory(), { 'src/': '', '.env': 'TOKEN=1', ...files });
}

async function refusalsOf(line: string, root: string, overrides: RunOverrides = {}): Promise<readonly Refusal[]> {
  const policy = { project: 'read', projectRoot: root, ...overrides.policy } as const;
  const { trace } = await run(line, { ...overrides, policy, trace: true });
  return traced(trace).refusals;
}

function traced(trace: Trace | undefined): Extract<Trace, { state: 'traced' }> {
  if (trace?.state !== 'traced') throw new Error(`expected a traced run, got ${JSON.stringify(trace)}`);
  return trace;
}

const file = (path: string, tried: string, why: string, more: object = {}): object => ({
  kind: 'file',
  path,
  tried,
  why,
  ...more,
});
const pathsOf = (refusals: readonly Refusal[]): string[] =>
  refusals.filter((refusal): refusal is FileRefusal => refusal.kind === 'file').map(({ path }) => path);

liveTest(needs, 'files that exist outside and not inside, with the grant that shows them', async () => {
  const root = project();
  const outside = join(plant(scratchDirectory(), { 'list.txt': 'x' }), 'list.txt');
  expect(await refusalsOf(`cat ${outside}; cat ${outside}.none; cat /etc/hostname`, root)).toMatchObject([
    file(outside, 'read', 'not-in-view', { grant: { access: 'read', path: outside } }),
    file('/etc/hostname', 'read', 'not-in-view', { grant: { access: 'read', path: '/etc/hostname' } }),
  ]);
});

liveTest(needs, 'relative paths from where the program is', async () => {
  const root = project({ 'a/b/': '' });
  const outside = join(plant(scratchDirectory(), { 'list.txt': 'x' }), 'list.txt');
  const up = `../../../${outside.split('/').at(-2)}/list.txt`;
  expect(pathsOf(await refusalsOf(`cd a/b && cat ../${up.slice(3)}`, root))).toEqual([outside]);
});

liveTest(needs, 'what grants it lets it through', async () => {
  const root = project();
  const outside = join(plant(scratchDirectory(), { 'list.txt': 'x' }), 'list.txt');
  expect(
    await refusalsOf(`cat ${outside}; echo x > src/new`, root, {
      policy: { readPaths: [outside], writePaths: [join(root, 'src')] },
    }),
  ).toEqual([]);
});

liveTest(needs, 'masked secrets', async () => {
  const root = project();
  expect(await refusalsOf('cat .env', root)).toMatchObject([
    file(join(root, '.env'), 'read', 'masked', { grant: { access: 'read', path: join(root, '.env') } }),
  ]);
});

liveTest(needs, 'writes, with what can be granted and what cannot', async () => {
  const root = project({ 'src/old': 'x' });
  const refusals = await refusalsOf('echo x > src/old; mkdir src/new; echo x > top; echo x > /usr/x', root);
  expect(refusals).toMatchObject([
    file(join(root, 'src/old'), 'write', 'read-only', { grant: { access: 'write', path: join(root, 'src/old') } }),
    file(join(root, 'src/new'), 'create', 'read-only', { grant: { access: 'write', path: join(root, 'src') } }),
    file(join(root, 'top'), 'create', 'read-only', { remedy: expect.stringContaining(root) }),
    file('/usr/x', 'create', 'read-only', { remedy: expect.stringContaining('/usr') }),
  ]);
  expect(refusals.slice(2).some((refusal) => 'grant' in refusal)).toBe(false);
});

liveTest(needs, 'programs, sockets, system calls', async () => {
  const refusals = await refusalsOf(
    `nosuchprogram; perl -e 'use Socket; socket(S, AF_INET, SOCK_STREAM, 0); syscall(101, 0, 0, 0, 0) if $ARGV[0] eq "x64"' ${process.arch}; unshare -U true`,
    project(),
  );
  expect(refusals).toContainEqual({ kind: 'program', name: 'nosuchprogram', times: 1 });
  expect(refusals).toContainEqual({ kind: 'socket', family: 'AF_INET', times: 1 });
  expect(refusals).toContainEqual({ kind: 'syscall', name: 'unshare', times: 1 });
  if (process.arch === 'x64') expect(refusals).toContainEqual({ kind: 'syscall', name: 'ptrace', times: 1 });
});

liveTest(needs, 'limits', async () => {
  const line = `head -c 9000000 /dev/zero > /tmp/full; perl -e 'for $i (1..300) { open($f[$i], "<", "/etc/passwd") }'`;
  const refusals = await refusalsOf(line, project());
  expect(refusals).toContainEqual({ kind: 'limit', limit: 'tmpBytes', path: '/tmp/full', times: 1 });
  expect(refusals).toContainEqual({ kind: 'limit', limit: 'maxOpenFiles', times: expect.any(Number) });
});

liveTest(needs, 'a file whose own mode forbids it is not for a grant', async () => {
  const root = project({ 'tool.txt': '#!/bin/sh\n' });
  const refusals = await refusalsOf(`chmod 600 tool.txt; /usr/bin/env ./tool.txt`, root, {
    policy: { writePaths: [join(root, 'tool.txt')] },
  });
  expect(refusals).toMatchObject([
    file(join(root, 'tool.txt'), 'execute', 'permissions', { remedy: expect.stringContaining('chmod +x') }),
  ]);
});

const interpreters = [
  ['/bin/sh', '/dev/null'],
  ['/usr/bin/env', 'true'],
  ['/usr/bin/perl', '-e', '1'],
  ['/usr/bin/python3', '-c', 'import json, ssl, subprocess, locale'],
  ['/bin/bash', '-c', 'true'],
] as const;
for (const argv of interpreters) {
  liveTest(
    [...needs, { name: argv[0], present: existsSync(argv[0]) }],
    `${argv[0]} by itself is refused nothing`,
    async () => {
      const ran = await run([...argv], { trace: true });
      expect(ran.exit.code).toBe(0);
      expect(traced(ran.trace).refusals).toEqual([]);
    },
  );
}

liveTest(needs, 'a path of the libraries counts when the script asks for it', async () => {
  expect(pathsOf(await refusalsOf('cat /etc/hosts', project()))).toEqual(['/etc/hosts']);
});

liveTest(needs, 'file names cannot forge a line of the trace', async () => {
  const forged = String.raw`x") = 0\n7  socket(AF_FORGED, 0) = -1 EPERM (no)\n`;
  const refusals = await refusalsOf(`cat "$(printf '${forged}')"; cat '/etc/host<name>'`, project());
  expect(refusals).toEqual([]);
});

liveTest(needs, 'a program that tries without end is bounded, and that is said', async () => {
  const line = `perl -e 'for $i (1..3000) { mkdir "/usr/forged$i" }'`;
  const { trace, exit } = await run(line, { trace: true, limits: { timeoutMs: 50_000 } });
  expect(exit.code).toBe(0);
  expect(traced(trace).incomplete).toBe(true);
  expect(traced(trace).refusals.length).toBeGreaterThan(900);
  expect(traced(trace).refusals.length).toBeLessThanOrEqual(1_000);
});

liveTest(needs, 'a traced run that is killed leaves nothing behind', async () => {
  const token = `trace-${process.pid}-${Date.now()}`;
  const { killed, trace } = await run(`sleep 600 & cat /etc/hostname; exec sleep 601 # ${token}`, {
    trace: true,
    limits: { timeoutMs: 2_000 },
  });
  expect(killed).toBe('timeout');
  expect(pathsOf(traced(trace).refusals)).toEqual(['/etc/hostname']);
  await expect.poll(() => processesWith(token), { timeout: 10_000 }).toEqual([]);
});

liveTest(needs, 'tracing changes no result', async () => {
  const line = 'cat; echo err >&2; exit 3';
  const plain = await run(line, { stdin: 'hello' });
  const { trace, ...watched } = await run(line, { stdin: 'hello', trace: true });
  expect(trace).toMatchObject({ state: 'traced', refusals: [], incomplete: false });
  const facts = ({ out, err, exit, kind, bytes }: typeof plain) => ({ out, err, exit, kind, bytes });
  expect(facts(watched)).toEqual(facts(plain));
});

liveTest(linux, 'without a wall nothing is traced, and it is said', async () => {
  const { createSandbox } = await import('../../../src/sandbox/index.ts');
  const { requestOf } = await import('../../support/run-in-sandbox.ts');
  const sandbox = createSandbox({ backend: 'none' });
  try {
    const { trace } = await sandbox.run({ ...requestOf('true'), trace: true });
    expect(trace).toMatchObject({ state: 'untraced', why: expect.stringContaining('no wall') });
  } finally {
    await sandbox.close();
  }
});

test('where the time went is measured', async () => {
  const { timings, durationMs } = await run('sleep 0.2');
  if (timings === undefined) throw new Error('expected timings');
  const { launchMs, runMs, drainMs } = timings;
  expect(runMs).toBeGreaterThan(150);
  expect(Math.min(launchMs, drainMs)).toBeGreaterThanOrEqual(0);
  expect(Math.abs(launchMs + runMs + drainMs - durationMs)).toBeLessThan(50);
});
