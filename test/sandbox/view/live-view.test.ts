import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';

import { setAsidePlanted } from '../../../src/sandbox/view/planted.ts';
import { bubblewrap, linux, liveTest, program, root as asRoot } from '../../support/capability.ts';
import { plant, policyOf, runInView, scratchDirectory, shellInView } from '../../support/view.ts';

const wall = [linux, bubblewrap];

liveTest(wall, 'the project is readable at its own path and nothing of it can be changed', async () => {
  const root = plant(scratchDirectory(), { 'a/b.txt': 'hello' });
  const ran = await shellInView(
    policyOf({ project: 'read', projectRoot: root }),
    `cat ${root}/a/b.txt; pwd; for target in new a/new; do (echo x > $target) 2>/dev/null && echo WROTE $target; done
     rm -f a/b.txt 2>/dev/null; mv a c 2>/dev/null; chmod 777 a 2>/dev/null; true`,
  );
  expect(ran.stdout).toBe(`hello${root}\n`);
  expect(readdirSync(root)).toEqual(['a']);
});

liveTest(wall, 'nothing outside can be written', async () => {
  const ran = await shellInView(
    policyOf(),
    `for target in /x /usr/x /usr/bin/x /etc/x /dev/x /dev/shm/x /home/x /bin/x /lib/x /proc/sys/kernel/hostname /sys/x /run/x; do
       (echo x > $target) 2>/dev/null && echo WROTE $target
     done; mkdir /y 2>/dev/null && echo MADE; echo fine > /dev/null && echo end`,
  );
  expect(ran.stdout).toBe('end\n');
});

liveTest(
  wall,
  'no file of /proc that the machine shares can be written, and none is readable for root alone',
  async () => {
    const ran = await shellInView(
      policyOf(),
      `find /proc \\( -path '/proc/[0-9]*' -o -path /proc/self -o -path /proc/thread-self \\) -prune -o -type f -print 2>/dev/null |
       while read -r file; do
         # Opened, never written: a failure of this test must not change the machine.
         [ "$file" = /proc/kcore ] || { [ -w "$file" ] && (true >> "$file") 2>/dev/null && echo "WRITABLE $file"; }
       done
     for file in kmsg slabinfo vmallocinfo timer_list kpagecount; do head -c 1 /proc/$file 2>/dev/null; done
     echo end`,
    );
    expect(ran.stdout).toBe('end\n');
  },
);

liveTest(wall, 'secrets of the machine, homes and sockets are not there', async () => {
  const ran = await shellInView(
    policyOf(),
    'ls -A / /etc /home /dev/shm; cat /etc/passwd; id -u; ls -d /etc/shadow /etc/ssl /root /var /run /sys /home/hook/.* 2>/dev/null; true',
  );
  const shown = ran.stdout.split('\n');
  expect(shown).not.toContain('shadow');
  for (const absent of ['root', 'var', 'run', 'sys', 'opt', 'srv', 'mnt', 'boot', 'ssl', 'hosts', 'ssh']) {
    expect(shown).not.toContain(absent);
  }
  expect(ran.stdout).toContain('hook:x:65534:65534:hook:/home/hook:/bin/sh\n65534\n');
});

liveTest(wall, 'process 1 shows neither environment nor options', async () => {
  const ran = await shellInView(
    policyOf({ env: { TOKEN_X: 'canary-value' } }),
    "env | sort; tr '\\0' '\\n' < /proc/1/environ; tr '\\0' '\\n' < /proc/1/cmdline",
  );
  expect(ran.stdout.match(/canary-value/g)).toHaveLength(1);
  expect(ran.stdout).not.toContain('--ro-bind');
  expect(ran.stdout).toContain('HOME=/home/hook\nLANG=C.UTF-8\n');
});

liveTest(wall, 'scratch space is bounded and private', async () => {
  const ran = await shellInView(
    policyOf(),
    `for d in /tmp $HOME; do head -c 3000000 /dev/zero > $d/fill 2>/dev/null || echo full; wc -c < $d/fill; done; ls /tmp`,
  );
  expect(ran.stdout).toBe('full\n1048576\nfull\n1048576\nfill\n');
});

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

