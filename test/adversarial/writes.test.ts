import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';

import { createSandbox } from '../../src/sandbox/index.ts';
import { bubblewrap, liveTest, linux } from '../support/capability.ts';
import { probe, python } from '../support/probe.ts';
import { requestOf, sandboxOfFile, withText } from '../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const run = sandboxOfFile();
const wall = [linux, bubblewrap];
const MiB = 1_048_576;

describe('what was not granted', () => {
  liveTest(wall, 'nothing is created, changed, removed or renamed outside the scratch directories', async () => {
    const project = plant(scratchDirectory(), { 'a.txt': 'a', 'hook.sh': 'true', 'dir/b.txt': 'b' });
    const script = join(project, 'hook.sh');
    const directories = `/ /usr /usr/bin /usr/lib /bin /sbin /lib /etc /etc/alternatives /dev /dev/shm /dev/pts /home /proc /proc/self /proc/sys/kernel ${project} ${project}/dir`;
    const ran = await run(
      `for d in ${directories}; do
         (echo x > $d/new) 2>/dev/null && echo "CREATED $d"; mkdir $d/newdir 2>/dev/null && echo "MADE $d"; ln -s x $d/link 2>/dev/null && echo "LINKED $d"
       done
       for f in ${script} ${project}/a.txt /usr/bin/env /etc/passwd /etc/ld.so.cache /bin/sh /usr/bin/bwrap; do
         (echo x >> $f) 2>/dev/null && echo "WROTE $f"; rm -f $f 2>/dev/null && echo "REMOVED $f"; mv $f $f.2 2>/dev/null && echo "MOVED $f"
         chmod 777 $f 2>/dev/null && echo "CHMOD $f"; touch -d 2001-01-01 $f 2>/dev/null && echo "TOUCHED $f"; truncate -s 0 $f 2>/dev/null && echo "CUT $f"
       done
       echo fine > /tmp/x && echo fine > $HOME/x && cat /tmp/x`,
      { policy: { project: 'read', projectRoot: project }, program: { binds: [script] } },
    );
    expect(ran.out).toBe('fine\n');
    expect(readdirSync(project).toSorted()).toEqual(['a.txt', 'dir', 'hook.sh']);
  });

  liveTest(
    [...wall, python],
    'neither the sandbox nor an interpreter can be overwritten through the file that it runs from',
    async () => {
      const answers = await probe(run, 'overwrite-programs.py');
      // EROFS or ETXTBSY, never 0.
      expect(Object.values(Object(answers)).filter((code) => code !== 30 && code !== 26)).toEqual([]);
    },
  );

  liveTest(wall, 'the script of a run stays as it is although its directory is granted', async () => {
    const project = plant(scratchDirectory(), { 'tools/hook.sh': 'echo one', 'tools/other': '' });
    const script = join(project, 'tools/hook.sh');
    const line = `echo evil > ${script}; rm -f ${script}; mv ${script} ${script}.2; ln -sf other ${script}; mv ${project}/tools ${project}/t2; echo done`;
    const ran = await run(line, { policy: { writePaths: [join(project, 'tools')] }, program: { binds: [script] } });
    expect(ran.out).toBe('done\n');
    expect(readFileSync(script, 'utf8')).toBe('echo one');
    expect(readdirSync(join(project, 'tools')).toSorted()).toEqual(['hook.sh', 'other']);
  });
});

