import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Launcher } from '../../src/sandbox/launch/index.ts';
import { bubblewrap, liveTest } from '../support/capability.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';

const run = sandboxOfFile();

liveTest(
  bubblewrap,
  'a view that would show where pipes are made is refused: a pipe with a name takes orders from anybody',
  async () => {
    const launcher = new Launcher({ armedSlots: 0, cgroups: 'none' });
    onTestFinished(() => launcher.close());
    const base = dirname(launcher.pipeDirectory);
    const result = await run('ls', { policy: { readPaths: [base] } });
    expect(result.kind).toBe('not-built');
    expect(result.detail).toContain('pipes');
  },
);

liveTest(bubblewrap, 'configuration planted in a directory that lost its read bit is no clean end', async () => {
  // Root reads it all the same: then the configuration is found and set aside.
  const project = mkdtempSync(join(tmpdir(), 'hookcell-test-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const granted = join(project, 'w');
  mkdirSync(granted);
  const result = await run(`mkdir ${granted}/.claude && chmod 0311 ${granted}`, {
    policy: { project: 'read', projectRoot: project, writePaths: [granted] },
  });
  chmodSync(granted, 0o755);
  if (result.kind === 'ran')
    expect(readdirSync(granted).some((name) => name.startsWith('.claude.set-aside'))).toBe(true);
  else expect(result.detail).toContain(granted);
  expect(result.kind === 'ran' && existsSync(join(granted, '.claude'))).toBe(false);
});