liveTest(wall, 'the view "files" holds the listed files alone', async () => {
  const root = plant(scratchDirectory(), { 'a.txt': 'a', 'b/c.txt': 'c', 'b/d.txt': 'd', '.env': 'x' });
  const policy = policyOf({ project: 'files', projectRoot: root, projectFiles: ['a.txt', 'b/c.txt'] });
  const ran = await shellInView(policy, 'pwd; find . -type f | sort; touch new a.txt 2>/dev/null && echo WROTE; true');
  expect(ran.stdout).toBe(`${root}\n./a.txt\n./b/c.txt\n`);
});

liveTest(wall, 'a project that is not in the view leaves the working directory at /', async () => {
  const root = plant(scratchDirectory(), { 'a.txt': 'a' });
  const ran = await shellInView(policyOf({ projectRoot: root }), `pwd; ls ${root} 2>/dev/null`);
  expect(ran.stdout).toBe('/\n');
});

liveTest(
  wall,
  'a granted directory takes new files; configuration in it stays as it is, missing one is set aside',
  async () => {
    const root = plant(scratchDirectory(), { 'out/old.txt': 'old', '.git/HEAD': 'x' });
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
    const ran = await shellInView(
      policy,
      `echo new > out/new.txt; echo changed > out/old.txt; mkdir -p out/x/.claude out/.git/hooks; echo evil > out/x/.claude/settings.json
     (echo evil > .git/HEAD) 2>/dev/null && echo WROTE; (echo evil > agent.json) 2>/dev/null && echo WROTE; true`,
    );
    expect(ran.stdout).toBe('');
    const planted = await setAsidePlanted(ran.facts.writes);
    expect(planted.unchecked).toEqual([]);
    expect(planted.setAside).toHaveLength(2);
    expect(existsSync(join(root, 'out/x/.claude'))).toBe(false);
    expect(existsSync(join(root, 'out/.git'))).toBe(false);
    expect(readFileSync(join(root, 'out/new.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(root, 'out/old.txt'), 'utf8')).toBe('changed\n');
  },
);

liveTest(
  wall,
  'with the project root granted, missing configuration cannot be created, nor existing one changed',
  async () => {
    const root = plant(scratchDirectory(), {
      'src/a.txt': 'a',
      '.git/config': '[core]\n',
      'AGENTS.md': 'mine',
      'plain.txt': 'p',
    });
    symlinkSync('src', join(root, 'link'));
    const before = readdirSync(root).toSorted();
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [root] });
    const ran = await shellInView(
      policy,
      `for name in .claude .hookcell .husky .vscode; do mkdir $name 2>/dev/null && echo MADE $name; done
     for name in .mcp.json agent.json CLAUDE.md AGENTS.md .git/config .git/hooks; do (echo evil > $name) 2>/dev/null && echo WROTE $name; done
     mv .git .git2 2>/dev/null && echo MOVED; mv src src2 2>/dev/null && echo MOVED; rm -f AGENTS.md 2>/dev/null
     ln -s /tmp .cursor 2>/dev/null && echo LINKED; ln .git/config src/hard 2>/dev/null && echo HARD
     echo new > src/new.txt; echo q > plain.txt; cat link/new.txt`,
    );
    expect(ran.stdout).toBe('new\n');
    expect(readdirSync(root).toSorted()).toEqual(before);
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe('mine');
    expect(readFileSync(join(root, 'plain.txt'), 'utf8')).toBe('q\n');
    expect((await setAsidePlanted(ran.facts.writes)).setAside).toEqual([]);
  },
);

liveTest(wall, 'a nested project in a granted directory is closed, and its parents cannot be moved away', async () => {
  const root = plant(scratchDirectory(), { 'packages/x/app/.claude/settings.json': '{}', 'packages/x/app/src/a': '' });
  const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'packages')] });
  const ran = await shellInView(
    policy,
    `cd packages; mkdir x/app/.git 2>/dev/null && echo MADE; mv x y 2>/dev/null && echo MOVED; mv x/app x/b 2>/dev/null && echo MOVED
     (echo evil > x/app/.claude/settings.json) 2>/dev/null && echo WROTE; echo fine > x/app/src/a; echo fine > x/new; echo fine > new`,
  );
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(join(root, 'packages/x/app/.claude/settings.json'), 'utf8')).toBe('{}');
  expect(readdirSync(join(root, 'packages/x/app')).toSorted()).toEqual(['.claude', 'src']);
  expect(readFileSync(join(root, 'packages/x/app/src/a'), 'utf8')).toBe('fine\n');
});

