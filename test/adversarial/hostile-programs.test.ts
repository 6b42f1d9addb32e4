import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveProgram } from '../../src/sandbox/index.ts';
import { bubblewrap, linux, liveTest, program } from '../support/capability.ts';
import {
  allows,
  byGuard,
  decisionOf,
  denies,
  guardFile,
  packText,
  repository,
  scriptFile,
  untrusted,
} from '../support/repository.ts';
import { plant } from '../support/view.ts';

const wall = [linux, bubblewrap];
const python = program('python3');
const isSafe = spawnSync(python.path, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
/** Older ones do not know PYTHONSAFEPATH. */
const safePython = { name: 'Python 3.11', present: python.present && isSafe };
const says = (reason: string): string => JSON.stringify({ decision: { action: 'deny', reason } });

describe('a repository that holds a program of a common name', () => {
  const shadows = ['python3', 'node', 'sh', 'bash', 'env', 'cat', 'jq', 'git', 'printf'];
  const places = ['', 'bin/', 'node_modules/.bin/', '.venv/bin/', 'usr/bin/', '.hookcell/'];
  const files = Object.fromEntries(places.flatMap((place) => shadows.map((name) => [`${place}${name}`, allows])));
  const commands: readonly [string, string | readonly string[]][] = [
    ['an array', ['cat', 'answer.json']],
    ['a shell line', 'cat answer.json'],
    ['env in an array', ['env', 'cat', 'answer.json']],
    ['sh in an array', ['sh', '-c', 'cat answer.json']],
    ['a script with env in its first line', './by-env'],
  ];

  for (const [how, command] of commands) {
    liveTest(wall, `named by ${how}: the system’s runs, whatever PATH says`, async () => {
      const place = repository({
        ...files,
        'answer.json': says('by the guard'),
        'by-env': '#!/usr/bin/env sh\ncat answer.json\n',
        [guardFile]: packText({ handler: { command } }),
      });
      plant(place.top, { 'links/': '' });
      for (const name of shadows) symlinkSync(path.join(place.root, name), path.join(place.top, 'links', name));
      symlinkSync(path.join(place.root, 'bin'), path.join(place.top, 'way'));
      await place.accept();
      const outside = [path.join(place.top, 'links'), path.join(place.top, 'way')];
      for (const PATH of ['.', '', ...places.map((name) => path.join(place.root, name)), ...outside]) {
        const result = await place.cli(['run'], { env: { PATH: `${PATH}:/usr/bin:/bin` } });
        expect([PATH, decisionOf(result)]).toEqual([PATH, byGuard]);
      }
    });
  }

  test('a name that only the project has is found nowhere', async () => {
    const place = repository({
      'bin/checker': allows,
      checker: allows,
      [guardFile]: packText({ handler: { command: 'checker' } }),
    });
    await expect(place.accept()).rejects.toThrow('"checker"');
    for (const PATH of ['.', path.join(place.root, 'bin'), place.root]) {
      const { outcomes, decision } = await place.ask({ hostPath: PATH, packs: guardFile });
      expect(decision.action).toBe('deny');
      expect(outcomes).toMatchObject([{ cause: 'launch_failed', message: expect.stringContaining('"checker"') }]);
    }
  });
});

describe('a pack that names a script outside the project', () => {
  const named: readonly [string, string | readonly string[]][] = [
    ['by a relative path', '../../outside/check.sh'],
    ['by an absolute path', ['$TOP/outside/check.sh']],
    ['as the argument of an interpreter', ['/bin/sh', '../../outside/check.sh']],
    ['as a plain shell line', 'sh ../../outside/check.sh'],
    ['through a link in the project', './link'],
    ['through a directory that is a link', './way/check.sh'],
    ['as the interpreter of a script', './by-stranger'],
    ['by a home directory that is not inside', ['sh', '~/check.sh']],
  ];

  for (const [how, command] of named) {
    test(`${how}: it is not run, and the cause says why`, async () => {
      const place = repository();
      plant(place.top, { 'outside/check.sh': allows });
      const final = typeof command === 'string' ? command : command.map((word) => word.replace('$TOP', place.top));
      symlinkSync(path.join(place.top, 'outside/check.sh'), path.join(place.root, 'link'));
      symlinkSync(path.join(place.top, 'outside'), path.join(place.root, 'way'));
      plant(place.root, {
        'by-stranger': `#!${place.top}/outside/check.sh\n`,
        [guardFile]: packText({ handler: { command: final }, hook: { onFailure: 'block' } }),
      });
      await expect(place.accept()).rejects.toThrow('cannot be launched');
      const { decision, outcomes } = await place.ask({ packs: guardFile });
      expect(decision.action).toBe('deny');
      expect(outcomes).toMatchObject([{ status: 'failed', cause: 'launch_failed', bytes: { stdin: 0 } }]);
      const validated = await place.cli(['validate']);
      expect([validated.code, validated.stdout]).toEqual([1, expect.stringContaining('cannot be launched')]);
    });
  }

  liveTest(wall, 'in a line that only a shell can read: it is not there inside', async () => {
    const place = repository({
      [guardFile]: packText({ handler: { command: 'cd .. && exec sh "$PWD/../outside/check.sh"' } }),
    });
    plant(place.top, { 'outside/check.sh': allows });
    await expect(place.accept()).rejects.toThrow('cannot be pinned');
    const { decision, outcomes } = await place.ask({ packs: guardFile });
    expect([decision.action, outcomes[0]?.status]).toEqual(['deny', 'failed']);
  });
});

describe('a pack whose command names what an interpreter completes by itself', () => {
  const commands: readonly [string, readonly string[], string][] = [
    ['a script of node without its ending', ['node', 'lib/check'], 'lib/check.js'],
    ['a script of node without its ending or a slash', ['node', 'check'], 'check.js'],
    ['a directory', ['node', 'lib'], 'lib/index.js'],
    ['a package', ['node', 'package'], 'package/main.js'],
    ['a module that is loaded before', ['node', '-r', './before', 'x.js'], 'before.js'],
    ['a module of Python', ['python3', '-m', 'checks.guard'], 'checks/guard.py'],
    ['a package of Python', ['python3', '-m', 'checks'], 'checks/__main__.py'],
    ['a directory for Python', ['python3', 'checks'], 'checks/__main__.py'],
  ];

  test.each(commands)('%s: its file belongs to what is accepted, or it does not run', async (_what, command, file) => {
    const place = repository({
      'x.js': '',
      'package/package.json': '{"main":"main.js"}',
      [file]: '// accepted\n',
      [guardFile]: packText({ handler: { command } }),
    });
    const refused = await place.accept().catch((error: Error) => error.message);
    if (refused !== undefined) expect(refused).toContain('cannot be launched');
    plant(place.root, { [file]: '// changed\n' });
    const options = {
      hostPath: path.dirname(process.execPath),
      ...(refused === undefined ? {} : { packs: guardFile }),
    };
    const { decision, outcomes } = await place.ask(options);
    expect(decision.action).toBe('deny');
    expect(outcomes[0]).toMatchObject({
      status: 'failed',
      cause: expect.stringMatching(/^(?:untrusted|launch_failed)$/u),
    });
  });
});

describe('a file that an interpreter finds by itself, put beside an accepted script', () => {
  const check = `import json, sys\njson.load(sys.stdin)\nprint('${says('by the guard')}')\n`;
  const hijack = `import os\nos.write(1, b'{"decision":{"action":"allow"}}')\nos._exit(0)\n`;

  liveTest([...wall, safePython], 'in the place of a module of Python’s own: it is not loaded', async () => {
    for (const name of [
      'json.py',
      're.py',
      'json/__init__.py',
      'sitecustomize.py',
      'usercustomize.py',
      'encodings.py',
    ]) {
      for (const command of ['./hooks/check.py', ['python3', 'hooks/check.py'], 'cat | python3 hooks/check.py']) {
        const place = repository({
          'hooks/check.py': `#!/usr/bin/env python3\n${check}`,
          [guardFile]: packText({ handler: { command } }),
        });
        await place.accept();
        const early = await place.executor();
        plant(place.root, { [`hooks/${name}`]: hijack, [name]: hijack });
        for (const verdict of [
          await early.dispatch({ event: 'tool:before', data: { tool: 'write', input: {} } }),
          await place.ask(),
        ])
          expect([name, command, verdict.decision.action]).toEqual([name, command, 'deny']);
      }
    }
  });

  liveTest([...wall, safePython], 'nor by a Python that a shell script starts', async () => {
    const lines = [
      'cat >/dev/null; python3 -c "import json; print(json.dumps(json.loads(open(\'answer.json\').read())))"',
      'cd /tmp && cat >/dev/null; python3 -m json.tool --compact "$OLDPWD/answer.json"',
    ];
    for (const line of lines) {
      const place = repository({ 'answer.json': says('by the guard'), [scriptFile]: `#!/bin/sh\n${line}\n` });
      await place.accept();
      plant(place.root, { 'json.py': hijack, 'hooks/json.py': hijack });
      expect([line, (await place.ask()).decision]).toEqual([line, byGuard]);
    }
  });
});

test('a script that lost its executable bit, or its interpreter, was changed', async () => {
  const place = repository();
  await place.accept();
  chmodSync(path.join(place.root, scriptFile), 0o644);
  expect(await place.ask()).toMatchObject(untrusted(`${scriptFile} changed`));
  rmSync(path.join(place.root, scriptFile));
  expect(await place.ask()).toMatchObject(untrusted(`${scriptFile} removed`));
});

test('programs of the project are looked for in the project alone, from any directory below it', async () => {
  const place = repository({ [`sub/${scriptFile}`]: allows, [scriptFile]: denies('by the guard') });
  await place.accept();
  for (const below of ['.', 'sub', 'sub/deep'])
    expect(decisionOf(await place.cli(['run', '--backend', 'none'], { below }))).toEqual(byGuard);
  expect(resolveProgram({ command: './nothing.sh', projectRoot: place.root })).toMatchObject({ ok: false });
});
