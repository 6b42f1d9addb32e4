import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

import { createSandbox, type Policy, type Program } from '../../../src/sandbox/index.ts';
import { viewMounts } from '../../../src/sandbox/view/mounts.ts';
import { bubblewrap, linux, liveTest, program as installed } from '../../support/capability.ts';
import { requestOf, withText, type RanInside } from '../../support/run-in-sandbox.ts';
import { factsOf, plant, policyOf, scratchDirectory } from '../../support/view.ts';

const wall = [linux, bubblewrap];
const sandbox = createSandbox({ backend: 'auto' });
const plain = createSandbox({ backend: 'none' });
afterAll(() => Promise.all([sandbox.close(), plain.close()]));

interface Pinned {
  readonly project: string;
  readonly program: Program;
}

/** A project whose script and its data are pinned as they are now. */
function pinned(keep = sandbox.keep.bind(sandbox)): Pinned {
  const project = plant(scratchDirectory(), {
    'hooks/check.sh': '#!/bin/sh\ncat hooks/rules.txt; echo mine',
    'hooks/rules.txt': 'accepted ',
    'other/check.sh': '#!/bin/sh\necho stolen',
    'other/rules.txt': 'stolen ',
  });
  const overlays = ['hooks/check.sh', 'hooks/rules.txt'].map((name) => {
    const target = join(project, name);
    return { source: keep(readFileSync(target), name.endsWith('.sh')), target };
  });
  const binds = [join(project, 'hooks/check.sh')];
  return { project, program: { argv: ['/bin/sh', join(project, 'hooks/check.sh')], cwd: project, binds, overlays } };
}

async function runPinned({ project, program }: Pinned, policy: Partial<Policy> = {}): Promise<RanInside> {
  const request = requestOf(program.argv, { program, policy: { project: 'read', projectRoot: project, ...policy } });
  return withText(await sandbox.run(request));
}

async function runLine(given: Pinned, line: string, policy: Partial<Policy> = {}): Promise<RanInside> {
  return runPinned({ ...given, program: { ...given.program, argv: ['/bin/sh', '-c', line] } }, policy);
}

const refused = { kind: 'not-built', out: '', remedy: expect.stringMatching(/./) };
const accepted = { kind: 'ran', out: 'accepted mine\n', exit: { code: 0 } };

describe('the mounts of pinned files', () => {
  test('come after the project, its write paths and the program, and are read-only', async () => {
    const { project, program } = pinned();
    const policy = policyOf({ project: 'read', projectRoot: project, writePaths: [join(project, 'hooks')] });
    const mounts = viewMounts(policy, program, await factsOf(policy, undefined, program));
    const at = (type: string, path: string) =>
      mounts.findLastIndex((mount) => mount.type === type && mount.target === join(project, path));
    const overlay = mounts.findIndex((mount) => 'source' in mount && mount.source === program.overlays?.[0]?.source);
    expect(mounts[overlay]).toMatchObject({ type: 'ro-bind', target: join(project, 'hooks/check.sh') });
    expect(at('tmpfs', 'hooks')).toBeGreaterThan(at('tmpfs', ''));
    expect(overlay).toBeGreaterThan(at('tmpfs', 'hooks'));
    expect(at('remount-ro', 'hooks')).toBeGreaterThan(overlay);
    expect([at('ro-bind', ''), at('bind', 'hooks')]).toEqual([-1, -1]);
  });

  test('show nothing that the policy does not show', async () => {
    const { project, program } = pinned();
    const policy = policyOf({ project: 'none', projectRoot: project });
    const shown = viewMounts(policy, program, await factsOf(policy, undefined, program)).map(({ target }) => target);
    expect(shown).toContain(join(project, 'hooks/check.sh'));
    expect(shown).not.toContain(join(project, 'hooks/rules.txt'));
  });

  test('do not uncover a secret', async () => {
    const project = plant(scratchDirectory(), { '.env': 'TOKEN=1', '.ssh/config': 'x' });
    const overlays = ['.env', '.ssh/config'].map((name) => ({
      source: sandbox.keep(Buffer.from('TOKEN=1'), false),
      target: join(project, name),
    }));
    const policy = policyOf({ project: 'read', projectRoot: project });
    const program: Program = { argv: ['/bin/true'], cwd: project, binds: [], overlays };
    const sources = viewMounts(policy, program, await factsOf(policy, undefined, program)).map((mount) =>
      'source' in mount ? mount.source : '',
    );
    expect(sources).not.toContain(overlays[0]?.source);
  });

  test('kept bytes are private, read-only and written once', () => {
    const path = sandbox.keep(Buffer.from('#!/bin/sh\n'), true);
    expect(sandbox.keep(Buffer.from('#!/bin/sh\n'), true)).toBe(path);
    expect(sandbox.keep(Buffer.from('#!/bin/sh\n'), false)).not.toBe(path);
    expect(statSync(path).mode & 0o777).toBe(0o555);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });
});