liveTest(
  wall,
  'the script itself is read-only in a granted directory and cannot be moved with its parents',
  async () => {
    const root = plant(scratchDirectory(), { 'tools/deep/er/check.sh': 'echo ran', 'tools/other': '' });
    const script = join(root, 'tools/deep/er/check.sh');
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'tools')] });
    const line = `(echo evil > ${script}) 2>/dev/null && echo WROTE; rm -f ${script} 2>/dev/null && echo GONE
    mv ${script} ${script}2 2>/dev/null && echo MOVED; cd tools; mv deep x 2>/dev/null && echo MOVED; mv deep/er x 2>/dev/null && echo MOVED
    echo fine > deep/er/new; echo fine > other`;
    const ran = await runInView(policy, { argv: ['/bin/sh', '-c', line], cwd: root, binds: [script] });
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(script, 'utf8')).toBe('echo ran');
    expect(existsSync(join(root, 'tools/deep/er/new'))).toBe(true);
  },
);

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

liveTest(wall, 'symbolic links in a granted directory lead nowhere outside the view', async () => {
  const elsewhere = plant(scratchDirectory(), { 'secret.txt': 'canary' });
  const root = plant(scratchDirectory(), { 'out/': '' });
  symlinkSync(elsewhere, join(root, 'out/link'));
  const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
  const ran = await shellInView(
    policy,
    `cat out/link/secret.txt 2>/dev/null; echo evil > out/link/new 2>/dev/null; ln -s ${elsewhere} out/second; cat out/second/secret.txt 2>/dev/null; true`,
  );
  expect(ran.stdout).toBe('');
  expect(readdirSync(elsewhere)).toEqual(['secret.txt']);
});

liveTest(wall, 'a hard link defeats a cover, as the documentation says', async () => {
  const root = plant(scratchDirectory(), { '.env': 'canary' });
  linkSync(join(root, '.env'), join(root, 'innocent.txt'));
  const ran = await shellInView(policyOf({ project: 'read', projectRoot: root }), 'cat .env innocent.txt');
  expect(ran.stdout).toBe('canary');
});

liveTest(wall, 'a secret file that vanishes between search and mount stops the launch', async () => {
  const root = plant(scratchDirectory(), { 'a.txt': 'a' });
  const policy = policyOf({ project: 'read', projectRoot: root });
  const gone = { argv: ['/bin/cat', 'a.txt'] as const, cwd: root, binds: [join(root, 'gone.txt')] };
  const ran = await runInView({ ...policy, project: 'none' }, gone);
  expect(ran.code).not.toBe(0);
  expect(ran.stdout).toBe('');
});

liveTest(wall, 'a project file that is a symbolic link is found under both names', async () => {
  const root = plant(scratchDirectory(), { 'real/a.txt': 'a' });
  symlinkSync(join(root, 'real'), join(root, 'named'));
  const ran = await shellInView(
    policyOf({ project: 'files', projectRoot: root, projectFiles: ['named'] }),
    `cat ${root}/named/a.txt ${root}/real/a.txt`,
  );
  expect(ran.stdout).toBe('aa');
});

liveTest(wall, 'network exists only when it is granted', async () => {
  const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const probe = { argv: ['/bin/cat', '/proc/net/tcp'] as const, cwd: '/', binds: [] };
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  expect((await runInView(policyOf(), probe)).stdout).not.toContain(hex);
  expect((await runInView(policyOf({ network: 'host' }), probe)).stdout).toContain(hex);
  server.close();
});

liveTest([...wall, program('git')], 'git reads the project with the clean copy of its configuration', async () => {
  const root = plant(scratchDirectory(), { 'a.txt': 'a' });
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' });
  git('init', '-q');
  git('remote', 'add', 'origin', 'https://me:canary@example.org/x.git');
  mkdirSync(join(root, 'sub'));
  const ran = await shellInView(
    policyOf({ project: 'read', projectRoot: root }),
    'git -c safe.directory="*" remote -v',
  );
  expect(ran.stdout).toContain('https://example.org/x.git');
  expect(ran.stdout).not.toContain('canary');
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