describe('configuration that something else obeys', () => {
  const names = [
    '.claude/settings.json',
    '.git/hooks/pre-commit',
    '.hookcell/agent.json',
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.cursor/mcp.json',
    '.codex/config.toml',
    '.gemini/settings.json',
  ];
  const files = ['agent.json', '.mcp.json', '.envrc', 'CLAUDE.md', 'AGENTS.md', '.bashrc', 'lefthook.yml'];

  liveTest(wall, 'is not left behind under its name in a granted directory, and the run says so', async () => {
    const project = plant(scratchDirectory(), { 'out/': '' });
    const out = join(project, 'out');
    const ran = await run(
      `cd ${out}; for f in ${names.join(' ')}; do mkdir -p $(dirname $f) deep/$(dirname $f); echo evil > $f; echo evil > deep/$f; done
       for f in ${files.join(' ')}; do echo evil > $f; echo evil > deep/$f; done; ln -s /etc .CLAUDE; echo kept > result.txt`,
      { policy: { writePaths: [out] } },
    );
    expect(ran).toMatchObject({ kind: 'ran', exit: { code: 0 } });
    for (const directory of [out, join(out, 'deep')]) {
      for (const name of [...names, ...files]) expect(existsSync(join(directory, name))).toBe(false);
    }
    expect(readFileSync(join(out, 'result.txt'), 'utf8')).toBe('kept\n');
    expect(ran.notes?.length).toBe(2 * (names.length + files.length) + 1);
  });

  liveTest(wall, 'is set aside also after a run that was ended by its deadline', async () => {
    const project = plant(scratchDirectory(), { 'out/': '' });
    const out = join(project, 'out');
    const ran = await run(`mkdir ${out}/.claude; echo evil > ${out}/.claude/settings.json; sleep 30`, {
      policy: { writePaths: [out] },
      limits: { timeoutMs: 1_500 },
    });
    expect(ran.killed).toBe('timeout');
    expect(existsSync(join(out, '.claude'))).toBe(false);
  });

  liveTest(wall, 'cannot be made or changed where the project itself is granted', async () => {
    const project = plant(scratchDirectory(), { '.git/config': '[core]\n', 'agent.json': '{}', 'src/a.txt': 'a' });
    const before = readdirSync(project).toSorted();
    const ran = await run(
      `for f in ${[...names, ...files].join(' ')}; do mkdir -p $(dirname $f) 2>/dev/null; (echo evil > $f) 2>/dev/null && echo "WROTE $f"; done; echo b > src/a.txt; echo end`,
      { policy: { project: 'read', projectRoot: project, writePaths: [project] } },
    );
    expect(ran.out).toBe('end\n');
    expect(readdirSync(project).toSorted()).toEqual(before);
    expect(readFileSync(join(project, 'agent.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(project, 'src/a.txt'), 'utf8')).toBe('b\n');
  });

  liveTest(wall, 'cannot be granted', async () => {
    const project = plant(scratchDirectory(), Object.fromEntries([...names, ...files].map((name) => [name, 'mine'])));
    for (const name of [...names.flatMap((path) => [path, path.split('/')[0] ?? '']), ...files]) {
      const policy = { project: 'read', projectRoot: project, writePaths: [join(project, name)] } as const;
      expect({ name, kind: (await run('echo evil', { policy })).kind }).toEqual({ name, kind: 'not-built' });
    }
  });

  liveTest(wall, 'system directories, devices and what holds the project cannot be granted', async () => {
    const project = plant(scratchDirectory(), { 'a.txt': 'a' });
    for (const path of [
      '/',
      '/usr',
      '/etc',
      '/etc/alternatives',
      '/dev',
      '/dev/shm',
      '/proc',
      '/sys',
      '/tmp',
      '/run',
      '/home',
      '/boot',
      '/dev/null',
      join(project, '..'),
    ]) {
      const policy = { project: 'read', projectRoot: project, writePaths: [path] } as const;
      expect({ path, kind: (await run('echo evil', { policy })).kind }).toEqual({ path, kind: 'not-built' });
    }
  });
});

describe('amounts', () => {
  liveTest(wall, 'scratch space takes its size and no more, in /tmp and in HOME', async () => {
    const ran = await run(
      'for d in /tmp $HOME; do head -c 9000000 /dev/zero > $d/a 2>/dev/null; head -c 9000000 /dev/zero > $d/b 2>/dev/null; cat $d/a $d/b | wc -c; done',
      { limits: { tmpBytes: 2 * MiB } },
    );
    expect(ran.out).toBe(`${2 * MiB}\n${2 * MiB}\n`);
  });

  liveTest(wall, 'scratch space counts as memory, so that it cannot hold more than the memory limit', async () => {
    const ran = await run(
      'head -c 200000000 /dev/zero > /tmp/a; head -c 200000000 /dev/zero > $HOME/b; echo survived',
      {
        limits: { tmpBytes: 1024 * MiB, maxFileBytes: 1024 * MiB, memoryBytes: 64 * MiB },
      },
    );
    if (ran.sandbox.enforced.memory.startsWith('cgroup')) expect(ran).toMatchObject({ memoryLimitHit: true, out: '' });
    // Without a cgroup only the size bounds it, which the report says.
    else expect(ran).toMatchObject({ sandbox: { enforced: { memory: 'rlimit' } }, out: 'survived\n' });
  });

  liveTest(wall, 'no file grows beyond its bound, in scratch space or in a granted directory', async () => {
    const out = scratchDirectory();
    const ran = await run(`head -c 9000000 /dev/zero > ${out}/a; head -c 9000000 /dev/zero > /tmp/a; echo end`, {
      policy: { writePaths: [out] },
      limits: { tmpBytes: 16 * MiB, maxFileBytes: MiB },
    });
    expect(ran.out).toBe('end\n');
    expect(statSync(join(out, 'a')).size).toBe(MiB);
  });
});

describe('a granted directory', () => {
  liveTest(wall, 'takes no program with the privileges of its owner', async () => {
    const out = scratchDirectory();
    writeFileSync(join(out, 'before'), '', { mode: 0o755 });
    const ran = await run(
      `cd ${out}; cp /bin/cat own; chmod 6755 own 2>/dev/null; chmod u+s before 2>/dev/null; install -m 4755 /bin/cat installed 2>/dev/null
       umask 0; mkdir -m 2777 shared 2>/dev/null; perl -e 'use Fcntl; sysopen(F, "opened", O_CREAT | O_WRONLY, 04755); mkdir "made", 02777' 2>/dev/null; echo end`,
      { policy: { writePaths: [out] } },
    );
    expect(ran.out).toBe('end\n');
    const special = readdirSync(out).filter((name) => (statSync(join(out, name)).mode & 0o6000) !== 0);
    expect(special).toEqual([]);
  });

  liveTest(wall, 'of one sandbox object is not a way into the runtime directory of another', async () => {
    const base = scratchDirectory();
    const other = createSandbox({ backend: 'auto', runtimeBase: base });
    try {
      const [name = ''] = readdirSync(base);
      const ran = withText(await other.run(requestOf('echo ran', { policy: { writePaths: [join(base, name)] } })));
      expect(ran).toMatchObject({ kind: 'not-built', out: '' });
    } finally {
      await other.close();
    }
  });
});
