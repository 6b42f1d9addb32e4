import { spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';

import { createSandbox } from '../../src/sandbox/index.ts';
import { bubblewrap, liveTest, linux, root } from '../support/capability.ts';
import { handler, probe, python } from '../support/probe.ts';
import { requestOf, sandboxOfFile, withText, type RunOverrides } from '../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const run = sandboxOfFile();
const wall = [linux, bubblewrap];
const attack = [...wall, python];
const canary = 'canary-5f0c3a';
const runOnce = resolve(import.meta.dirname, '../fixtures/hosts/run-once.mjs');

/** Runs a command with a host process of its own, which has its own environment, directory and descriptors. */
async function fromHost(
  command: readonly [string, ...string[]],
  host: { readonly env?: Record<string, string>; readonly cwd?: string; readonly stdio?: StdioOptions },
  overrides: RunOverrides = {},
): Promise<{ kind: string; out: string; err: string }> {
  const request = JSON.stringify(requestOf(command, overrides));
  const child = spawn(process.execPath, [runOnce, request], {
    env: host.env ?? {},
    cwd: host.cwd ?? '/',
    stdio: host.stdio ?? ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(text);
}

/** Everything about processes that the inside can read. */
const readProcesses = ['environ', 'cmdline', 'comm', 'stat', 'status', 'maps', 'mountinfo', 'cgroup', 'auxv']
  .map((file) => `cat /proc/[0-9]*/${file} 2>/dev/null`)
  .join('; ');

describe('the host process', () => {
  liveTest(wall, 'its environment, command line and working directory are nowhere inside', async () => {
    const directory = mkdtempSync(join(scratchDirectory(), `${canary}-`));
    const env = {
      SECRET_TOKEN: canary,
      PWD: directory,
      OLDPWD: directory,
      HOME: directory,
      LD_LIBRARY_PATH: `/${canary}`,
      PATH: `/${canary}`,
    };
    const ran = await fromHost(
      ['/bin/sh', '-c', `env; ${readProcesses}; ls -l /proc/[0-9]*/fd /proc/[0-9]*/cwd /proc/[0-9]*/root`],
      { env, cwd: directory },
    );
    expect(ran.kind).toBe('ran');
    expect(ran.out).toContain('HOME=/home/hook');
    expect(ran.out).not.toContain(canary);
  });

  liveTest(wall, 'the environment is what was granted and nothing more, and the first process has none', async () => {
    const ran = await run('env | cut -d= -f1 | sort; wc -c < /proc/1/environ', { policy: { env: { GRANTED: 'x' } } });
    expect(ran.out.trim().split('\n')).toEqual([
      'GIT_DISCOVERY_ACROSS_FILESYSTEM',
      'GRANTED',
      'HOME',
      'LANG',
      'PATH',
      'PWD',
      'PYTHONSAFEPATH',
      'PYTHONUTF8',
      'TMPDIR',
      '0',
    ]);
  });

  liveTest(wall, 'a granted value is in no command line and in no option that the inside can read', async () => {
    const ran = await run('for p in /proc/[0-9]*; do cat $p/cmdline; done', { policy: { env: { GRANTED: canary } } });
    expect(ran.out).toContain('bwrap');
    expect(ran.out).not.toContain(canary);
  });

  liveTest(wall, 'granted names that load code are dropped', async () => {
    const env = {
      LD_PRELOAD: '/tmp/x.so',
      LD_AUDIT: '/tmp/x.so',
      NODE_OPTIONS: '--require=/tmp/x',
      BASH_ENV: '/tmp/x',
      ENV: '/tmp/x',
      PYTHONPATH: '/tmp',
      PERL5OPT: '-Mx',
      GIT_SSH_COMMAND: 'x',
      PATH: '/tmp',
      HOME: '/root',
    };
    const ran = await run('env | sort', { policy: { env } });
    expect(ran.out).toBe(
      'GIT_DISCOVERY_ACROSS_FILESYSTEM=1\nHOME=/home/hook\nLANG=C.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\nPWD=/\nPYTHONSAFEPATH=1\nPYTHONUTF8=1\nTMPDIR=/tmp\n',
    );
  });

  liveTest(attack, 'descriptors that leaked into it before it started are not handed on', async () => {
    const secret = join(scratchDirectory(), canary);
    writeFileSync(secret, canary);
    const leaked = openSync(secret, 'r+');
    onTestFinished(() => closeSync(leaked));
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    for (const descriptor of [3, 4, 5, 6, 7, 42, 251]) {
      while (stdio.length < descriptor) stdio.push('ignore');
      stdio[descriptor] = leaked;
    }
    const seen = spawnSync('/bin/ls', ['-l', '/proc/self/fd'], { stdio: stdio.with(1, 'pipe'), encoding: 'utf8' });
    expect(seen.stdout.split(canary)).toHaveLength(8);
    const script = handler('descriptors.py');
    const ran = await fromHost([python.path, '-I', script], { stdio }, { program: { binds: [script] } });
    const found: Record<string, string> = JSON.parse(ran.out);
    expect(found['self/251']).toBe('/dev/null');
    const others = Object.values(found).filter(
      (target) =>
        target !== '/dev/null' && !/\/pipe-\d+ \(deleted\)$|^pipe:|^anon_inode:\[eventfd\]$|^\/proc\//.test(target),
    );
    expect(others).toEqual([]);
    const text = await fromHost(
      [
        '/bin/sh',
        '-c',
        'for fd in /proc/[0-9]*/fd/*; do case $fd in */[012]) ;; *) timeout 1 cat $fd 2>/dev/null;; esac; done',
      ],
      { stdio },
    );
    expect(text.out).not.toContain(canary);
  });

  liveTest(attack, 'nothing can be typed into its terminal', async () => {
    const script = handler('type-into-terminal.py');
    const request = JSON.stringify(requestOf([python.path, '-I', script], { program: { binds: [script] } }));
    const host = resolve(import.meta.dirname, '../fixtures/hosts/on-a-terminal.py');
    const ran = spawnSync(python.path, ['-I', host, process.execPath, runOnce, request], {
      encoding: 'utf8',
      env: {},
      timeout: 50_000,
    });
    expect(ran.stderr).toBe('');
    const { written, typed } = JSON.parse(ran.stdout);
    expect(written).toContain('"kind":"ran","exit":{"code":0,"signal":null},"out":"0","err":""');
    expect(typed).toBe(0);
  });
});

describe('files of the machine', () => {
  liveTest(wall, 'passwords, homes, keys and histories are not there', async () => {
    const home = mkdtempSync(join(homedir(), '.hookcell-test-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    plant(home, { '.ssh/id_ed25519': canary });
    const ran = await run(
      `cat ${home}/.ssh/id_ed25519 ~root/.ssh/* ~/.ssh/* /etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/* /etc/machine-id /etc/hostname 2>/dev/null
       ls -d ${home} ${homedir()} /root /var /run /srv /opt /mnt /media /boot 2>/dev/null; ls /home; hostname; cut -d: -f1 /etc/passwd`,
    );
    expect(ran.out).toBe('hook\nsandbox\nhook\n');
  });

  liveTest(
    [...wall, root],
    'what only root may read in the system tree stays unread although the owner inside is root',
    async () => {
      const ran = await run(
        'find /usr /etc -type f ! -perm -o+r 2>/dev/null | while read -r f; do head -c 1 "$f" >/dev/null 2>&1 && echo "$f"; done | grep -E "shadow|ssl/private|key" ; echo end',
      );
      expect(ran.out).toBe('end\n');
    },
  );

  liveTest(wall, 'a project in /tmp shows no other file of /tmp', async () => {
    const project = plant(scratchDirectory(), { 'a.txt': 'a' });
    const neighbour = plant(scratchDirectory(), { secret: canary });
    const ran = await run(`cat a.txt ${neighbour}/secret 2>/dev/null; ls /tmp`, {
      policy: { project: 'read', projectRoot: project },
    });
    expect(ran.out).toBe(`a${project.split('/')[2]}\n`);
  });

  liveTest(wall, 'a project in the home directory shows nothing else of the home', async () => {
    const home = mkdtempSync(join(homedir(), '.hookcell-test-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    plant(home, { 'project/a.txt': 'a', secret: canary });
    const ran = await run(`cat a.txt ../secret 2>/dev/null; ls -A .. ${homedir()}`, {
      policy: { project: 'read', projectRoot: join(home, 'project') },
    });
    expect(ran.out).toBe(`a..:\nproject\n\n${homedir()}:\n${home.slice(homedir().length + 1)}\n`);
  });

  liveTest(wall, 'a project named through a symbolic link is the same project', async () => {
    const directory = plant(scratchDirectory(), { 'real/a.txt': 'a', 'real/.env': canary, secret: canary });
    symlinkSync('real', join(directory, 'link'));
    const ran = await run('pwd; cat a.txt .env ../secret ../real/.env ../link/.env 2>/dev/null', {
      policy: { project: 'read', projectRoot: join(directory, 'link') },
      program: { cwd: join(directory, 'real') },
    });
    expect(ran.out).toBe(`${directory}/real\na`);
  });

  liveTest(wall, 'the whole machine, all homes and the sandbox’s own places are refused as a project', async () => {
    for (const projectRoot of ['/', '/home', '/tmp', '/proc', '/dev', '/etc', '/sys']) {
      const ran = await run('echo ran', { policy: { project: 'read', projectRoot } });
      expect({ projectRoot, kind: ran.kind, out: ran.out }).toEqual({ projectRoot, kind: 'not-built', out: '' });
    }
  });

  liveTest(wall, 'secret files of the project are empty by every way that leads to them', async () => {
    const project = plant(scratchDirectory(), {
      '.env': canary,
      'deep/er/.npmrc': canary,
      'key.pem': canary,
      '.ssh/id_rsa': canary,
      'plain.txt': 'plain',
    });
    symlinkSync('.env', join(project, 'alias'));
    symlinkSync('/proc/self/cwd/.env', join(project, 'by-cwd'));
    const ran = await run(
      `cat .env deep/er/.npmrc key.pem .ssh/* alias by-cwd /proc/self/cwd/.env /proc/1/root${project}/.env /proc/self/root${project}/key.pem plain.txt 2>/dev/null
       mv .env x 2>/dev/null; rm -f .env 2>/dev/null; cp -r . /tmp/copy 2>/dev/null; grep -r ${canary} /tmp ${project}; umount .env 2>/dev/null && cat .env`,
      { policy: { project: 'read', projectRoot: project } },
    );
    expect(ran.out).toBe('plain');
  });
});

describe('what belongs to hookcell', () => {
  liveTest(wall, 'its runtime directory is empty even inside a project that holds it', async () => {
    const project = plant(scratchDirectory(), {
      'run/': '',
      '.git/config': `[core]\n\tx = 1\n[remote "o"]\n\turl = https://me:${canary}@h/x\n`,
      '.git/HEAD': '',
    });
    const sandbox = createSandbox({ backend: 'auto', runtimeBase: join(project, 'run') });
    onTestFinished(() => sandbox.close());
    const policy = { project: 'read', projectRoot: project } as const;
    const ran = withText(
      await sandbox.run(requestOf('find run -mindepth 2 | head; ls run | wc -l; cat .git/config', { policy })),
    );
    expect(ran.out).toBe('1\n[core]\n\tx = 1\n[remote "o"]\n\turl = https://h/x\n');
    expect(readdirSync(join(project, 'run', readdirSync(join(project, 'run'))[0] ?? ''))).toContain('filter-none');
    const writing = await sandbox.run(
      requestOf('echo ran', { policy: { ...policy, writePaths: [join(project, 'run')] } }),
    );
    expect(writing).toMatchObject({ kind: 'not-built', exit: { code: null } });
  });

  liveTest(wall, 'a handler that opens its pipes the other way round reaches no other run', async () => {
    const other = run('cat; echo other; sleep 1', { stdin: canary });
    const ran = await run(
      'exec 3<>/proc/self/fd/1 4<>/proc/self/fd/0; echo forged >&4; timeout 1 cat <&3 >&2; timeout 1 cat <&4 >&2; true',
    );
    expect(ran.err).not.toMatch(/canary|other/);
    expect((await other).out).toBe(`${canary}other\n`);
  });

  liveTest(attack, 'no descriptor of the wall is open inside', async () => {
    const found = await probe(run, 'descriptors.py');
    // A descriptor that leaked into this very process is displaced by /dev/null.
    const others = Object.entries(Object(found)).filter(
      ([name, target]) => !/\/[012]$/.test(name) && target !== '/dev/null',
    );
    expect(others.filter(([name]) => name.startsWith('self/'))).toEqual([]);
    expect(others.map(([, target]) => target)).toEqual(others.length === 0 ? [] : ['anon_inode:[eventfd]']);
  });
});
