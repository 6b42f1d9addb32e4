import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operatorOwned, readOperatorOwned } from '../../../src/executor/operator/operator-owned.ts';
import { liveTest, root as isRoot } from '../../support/capability.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

const project = '/the/project';

/** A directory like that of a user, and a file in it. */
function home(): { readonly directory: string; readonly file: string } {
  const directory = join(plant(scratchDirectory(), { 'home/.config/hookcell/config.json': 'text' }), 'home');
  return { directory, file: join(directory, '.config/hookcell/config.json') };
}

async function read(file: string, projectRoot = project): Promise<string | undefined> {
  const real = await operatorOwned(file, projectRoot);
  return real === undefined ? undefined : readOperatorOwned(real);
}

const refused = (words: string) => ({
  code: 'invalid_configuration',
  message: expect.stringContaining(words),
  findings: [{ code: 'not_the_operators' }],
});

test('a file that only the operator can write is read', async () => {
  expect(await read(home().file)).toBe('text');
});

test('none is none', async () => {
  const { directory } = home();
  expect(await read(join(directory, 'other/config.json'))).toBeUndefined();
  expect(await read(join(home().file, 'config.json'))).toBeUndefined();
});

describe('refused is', () => {
  test.each([0o664, 0o646, 0o777])('a file of mode %o', async (mode) => {
    const { file } = home();
    chmodSync(file, mode);
    await expect(read(file)).rejects.toMatchObject(refused(`chmod go-w '${file}'`));
  });

  test.each(['.config/hookcell', '.config', ''])('a file below a directory that others may write: %s', async (name) => {
    const { directory, file } = home();
    chmodSync(join(directory, name), 0o775);
    await expect(read(file)).rejects.toMatchObject(refused(`chmod go-w '${join(directory, name)}'`));
  });

  test('all that a umask of 002 left open, at once and with one command', async () => {
    const { directory, file } = home();
    const open = [file, join(directory, '.config/hookcell'), join(directory, '.config'), directory];
    chmodSync(file, 0o664);
    for (const path of open.slice(1)) chmodSync(path, 0o775);
    const command = `; run: chmod go-w ${open.map((path) => `'${path}'`).join(' ')}`;
    await expect(read(file)).rejects.toMatchObject(refused(command));
    await expect(read(file)).rejects.toMatchObject(refused(`${open[2]} may be changed by others (mode 775)`));
  });

  liveTest(isRoot, 'what belongs to another user and what others may change, with one command', async () => {
    const { directory, file } = home();
    chownSync(file, 65_534, 65_534);
    chmodSync(directory, 0o775);
    await expect(read(file)).rejects.toMatchObject(refused(`; run: chown 0 '${file}' && chmod go-w '${directory}'`));
  });

  test('a device, without advice to change its mode', async () => {
    await expect(read('/dev/null')).rejects.toMatchObject(refused('regular file'));
  });

  liveTest(isRoot, 'a file of another user', async () => {
    const { file } = home();
    chownSync(file, 65_534, 65_534);
    await expect(read(file)).rejects.toMatchObject(refused('belongs to user 65534'));
  });

  liveTest(isRoot, 'a file in a directory of another user', async () => {
    const { directory, file } = home();
    chownSync(directory, 65_534, 65_534);
    await expect(read(file)).rejects.toMatchObject(refused('belongs to user 65534'));
  });

  test('a file in the project', async () => {
    const { directory, file } = home();
    await expect(read(file, directory)).rejects.toMatchObject(refused('outside the project'));
    await expect(read(file, '/')).rejects.toMatchObject(refused('outside the project'));
  });

  test('a link in the project to a file outside, and a link outside to a file in the project', async () => {
    const { directory, file } = home();
    const inProject = plant(join(directory, 'project'), { 'cfg/config.json': 'hostile', 'x/': '' });
    symlinkSync(file, join(inProject, 'x/config.json'));
    await expect(read(join(inProject, 'x/config.json'), inProject)).rejects.toMatchObject(
      refused('outside the project'),
    );
    symlinkSync(join(inProject, 'cfg'), join(directory, 'cfg'));
    await expect(read(join(directory, 'cfg/config.json'), inProject)).rejects.toMatchObject(
      refused('outside the project'),
    );
  });

  test('a link that leads nowhere: what it named may have forbidden something', async () => {
    const { directory } = home();
    symlinkSync('gone', join(directory, 'config.json'));
    await expect(read(join(directory, 'config.json'))).rejects.toMatchObject(refused('leads nowhere'));
  });

  test('what is no text', async () => {
    const { directory, file } = home();
    writeFileSync(file, Buffer.from([0xff, 0xfe]));
    await expect(read(file)).rejects.toMatchObject(refused('UTF-8'));
    mkdirSync(join(directory, 'config.json'));
    await expect(read(join(directory, 'config.json'))).rejects.toMatchObject(refused('regular file'));
  });

  test('a file without an end', async () => {
    const { file } = home();
    writeFileSync(file, Buffer.alloc(4 * 1024 * 1024 + 1, 32));
    await expect(read(file)).rejects.toMatchObject(refused('at most'));
  });
});

test('a link of the operator is followed, to a place that is the operator’s as well', async () => {
  const { directory, file } = home();
  symlinkSync(file, join(directory, 'config.json'));
  expect(await read(join(directory, 'config.json'))).toBe('text');
  chmodSync(join(directory, '.config'), 0o777);
  await expect(read(join(directory, 'config.json'))).rejects.toMatchObject(refused('.config'));
});
