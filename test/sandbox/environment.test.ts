import { expect, test } from 'vitest';

import { sandboxEnvironment } from '../../src/sandbox/environment.ts';

const fixed = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/home/hook',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  PYTHONUTF8: '1',
  PYTHONSAFEPATH: '1',
};

test('starts from nothing', () => {
  expect(sandboxEnvironment({})).toEqual({ env: fixed, refused: [] });
});

test('what is granted, what hookcell adds, and the interpreters of a program', () => {
  const { env } = sandboxEnvironment({ CI: '1', HOOKCELL_DEPTH: '0' }, { HOOKCELL_DEPTH: '2' }, ['/opt/x/bin']);
  expect(env).toEqual({ ...fixed, PATH: '/usr/local/bin:/usr/bin:/bin:/opt/x/bin', CI: '1', HOOKCELL_DEPTH: '2' });
});

test('names that change what code runs are dropped and told, even when granted', () => {
  const granted = {
    LD_PRELOAD: '/x',
    NODE_OPTIONS: '-r x',
    PYTHONPATH: '/x',
    GIT_SSH_COMMAND: 'x',
    BASH_ENV: 'x',
    PATH: '.',
    'A B': '',
    N: 'a\0b',
  };
  expect(sandboxEnvironment({ ...granted, CI: '1' })).toEqual({
    env: { ...fixed, CI: '1' },
    refused: Object.keys(granted),
  });
});