describe('a swap after the files were read', () => {
  liveTest(wall, 'of their content changes nothing', async () => {
    const given = pinned();
    writeFileSync(join(given.project, 'hooks/check.sh'), 'echo stolen');
    writeFileSync(join(given.project, 'hooks/rules.txt'), 'stolen ');
    expect(await runPinned(given)).toMatchObject(accepted);
  });

  liveTest(wall, 'by renaming another file or directory over them changes nothing', async () => {
    const given = pinned();
    renameSync(join(given.project, 'other/rules.txt'), join(given.project, 'hooks/rules.txt'));
    expect(await runPinned(given)).toMatchObject(accepted);
    plant(given.project, { 'other/rules.txt': 'stolen ' });
    renameSync(join(given.project, 'hooks'), join(given.project, 'aside'));
    renameSync(join(given.project, 'other'), join(given.project, 'hooks'));
    expect(await runPinned(given)).toMatchObject(accepted);
  });

  liveTest(wall, 'by a link to another directory or file is refused, be it one with the same content', async () => {
    const directory = pinned();
    renameSync(join(directory.project, 'hooks'), join(directory.project, 'aside'));
    symlinkSync('aside', join(directory.project, 'hooks'));
    expect(await runPinned(directory)).toMatchObject(refused);
    for (const name of ['check.sh', 'rules.txt']) {
      const file = pinned();
      rmSync(join(file.project, 'hooks', name));
      symlinkSync(`../other/${name}`, join(file.project, 'hooks', name));
      expect(await runPinned(file)).toMatchObject(refused);
    }
  });

  liveTest(wall, 'by removing them, or by a directory in their place, is refused', async () => {
    const given = pinned();
    rmSync(join(given.project, 'hooks/rules.txt'));
    expect(await runPinned(given)).toMatchObject(refused);
    mkdirSync(join(given.project, 'hooks/rules.txt'));
    expect(await runPinned(given)).toMatchObject(refused);
  });

  test('is noticed right before the launch where there is no wall', async () => {
    const given = pinned(plain.keep.bind(plain));
    const run = async () => withText(await plain.run(requestOf(given.program.argv, { program: given.program })));
    expect(await run()).toMatchObject(accepted);
    writeFileSync(join(given.project, 'hooks/rules.txt'), 'stolen ');
    expect(await run()).toMatchObject(refused);
  });
});

describe('a handler that may write where pinned files lie', () => {
  liveTest(
    wall,
    'cannot change, remove, rename or link over them, nor move their directory, nor put others beside',
    async () => {
      const given = pinned();
      plant(given.project, { 'hooks/log': '', 'hooks/deep/': '' });
      const line = `cd hooks
      for file in check.sh rules.txt; do
        echo x >> $file; rm -f $file; mv $file moved; mv new $file; ln -sf ../other/$file $file; chmod 777 $file
      done 2>/dev/null
      cd ..; echo new > hooks/new 2>/dev/null && echo CREATED; echo x > hooks/log && echo x > hooks/deep/x && echo wrote; mv hooks aside 2>/dev/null && echo MOVED; cat hooks/rules.txt`;
      for (const writePaths of [[join(given.project, 'hooks')], [given.project]]) {
        expect((await runLine(given, line, { writePaths })).out).toBe('wrote\naccepted ');
        expect(readFileSync(join(given.project, 'hooks/rules.txt'), 'utf8')).toBe('accepted ');
        expect(await runPinned(given)).toMatchObject(accepted);
      }
    },
  );

  liveTest(wall, 'sees the pinned content where another program changed the file meanwhile', async () => {
    const given = pinned();
    writeFileSync(join(given.project, 'hooks/rules.txt'), 'stolen ');
    const ran = await runLine(given, 'cat hooks/rules.txt', { writePaths: [join(given.project, 'hooks')] });
    expect(ran.out).toBe('accepted ');
  });
});

describe('a project that is shown entry by entry, for its pinned files', () => {
  liveTest(wall, 'looks as it is, pipes as empty files, and nothing of it can be changed', async () => {
    const given = pinned();
    plant(given.project, {
      'a b/c': 'c',
      '.hidden': 'h',
      'hooks/lib/x': 'x',
      '.env': 'TOKEN=1',
      'hooks/.env': 'TOKEN=2',
    });
    symlinkSync('a b', join(given.project, 'link'));
    symlinkSync('/nowhere', join(given.project, 'hooks/dangling'));
    execFileSync('mkfifo', [join(given.project, 'pipe'), join(given.project, 'hooks/pipe')]);
    const ran = await runLine(
      given,
      `pwd; ls -A . hooks; cat pipe hooks/pipe link/c .hidden hooks/lib/x .env hooks/.env; readlink link hooks/dangling
       for file in new hooks/new 'a b/new' .hidden hooks/lib/x hooks/check.sh; do (echo x > "$file") 2>/dev/null && echo "WROTE $file"; done
       mv hooks aside 2>/dev/null; rm -f .hidden 2>/dev/null; true`,
    );
    const shown = (directory: string) => readdirSync(join(given.project, directory));
    const lines = [given.project, '.:', ...shown('.'), '', 'hooks:', ...shown('hooks'), 'chxa b', '/nowhere', ''];
    expect(new Set(ran.out.split('\n'))).toEqual(new Set(lines));
  });

  liveTest([...wall, installed('git')], 'is found by git from its sub-directories', async () => {
    const given = pinned();
    execFileSync('git', ['-C', given.project, 'init', '-q'], { stdio: 'pipe' });
    const line = 'cd other && git -c safe.directory="*" rev-parse --show-toplevel';
    expect(await runLine(given, line)).toMatchObject({ out: `${given.project}\n`, err: '' });
  });
});
