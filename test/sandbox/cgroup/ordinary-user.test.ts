import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { build } from 'vite';
import { hierarchiesOf } from '../../../src/sandbox/cgroup/hierarchies.ts';
import { liveTest, program, root } from '../../support/capability.ts';
import { kill, memory, pids, plan } from './live-groups.ts';

const UID = 54_321;
const setpriv = program('setpriv');

/** Makes a group below each parent of the plan and gives it to the user, as an administrator or systemd would. */
function delegate(): { readonly join: readonly string[]; remove(): void } {
  const made: string[] = [];
  const give = (directory: string): string => {
    mkdirSync(directory);
    made.push(directory);
    for (const file of ['', 'cgroup.procs', 'cgroup.subtree_control']) {
      try {
        chownSync(path.join(directory, file), UID, UID);
      } catch {
        // Version 1 has no cgroup.subtree_control.
      }
    }
    return directory;
  };

  const join = hierarchiesOf(plan).map(({ path: parent, version, controllers }) => {
    const enable = controllers.map((name) => `+${name}`).join(' ');
    if (version === 2 && enable !== '') writeFileSync(path.join(parent, 'cgroup.subtree_control'), enable);
    const directory = give(path.join(parent, `delegated-${process.pid}`));

    // In version 2 a group with processes hands no controllers down: the user's processes live one group deeper.
    return path.join(version === 2 ? give(path.join(directory, 'inner')) : directory, 'cgroup.procs');
  });
  return { join, remove: () => made.toReversed().forEach((directory) => rmdirSync(directory)) };
}

liveTest(
  [root, setpriv, memory, pids, kill],
  'an ordinary user limits and ends children in delegated groups',
  async () => {
    const bundle = mkdtempSync(path.join(os.tmpdir(), 'hookcell-user-'));
    const delegated = delegate();
    try {
      chmodSync(bundle, 0o755);
      const entry = path.join(import.meta.dirname, 'ordinary-user.ts');
      await build({
        configFile: false,
        logLevel: 'silent',
        build: {
          ssr: entry,
          outDir: bundle,
          target: 'node20',
          rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
        },
      });
      const script =
        'for file do echo $$ > "$file" || exit 97; done; exec "$SETPRIV" --reuid "$USER_ID" --regid "$USER_ID" --clear-groups "$NODE" "$BUNDLE"';
      const result = spawnSync('/bin/sh', ['-c', script, 'sh', ...delegated.join], {
        cwd: '/',
        env: {
          PATH: '/usr/bin:/bin',
          SETPRIV: setpriv.path,
          USER_ID: String(UID),
          NODE: process.execPath,
          BUNDLE: path.join(bundle, 'ordinary-user.mjs'),
        },
        encoding: 'utf8',
        timeout: 50_000,
      });
      expect(result.stderr).toBe('');
      const found: unknown = JSON.parse(result.stdout);
      expect(found).toMatchObject({
        uid: UID,
        plan: { layout: plan.layout, notes: [] },
        controls: { memory: plan.memory?.version, pids: plan.pids?.version, kill: true },
        joined: true,
        populated: true,
        killFileTaken: true,
        removed: true,
      });
      for (const place of ['memory', 'pids', 'kill']) {
        expect(found).toHaveProperty(['plan', place, 'parent'], expect.stringMatching(/delegated-\d+/));
      }
      expect(JSON.stringify(found)).toMatch(/"oomKills":[1-9]/);
      expect(JSON.stringify(found)).toMatch(/"processLimitHits":[1-9]/);
    } finally {
      delegated.remove();
      rmSync(bundle, { recursive: true, force: true });
    }
  },
);
