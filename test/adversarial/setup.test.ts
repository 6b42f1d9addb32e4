import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';

import { createSandbox, resolveProgram, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { bubblewrap, linux, liveTest, program, root } from '../support/capability.ts';
import { resultsOf, startHost } from '../support/host.ts';
import { requestOf, sandboxOfFile, withText, type RanInside, type RunOverrides } from '../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const wall = [linux, bubblewrap];
const run = sandboxOfFile();

function sandboxOfTest(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = createSandbox({ backend: 'auto', armedSlots: 0, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function runOn(sandbox: Sandbox, line: string, overrides: RunOverrides = {}): Promise<RanInside> {
  return withText(await sandbox.run(requestOf(line, overrides)));
}

describe('bubblewrap', () => {
  liveTest(linux, 'that is missing: nothing runs, and the remedy is said', async () => {
    const sandbox = sandboxOfTest({ bubblewrapPath: '/no/such/bwrap' });
    const ran = await runOn(sandbox, 'echo started');
    expect(ran).toMatchObject({ kind: 'unavailable', out: '', exit: { code: null } });
    expect(ran.detail).toContain('/no/such/bwrap: missing');
    expect(ran.remedy).toContain('apt-get install bubblewrap');
    const { backends, selected } = await sandbox.capabilities();
    expect(selected).toBeUndefined();
    expect(backends[0]).toMatchObject({ available: false, unavailable: { code: 'bwrap_missing' } });
  });

  liveTest(linux, 'that somebody else than root could replace is not started', async () => {
    const directory = scratchDirectory();
    const fake = join(directory, 'bwrap');
    plant(directory, { bwrap: `#!/bin/sh\necho started > ${directory}/witness\n` });
    if (root.present) chownSync(fake, 65_534, 65_534);
    const owned = await runOn(sandboxOfTest({ bubblewrapPath: fake }), 'echo started');
    expect(owned).toMatchObject({ kind: 'unavailable', out: '' });
    expect(owned.detail).toMatch(/owned by user \d+, not by root/u);
    expect(existsSync(join(directory, 'witness'))).toBe(false);
  });

  liveTest([linux, root], 'that everybody may write to is not started', async () => {
    const directory = plant(scratchDirectory(), { bwrap: '#!/bin/sh\ntouch witness\n' });
    chmodSync(join(directory, 'bwrap'), 0o777);
    const ran = await runOn(sandboxOfTest({ bubblewrapPath: join(directory, 'bwrap') }), 'echo started');
    expect(ran).toMatchObject({ kind: 'unavailable', out: '' });
    expect(ran.detail).toContain('writable for others than root');
  });

  liveTest(wall, 'and the launcher\u2019s own programs are never taken from PATH or the project', async () => {
    const project = scratchDirectory();
    const names = ['bwrap', 'sh', 'mkfifo', 'cat', 'env', 'node'];
    plant(
      project,
      Object.fromEntries(names.map((name) => [name, `#!/bin/sh\necho ${name} >> ${project}/witness\nexit 0\n`])),
    );
    const host = startHost(
      {},
      [requestOf('echo genuine', { policy: { project: 'read', projectRoot: project } })],
      ['/usr/bin/env', '-C', project, `PATH=${project}:.:${process.env['PATH']}`],
    );
    expect(await resultsOf(host)).toMatchObject([{ kind: 'ran', stdout: 'genuine\n' }]);
    expect(existsSync(join(project, 'witness'))).toBe(false);
  });
});

describe('a machine that refuses', () => {
  const unshare = program('unshare');
  const request = requestOf('echo started');

  liveTest([...wall, unshare], 'user namespaces: nothing runs, and a remedy is said', async () => {
    const line = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
    const host = startHost({}, [request], [unshare.path, '--user', '--map-root-user', '/bin/sh', '-c', line, 'sh']);
    const [result] = await resultsOf(host);
    expect(result).toMatchObject({ kind: 'unavailable', stdout: '' });
    // Inside a user namespace other things can be missing first: which words go with what is the matter of setup-failure.test.ts.
    expect(result?.remedy).toMatch(/\w/u);
  });

  liveTest(
    [...wall, unshare, root],
    'a new /proc, since its own is masked: nothing runs, and the option is named',
    async () => {
      const line = 'mount -t tmpfs none /proc/irq && exec "$@"';
      const host = startHost({}, [request], [unshare.path, '--mount', '/bin/sh', '-c', line, 'sh']);
      const [result] = await resultsOf(host);
      expect(result).toMatchObject({ kind: 'unavailable', stdout: '' });
      expect(result?.remedy).toContain('systempaths=unconfined');
    },
  );

  liveTest(wall, 'a working directory, since it was deleted: handlers run all the same', async () => {
    const directory = scratchDirectory();
    const host = startHost({}, [requestOf('pwd')], ['/bin/sh', '-c', `cd "$0" && rmdir "$0" && exec "$@"`, directory]);
    expect(await resultsOf(host)).toMatchObject([{ kind: 'ran', stdout: '/\n' }]);
  });
});

describe('what the launcher keeps for itself', () => {
  const filters = { empty: '', garbage: 'not a filter', 'of the right size': 'x'.repeat(64), short: '\0'.repeat(7) };
  for (const [what, text] of Object.entries(filters)) {
    liveTest(wall, `a system call filter that is ${what} builds no sandbox`, async () => {
      const runtimeBase = scratchDirectory();
      const sandbox = sandboxOfTest({ runtimeBase });
      expect(await runOn(sandbox, 'echo started')).toMatchObject({ kind: 'ran', out: 'started\n' });
      const filter = join(runtimeBase, readdirSync(runtimeBase)[0] ?? '', 'filter-none');
      chmodSync(filter, 0o600);
      writeFileSync(filter, text, 'latin1');
      const ran = await runOn(sandbox, 'echo started');
      expect(['not-built', 'unavailable']).toContain(ran.kind);
      expect(ran).toMatchObject({ out: '', exit: { code: null, signal: null } });
    });
  }

  liveTest(wall, 'a runtime directory that was removed is an error in words, and no hang', async () => {
    const runtimeBase = scratchDirectory();
    const sandbox = sandboxOfTest({ runtimeBase, armedSlots: 1 });
    await runOn(sandbox, 'true');
    for (const name of readdirSync(runtimeBase)) rmSync(join(runtimeBase, name), { recursive: true });
    for (let round = 0; round < 3; round += 1) {
      const ran = await runOn(sandbox, 'echo started');
      expect(['not-built', 'unavailable']).toContain(ran.kind);
      expect([ran.out, (ran.detail ?? '') !== '']).toEqual(['', true]);
    }
  });

  liveTest(wall, 'a sandbox that was closed runs nothing more', async () => {
    const sandbox = createSandbox({ backend: 'auto' });
    await sandbox.close();
    await sandbox.close();
    const ran = await runOn(sandbox, 'echo started');
    expect(['not-built', 'unavailable']).toContain(ran.kind);
    expect(ran).toMatchObject({ out: '', exit: { code: null, signal: null } });
  });
});

/** Where the process limit is an rlimit, a shell inside sets it, and it is the shell that finds no program. */
function wasNotExecuted({ kind, exit, detail, sandbox }: RanInside): boolean {
  if (sandbox.enforced.processes === 'rlimit') return kind === 'ran' && (exit.code === 126 || exit.code === 127);
  return kind === 'not-executed' && exit.code === null && /^bwrap: execvp /mu.test(detail ?? '');
}

describe('a command', () => {
  liveTest(wall, 'that begins like an option is a program that does not exist', async () => {
    for (const word of ['--version', '--', '-c', '--bind', '--dev-bind']) {
      const ran = await run([word, '/', '/']);
      expect([word, wasNotExecuted(ran), ran.out]).toEqual([word, true, '']);
    }
    const passed = await run(['/bin/sh', '-c', 'echo "$@"', 'sh', '--version', '--', '--uid', '0']);
    expect(passed).toMatchObject({ kind: 'ran', out: '--version -- --uid 0\n' });
  });

  liveTest(
    wall,
    'that is missing, a directory, not executable or without its interpreter was not executed',
    async () => {
      const directory = plant(scratchDirectory(), {
        'crlf.sh': '#!/bin/sh\r\necho started\r\n',
        'no-interpreter.sh': '#!/no/such/interpreter\necho started\n',
        'plain.txt': 'echo started\n',
      });
      chmodSync(join(directory, 'plain.txt'), 0o644);
      mkdirSync(join(directory, 'directory'));
      const policy = { readPaths: [directory] };
      for (const name of ['missing', 'directory', 'plain.txt', 'crlf.sh', 'no-interpreter.sh']) {
        const ran = await run([join(directory, name)], { policy });
        expect([name, wasNotExecuted(ran), ran.out]).toEqual([name, true, '']);
      }
    },
  );

  liveTest(wall, 'of those is named before anything is launched', () => {
    const projectRoot = plant(scratchDirectory(), {
      'crlf.sh': '#!/bin/sh\r\necho started\r\n',
      'no-interpreter.sh': '#!/no/such/interpreter\necho started\n',
    });
    for (const command of ['./missing.sh', './crlf.sh', './no-interpreter.sh', 'no-such-tool']) {
      expect(resolveProgram({ command, projectRoot })).toMatchObject({ ok: false, cause: 'launch_failed' });
    }
  });

  liveTest(wall, 'whose project was deleted does not run', async () => {
    const projectRoot = join(scratchDirectory(), 'gone');
    const ran = await run('echo started', { policy: { project: 'read', projectRoot } });
    expect([ran.kind, ran.out]).toEqual(['not-built', '']);
    expect(ran.remedy).not.toBe('');
  });

  liveTest(wall, 'whose working directory the view does not hold starts at the root', async () => {
    expect(await run('pwd', { program: { cwd: '/no/such/directory' } })).toMatchObject({ kind: 'ran', out: '/\n' });
  });
});
