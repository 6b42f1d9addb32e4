import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect } from 'vitest';

import { createSandbox, type Policy, type Program } from '../../../src/sandbox/index.ts';
import { bubblewrap, linux, liveTest, program as installed } from '../../support/capability.ts';
import { startExchanger } from '../../support/exchanger.ts';
import { requestOf, withText } from '../../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

const needs = [linux, bubblewrap, installed('python3')];
const rounds = 60;
/** Each round can be refused before anything is launched, all of them within a moment: then the race goes on. */
const longestRaceMs = 30_000;
const sandbox = createSandbox({ backend: 'auto' });
afterAll(() => sandbox.close());

function pinnedProject(): { readonly root: string; readonly program: Program } {
  const root = plant(scratchDirectory(), {
    'tools/hooks/check.sh': 'echo mine',
    'tools/hooks/rules.txt': 'rules',
    'tools/evil/check.sh': 'echo stolen',
    'tools/evil/rules.txt': 'stolen',
    'evil/hooks/check.sh': 'echo stolen',
    'evil.sh': 'echo stolen',
  });
  const target = path.join(root, 'tools/hooks/check.sh');
  const overlays = [{ source: sandbox.keep(readFileSync(target), true), target }];
  return { root, program: { argv: ['/bin/sh', target], cwd: root, binds: [target], overlays } };
}

/** How often which output came. */
async function attack(policy: Partial<Policy>, [one, other, how]: Swap): Promise<Map<string, number>> {
  const { root, program } = pinnedProject();
  const absolute = (paths: readonly string[] = []) => paths.map((name) => path.join(root, name));
  const granted = {
    ...policy,
    projectRoot: root,
    readPaths: absolute(policy.readPaths),
    writePaths: absolute(policy.writePaths),
  };
  const stop = await startExchanger(path.join(root, one), path.join(root, other), ...(how === undefined ? [] : [how]));
  const counts = new Map<string, number>();
  const startedAt = performance.now();
  const ranNothing = (): boolean =>
    [...counts.keys()].every((seen) => seen === 'not-built') && performance.now() - startedAt < longestRaceMs;
  for (let round = 0; round < rounds || ranNothing(); round += 1) {
    const { kind, out } = withText(await sandbox.run(requestOf(program.argv, { program, policy: granted })));
    const seen = kind === 'ran' ? out : kind;
    counts.set(seen, (counts.get(seen) ?? 0) + 1);
  }
  await stop();
  return counts;
}

type Swap = readonly [one: string, other: string, how?: 'over'];
const directory: Swap = ['tools/hooks', 'tools/evil'];
const file: Swap = ['tools/hooks/check.sh', 'evil.sh'];
const over: Swap = ['tools/hooks/check.sh', 'evil.sh', 'over'];
const whole = { project: 'read' } as const;
const listed = { project: 'files', projectFiles: ['tools'] } as const;

// A mount goes where its mount point is renamed to, and is taken away when another file is renamed over its mount point.
describe('accepted bytes run, or nothing does, while another process exchanges', () => {
  const fights: readonly [what: string, policy: Partial<Policy>, swap: Swap][] = [
    ['the directory of a script in a project that is shown', whole, directory],
    ['the directory above it', whole, ['tools', 'evil']],
    ['the script itself', whole, file],
    ['the script by renaming others over it', whole, over],
    ['the script in a listed directory', listed, file],
    ['the directory of a script in a listed directory', listed, directory],
    ['a listed script', { project: 'files', projectFiles: ['tools/hooks/check.sh'] }, over],
    ['the script of a hook that sees no project', { project: 'none' }, over],
    ['the script in a read path', { project: 'none', readPaths: ['tools/hooks'] }, file],
    ['the directory of a script in a write path', { ...whole, writePaths: ['tools'] }, directory],
    ['the script in a write path', { ...whole, writePaths: ['tools'] }, over],
  ];
  for (const [what, policy, swap] of fights) {
    liveTest(needs, what, async () => {
      const counts = await attack(policy, swap);
      expect([...counts.keys()].filter((seen) => seen !== 'not-built')).toEqual(['mine\n']);
    });
  }
});
