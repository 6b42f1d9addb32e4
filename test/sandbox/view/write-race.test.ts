import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';

import { createSandbox } from '../../../src/sandbox/index.ts';
import { bubblewrap, linux, liveTest, program as installed } from '../../support/capability.ts';
import { startExchanger } from '../../support/exchanger.ts';
import { requestOf, withText } from '../../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

const needs = [linux, bubblewrap, installed('python3')];
const rounds = 60;
const sandbox = createSandbox({ backend: 'auto' });
afterAll(() => sandbox.close());

// Configuration in `x` makes hookcell show `x` entry by entry, each by its path: a path that somebody with the same grant can lead elsewhere.
describe('no run reaches outside of its write path while somebody exchanges a part of it for a link', () => {
  const fights: readonly [what: string, one: string, other: string, leadsTo: string][] = [
    ['an entry that is a directory', 'build/x/y', 'build/y-link', 'victim'],
    ['an entry that is a file', 'build/x/file', 'build/file-link', 'victim/secret'],
    ['a directory on the way', 'build/x', 'build/x-link', 'victim'],
  ];
  for (const [what, one, other, leadsTo] of fights) {
    liveTest(needs, what, async () => {
      const root = plant(scratchDirectory(), {
        'build/x/.claude/settings.json': '{}',
        'build/x/file': 'mine',
        'build/x/y/own': 'mine',
      });
      mkdirSync(path.join(root, 'victim/y'), { recursive: true });
      for (const place of ['secret', 'file', 'y/secret']) writeFileSync(path.join(root, 'victim', place), 'the victim');
      symlinkSync(path.join(root, leadsTo), path.join(root, other));
      const stop = await startExchanger(
        path.join(root, one),
        path.join(root, other),
        'again',
        path.join(root, leadsTo),
      );
      const policy = { writePaths: [path.join(root, 'build')] };
      const line = 'cat x/file x/y/secret x/secret; echo evil | tee x/evil x/y/evil x/file';
      for (let round = 0; round < rounds; round += 1) {
        const program = { cwd: path.join(root, 'build') };
        const { kind, out, detail } = withText(await sandbox.run(requestOf(line, { program, policy })));
        expect(out).not.toContain('the victim');
        if (kind !== 'ran') expect(detail).toMatch(/exchanged|searched|changed|missing|No such file|Can't|Permission/u);
      }
      await stop();
      expect(readdirSync(path.join(root, 'victim')).toSorted()).toEqual(['file', 'secret', 'y']);
      expect(readdirSync(path.join(root, 'victim/y'))).toEqual(['secret']);
    });
  }
});

liveTest(
  bubblewrap,
  'paths that the kernel writes in another way, and a single process, pass the check of their mounts',
  async () => {
    const root = plant(scratchDirectory(), { "b 1/it's\n\\ \t$(x)/.claude/settings.json": '{}', 'b 1/own': 'mine' });
    const policy = { writePaths: [path.join(root, 'b 1')] };
    const program = { cwd: path.join(root, 'b 1') };
    const { kind, out } = withText(
      await sandbox.run(requestOf(['/bin/cat', 'own'], { program, policy, limits: { maxProcesses: 1 } })),
    );
    expect({ kind, out }).toEqual({ kind: 'ran', out: 'mine' });
  },
);

liveTest(bubblewrap, 'who imitates the complaint of the check is blocked, not started again', async () => {
  const root = plant(scratchDirectory(), { 'build/.claude/settings.json': '{}', 'build/log': '' });
  const line = `echo run >> log; tr '\\0' '\\n' </proc/1/cmdline | grep -o 'hookcell: exchanged [0-9a-f-]*' >&2; exit 125`;
  const program = { cwd: path.join(root, 'build') };
  const policy = { writePaths: [path.join(root, 'build')] };
  const { kind } = withText(await sandbox.run(requestOf(line, { program, policy })));
  expect(kind).toBe('not-built');
  expect(readFileSync(path.join(root, 'build/log'), 'utf8')).toBe('run\n');
});
