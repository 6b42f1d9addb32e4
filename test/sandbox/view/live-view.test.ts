import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';

import { bubblewrap, linux, liveTest, program } from '../../support/capability.ts';
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
