import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';

import { bubblewrap, linux, liveTest, program, root as asRoot } from '../../support/capability.ts';
import { plant, policyOf, runInView, scratchDirectory, shellInView } from '../../support/view.ts';

const wall = [linux, bubblewrap];

liveTest(wall, 'well-known secret files are empty, the git config has no credentials, examples are shown', async () => {
  const root = plant(scratchDirectory(), {
    '.env': 'S=canary',
    '.env.example': 'S=example',
    'pkg/.npmrc': 'canary',
    'deploy.key': 'canary',
    '.ssh/anything': 'canary',
    '.git/HEAD': 'ref: refs/heads/main',
    '.git/config': '[remote "o"]\n\turl = https://me:canary@host/x.git\n[http]\n\textraheader = canary\n',
    '.git/modules/sub/HEAD': '',
    '.git/modules/sub/objects/': '',
    '.git/modules/sub/config': '[credential]\n\thelper = canary\n[core]\n\tbare = false\n',
  });
  symlinkSync('/etc/shadow', join(root, 'secret.pem'));
  symlinkSync(join(root, '.env'), join(root, 'other-name'));
  const ran = await shellInView(
    policyOf({ project: 'read', projectRoot: root }),
    'cat .env .env.example pkg/.npmrc deploy.key other-name .git/config .git/modules/sub/config; ls -A .ssh; grep -r canary . ; true',
  );
  expect(ran.code).toBe(0);
  expect(ran.stdout).not.toContain('canary');
  expect(ran.stdout).toContain('S=example');
  expect(ran.stdout).toContain('url = https://host/x.git');
  expect(ran.stderr).not.toContain('ermission denied');
});

liveTest(
  wall,
  'secrets in a granted directory are covered, and what is written there does not reach them',
  async () => {
    const root = plant(scratchDirectory(), { 'out/.env': 'canary' });
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
    const ran = await shellInView(
      policy,
      'cat out/.env; (echo evil > out/.env) 2>/dev/null; mv out/.env out/x 2>/dev/null; ln out/.env out/y 2>/dev/null; cat out/*',
    );
    expect(ran.stdout).toBe('');
    expect(readFileSync(join(root, 'out/.env'), 'utf8')).toBe('canary');
  },
);

liveTest(wall, 'a hard link defeats a cover, as the documentation says', async () => {
  const root = plant(scratchDirectory(), { '.env': 'canary' });
  linkSync(join(root, '.env'), join(root, 'innocent.txt'));
  const ran = await shellInView(policyOf({ project: 'read', projectRoot: root }), 'cat .env innocent.txt');
  expect(ran.stdout).toBe('canary');
});

liveTest([...wall, program('python3')], 'pipes and sockets of the project lead to nobody outside', async () => {
  const root = plant(scratchDirectory(), { 'deep/er/x': '', 'out/': '' });
  const servers = ['stream', 'deep/er/stream'].map((name) => createServer().listen(join(root, name)));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const pipes = ['pipe', 'deep/er/pipe', 'out/pipe'].map((name) => join(root, name));
  execFileSync('mkfifo', pipes);
  // Somebody holds both ends of each, so that nothing waits, and reads what comes.
  const ends = pipes.map((pipe) => openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
  for (const end of ends) writeSync(end, 'canary');
  const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
  const script = `
import os, socket
for pipe in 'pipe', 'deep/er/pipe', 'out/pipe':
    for flags in os.O_RDONLY, os.O_WRONLY, os.O_RDWR:
        try:
            fd = os.open(pipe, flags | os.O_NONBLOCK)
            print(os.read(fd, 9) if flags == os.O_RDONLY else os.write(fd, b'leaked'))
        except OSError as error: print(error.strerror)
for path in 'stream', 'deep/er/stream':
    try: socket.socket(socket.AF_UNIX).connect(path); print('CONNECTED')
    except OSError as error: print(error.strerror)
`;
  const ran = await runInView(policy, { argv: ['/usr/bin/python3', '-c', script], cwd: root, binds: [] });
  const refused = 'Permission denied\n';
  expect(ran.stdout, ran.stderr).toBe(`b''\n${refused}${refused}`.repeat(3) + refused.repeat(2));
  for (const end of ends) {
    const bytes = Buffer.alloc(100);
    expect(bytes.toString('utf8', 0, readSync(end, bytes))).toBe('canary');
    closeSync(end);
  }
  for (const server of servers) server.close();
});

liveTest(
  [...wall, asRoot],
  'a secret in a directory that only another user may enter does not stop the launch',
  async () => {
    const project = plant(scratchDirectory(), {
      'a/theirs/deep/.env': 'canary',
      'a/theirs/x': 'canary',
      'closed/.env': 'canary',
      'open/.env': 'canary',
      'open/x': 'x',
    });
    for (const name of ['a/theirs', 'a/theirs/deep', 'closed', 'open']) chownSync(join(project, name), 12_345, 12_345);
    chmodSync(join(project, 'a/theirs'), 0o700);
    chmodSync(join(project, 'closed'), 0o744);
    for (const writePaths of [[], [join(project, 'a')], [project]]) {
      const policy = policyOf({ project: 'read', projectRoot: project, writePaths });
      const ran = await shellInView(
        policy,
        'cat open/x open/.env; ls a; cat a/theirs/x a/theirs/deep/.env closed/.env 2>/dev/null; true',
      );
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'xtheirs\n' });
    }
  },
);

liveTest(
  [...wall, asRoot],
  'a project in a directory that only another user may enter is refused with a remedy',
  async () => {
    const top = plant(scratchDirectory(), { 'home/project/a': 'a' });
    chownSync(join(top, 'home'), 12_345, 12_345);
    chmodSync(join(top, 'home'), 0o700);
    const policy = policyOf({ project: 'read', projectRoot: join(top, 'home/project') });
    await expect(shellInView(policy, 'cat a')).rejects.toThrow('path_unreachable');
    chmodSync(join(top, 'home'), 0o711);
    expect((await shellInView(policy, 'cat a')).stdout).toBe('a');
  },
);
