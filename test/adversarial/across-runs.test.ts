import { describe, expect } from 'vitest';

import { bubblewrap, liveTest, linux } from '../support/capability.ts';
import { probe, python, x64 } from '../support/probe.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const run = sandboxOfFile();
const other = sandboxOfFile();
const wall = [linux, bubblewrap];
const attack = [...wall, python];

describe('one run after another', () => {
  liveTest(wall, 'finds nothing that the first one left in scratch space', async () => {
    const leave =
      'for d in /tmp $HOME /dev/shm; do mkdir $d/dir 2>/dev/null; echo message > $d/message; done 2>/dev/null; ls /tmp $HOME';
    const ran = await run(leave);
    expect(ran.out).toBe('/home/hook:\ndir\nmessage\n\n/tmp:\ndir\nmessage\n');
    expect((await run('ls -A /tmp $HOME /dev/shm')).out).toBe('/dev/shm:\n\n/home/hook:\n\n/tmp:\n');
  });

  liveTest([...attack, x64], 'shares no keyring with it', async () => {
    const ADD_KEY = [248, 'user\u0000', 'message\u0000', 'x', 1, -5];
    const JOIN_SESSION = [250, 1, 0, 0, 0, 0];
    const SEARCH = [249, 'user\u0000', 'message\u0000', 0, 0];
    expect(await probe(run, 'syscalls.py', [ADD_KEY, JOIN_SESSION, SEARCH])).toEqual([1, 1, 1]);
  });
});

describe('two runs at the same time', () => {
  const nothing = {
    '/tmp': 'ENOENT',
    HOME: 'ENOENT',
    '/dev/shm': 'ENOENT',
    'System V memory': 'ENOENT',
    'System V semaphore': 'ENOENT',
    'System V queue': 'ENOENT',
    'POSIX queue': 'ENOENT',
    'abstract socket': 'EPERM',
    'host name': 'EPERM',
  };
  const left = {
    '/tmp': 'ok',
    HOME: 'ok',
    '/dev/shm': 'EROFS',
    'System V memory': 'ok',
    'System V semaphore': 'ok',
    'System V queue': 'ok',
    'POSIX queue': 'ok',
    'abstract socket': 'EPERM',
    'host name': 'EPERM',
  };

  liveTest(attack, 'find no message of each other, cannot signal each other, and share file locks alone', async () => {
    for (const network of ['none', 'host'] as const) {
      for (const second of [run, other]) {
        const place = scratchDirectory();
        const project = plant(scratchDirectory(), { 'shared.txt': 'shared' });
        const policy = { project: 'read', projectRoot: project, writePaths: [place], network } as const;
        const [first, found] = await Promise.all([
          probe(run, 'meet.py', ['leave', place, `${project}/shared.txt`], { policy }),
          probe(second, 'meet.py', ['look', place, `${project}/shared.txt`], { policy }),
        ]);
        // Residual, documented in docs/sandbox-view.md: a lock needs no right to write, and the file is the same one.
        expect(first).toEqual({ ...left, 'file lock': 'ok' });
        expect(found).toEqual({ ...nothing, 'file lock': 'EAGAIN', processes: expect.any(Number) });
        expect(Object(found).processes).toBeLessThan(5);
      }
    }
  });

  liveTest(wall, 'do not end each other by a signal to everybody', async () => {
    const waiting = run('sleep 1; echo alive');
    const killing = await other('kill -KILL -1; echo not reached by the shell itself');
    expect(killing.kind).toBe('ran');
    expect((await waiting).out).toBe('alive\n');
  });
});
