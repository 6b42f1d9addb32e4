import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Launcher } from '../../src/sandbox/launch/index.ts';
import { PipeSource } from '../../src/sandbox/launch/pipes.ts';
import { armSlot, disarmSlot } from '../../src/sandbox/launch/slot.ts';
import { pipeBase, pipePlaces } from '../../src/sandbox/runtime-directory.ts';
import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';

const run = sandboxOfFile();

liveTest(
  bubblewrap,
  'a view that would show where this or another executor makes its pipes is refused: who opens one speaks for a handler',
  async () => {
    const launcher = new Launcher({ armedSlots: 0, cgroups: 'none' });
    onTestFinished(() => launcher.close());
    for (const place of new Set([dirname(launcher.pipeDirectory), '/dev/shm'])) {
      const result = await run('ls', { policy: { readPaths: [place] } });
      expect(result.kind).toBe('not-built');
      expect(result.detail).toContain(`${place}, where hookcell makes its pipes`);
    }
  },
);

liveTest(
  linux,
  'nothing that a slot obeys has a name: its order, its options and its status are unbound sockets',
  async () => {
    const launcher = new Launcher({ armedSlots: 0, cgroups: 'none' });
    onTestFinished(() => launcher.close());
    const slot = armSlot(new PipeSource(launcher.pipeDirectory), launcher.executorGroup.createGroup(1), false);
    onTestFinished(() => disarmSlot(slot));
    const fd = `/proc/${slot.process.pid}/fd`;
    for (const descriptor of [3, 4, 5]) expect(readlinkSync(`${fd}/${descriptor}`)).toMatch(/^socket:/u);
    for (const descriptor of [1, 2]) expect(readlinkSync(`${fd}/${descriptor}`)).toMatch(/ \(deleted\)$/u);
  },
);

liveTest(
  linux,
  'pipes are never made where temporary files are, even for a user without a directory below /run',
  () => {
    const temporary = mkdtempSync(join(tmpdir(), 'hookcell-test-'));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    expect(pipePlaces()).toContain(pipeBase(temporary));
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
