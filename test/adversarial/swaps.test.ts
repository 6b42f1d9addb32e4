import { linkSync, lstatSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';

import { createExecutor } from '../../src/index.ts';
import { resolveProgram, type Policy } from '../../src/sandbox/index.ts';
import { bubblewrap, liveTest, linux } from '../support/capability.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const run = sandboxOfFile();
const wall = [linux, bubblewrap];
const canary = 'canary-77b1e2';
const refused = { kind: 'not-built', out: '', remedy: expect.stringMatching(/./) };

/** A project beside a secret, both outside the view unless granted. */
function neighbours(): { readonly root: string; readonly project: string; readonly outside: string } {
  const root = plant(scratchDirectory(), {
    'project/data/a.txt': 'a',
    'project/hook.sh': 'echo mine',
    'outside/a.txt': canary,
  });
  return { root, project: join(root, 'project'), outside: join(root, 'outside') };
}

function grants(path: string): Partial<Policy>[] {
  return [{ readPaths: [path] }, { writePaths: [path] }];
}

/** One handler writes; a later one is granted a path below what the first could write. */
async function exchange(directory: string, below: string, target: string): Promise<void> {
  const ran = await run(`cd ${directory} && mv ${below} aside && ln -s ${target} ${below}`, {
    policy: { writePaths: [directory] },
  });
  expect(ran).toMatchObject({ kind: 'ran', exit: { code: 0 } });
  // A link out of the write path is renamed when its maker has ended. As if the later one came before that:
  for (const name of readdirSync(directory).filter((one) => one.startsWith(`${below}.set-aside-`))) {
    renameSync(join(directory, name), join(directory, below));
  }
  expect(lstatSync(join(directory, below)).isSymbolicLink()).toBe(true);
}

describe('a link that a handler put in the place of a path which another one is granted', () => {
  liveTest(wall, 'is not followed to a directory outside, to read or to write', async () => {
    const { project, outside } = neighbours();
    await exchange(project, 'data', '../outside');
    for (const policy of grants(join(project, 'data'))) {
      expect(await run(`cat ${project}/data/a.txt; echo x > ${project}/data/b.txt`, { policy })).toMatchObject(refused);
    }
    expect(readdirSync(outside)).toEqual(['a.txt']);
  });

  liveTest(wall, 'is not followed by an absolute path either, nor in the middle of a path', async () => {
    const { project, outside } = neighbours();
    plant(project, { 'x/data/a.txt': 'a' });
    plant(outside, { 'data/a.txt': canary });
    await exchange(project, 'x', outside);
    for (const policy of grants(join(project, 'x/data'))) {
      expect(await run(`cat ${project}/x/data/a.txt`, { policy })).toMatchObject(refused);
    }
  });

  liveTest(wall, 'is not run as the script that was found before', async () => {
    const { project, outside } = neighbours();
    plant(outside, { 'hook.sh': `echo ${canary}` });
    const found = resolveProgram({ command: ['/bin/sh', './hook.sh'], projectRoot: project });
    if (!found.ok) throw new Error(found.message);
    expect(await run(found.program.argv, { program: found.program })).toMatchObject({ kind: 'ran', out: 'mine\n' });
    await exchange(project, 'hook.sh', '../outside/hook.sh');
    expect(await run(found.program.argv, { program: found.program })).toMatchObject(refused);
  });

  liveTest(wall, 'does not lead a listed project file outside', async () => {
    const { project } = neighbours();
    const policy = { project: 'files', projectRoot: project, projectFiles: ['data/a.txt', 'hook.sh'] } as const;
    expect(await run('cat data/a.txt', { policy })).toMatchObject({ kind: 'ran', out: 'a' });
    await exchange(join(project, 'data'), 'a.txt', '../../outside/a.txt');
    expect(await run('cat data/a.txt', { policy })).toMatchObject(refused);
  });
});

describe('a link that the repository holds', () => {
  liveTest(linux, 'does not widen what the operator grants by a path in the project', async () => {
    const { root, project, outside } = neighbours();
    symlinkSync('../outside', join(project, 'out'));
    symlinkSync(root, join(project, 'up'));
    const options = { packs: [], projectRoot: project, installationKey: new Uint8Array(32) };
    for (const grant of [
      { write: ['out'] },
      { read: ['./out'] },
      { write: [join(project, 'out')] },
      { read: ['up/outside/a.txt'] },
    ]) {
      const creating = createExecutor({ ...options, sandbox: { backend: 'none', ...grant } });
      await expect(creating).rejects.toMatchObject({ code: 'invalid_options', findings: [{ code: 'path_escapes' }] });
    }
    // Named by itself it is what the operator means.
    const executor = await createExecutor({
      ...options,
      sandbox: { backend: 'none', read: [outside, '../outside', 'data'] },
    });
    await executor.close();
  });

  liveTest(wall, 'does not lead a write path to keys: such directories are granted by no name', async () => {
    const home = plant(scratchDirectory(), { '.ssh/authorized_keys': '', '.gnupg/x': '', '.npmrc': '' });
    for (const name of ['.ssh', '.ssh/authorized_keys', '.gnupg', '.npmrc']) {
      expect(await run('echo ran', { policy: { writePaths: [join(home, name)] } })).toMatchObject(refused);
    }
  });
});

describe('links and names in a granted directory', () => {
  liveTest(wall, 'a read-only file cannot be linked into it, nor moved there', async () => {
    const { project } = neighbours();
    plant(project, { 'out/': '', 'data/.env': canary });
    const ran = await run(
      `for file in hook.sh data/a.txt data/.env /usr/bin/env /etc/passwd /proc/self/environ; do
         ln $file out/hard 2>/dev/null && echo "LINKED $file"; mv $file out/moved 2>/dev/null && echo "MOVED $file"
         rm -f out/hard out/moved
       done; mv data out/ 2>/dev/null && echo MOVED; echo end`,
      { policy: { project: 'read', projectRoot: project, writePaths: [join(project, 'out')] } },
    );
    expect(ran.out).toBe('end\n');
    expect(readFileSync(join(project, 'hook.sh'), 'utf8')).toBe('echo mine');
  });

  liveTest(wall, 'a hard link of the host into it is the file itself: what is linked there is granted', async () => {
    const { project, outside } = neighbours();
    plant(project, { 'out/': '' });
    linkSync(join(outside, 'a.txt'), join(project, 'out/linked'));
    const policy = { project: 'read', projectRoot: project, writePaths: [join(project, 'out')] } as const;
    expect((await run('cat out/linked', { policy })).out).toBe(canary);
  });

  liveTest(wall, 'a directory that is renamed on the host while a handler runs lends it nothing else', async () => {
    const { root, project, outside } = neighbours();
    plant(project, { 'out/': '' });
    const policy = { writePaths: [join(project, 'out')] };
    const waiting = run(
      `cd ${project}/out; echo > ready; n=0; until [ -e go ] || [ $n = 1000 ]; do sleep 0.02; n=$((n+1)); done
       cat ../../outside/a.txt ${root}/outside/a.txt ${project}/out/a.txt 2>/dev/null; echo x > ${project}/out/x; ls ..`,
      { policy },
    );
    const out = join(project, 'out');
    while (!readdirSync(out).includes('ready')) await new Promise((resolve) => setTimeout(resolve, 10));
    renameSync(out, join(root, 'moved'));
    symlinkSync(outside, out);
    plant(join(root, 'moved'), { go: '' });
    expect(await waiting).toMatchObject({ kind: 'ran', out: 'out\n' });
    expect(readdirSync(outside)).toEqual(['a.txt']);
    expect(readdirSync(join(root, 'moved')).toSorted()).toEqual(['go', 'ready', 'x']);
  });
});
