import { expect, test } from 'vitest';

import { classifyEnd, type EndClass, type EndFacts } from '../../../src/sandbox/launch/classify-end.ts';

const facts: EndFacts = {
  wall: 'bubblewrap',
  status: { childPid: 7, exitCode: 0 },
  end: { code: 0, signal: null },
  killed: undefined,
  memoryLimitHit: false,
  stderr: '',
};
const SIGKILL = { code: null, signal: 'SIGKILL' };
const none = { code: null, signal: null };

test.each<[string, Partial<EndFacts>, EndClass]>([
  ['a good end', {}, { kind: 'ran', exit: { code: 0, signal: null } }],
  [
    'an exit code',
    { status: { exitCode: 3 }, end: { code: 3, signal: null } },
    { kind: 'ran', exit: { code: 3, signal: null } },
  ],
  [
    'a signal that the wall reports as 128 + n',
    { status: { exitCode: 137 }, end: { code: 137, signal: null } },
    { kind: 'ran', exit: { code: 137, signal: 'SIGKILL' } },
  ],
  [
    'a good status and a monitor that failed',
    { end: { code: 1, signal: null } },
    { kind: 'ran', exit: { code: 1, signal: null } },
  ],
  [
    'a bad status and a monitor that claims success',
    { status: { exitCode: 3 } },
    { kind: 'ran', exit: { code: 255, signal: null } },
  ],
  [
    'a monitor that was killed, whatever the status said',
    { end: { code: null, signal: 'SIGKILL' } },
    { kind: 'ran', exit: SIGKILL },
  ],
  [
    'our own kill',
    { killed: 'timeout', status: {}, end: { code: null, signal: 'SIGKILL' } },
    { kind: 'ran', exit: SIGKILL },
  ],
  [
    'a bound that was broken after a good end',
    { killed: 'output_limit' },
    { kind: 'ran', exit: { code: 0, signal: null } },
  ],
  [
    'lack of memory',
    { memoryLimitHit: true, status: { exitCode: 137 }, end: { code: 137, signal: null } },
    { kind: 'ran', exit: SIGKILL },
  ],
  [
    'no wall: the code itself',
    { wall: 'none', status: {}, end: { code: 4, signal: null } },
    { kind: 'ran', exit: { code: 4, signal: null } },
  ],
  [
    'no status, bubblewrap could not execute the program',
    {
      status: { childPid: 7 },
      end: { code: 1, signal: null },
      stderr: 'bwrap: execvp /x: No such file or directory\n',
    },
    { kind: 'not-executed', exit: none, detail: 'bwrap: execvp /x: No such file or directory' },
  ],
  [
    'no status and no first process: the words do not count',
    { status: {}, end: { code: 1, signal: null }, stderr: 'bwrap: execvp /x: No such file or directory' },
    { kind: 'not-built', exit: none, detail: 'bwrap: execvp /x: No such file or directory' },
  ],
  [
    'no status and no words',
    { status: {}, end: { code: 125, signal: null } },
    { kind: 'not-built', exit: none, detail: 'bwrap ended with code 125 before the program was executed' },
  ],
  [
    'no process at all',
    { status: {}, end: { code: null, signal: null, error: new Error('EAGAIN') } },
    { kind: 'not-built', exit: none, detail: 'the launcher could not be started: EAGAIN' },
  ],
  [
    'a status beats words that imitate a broken wall',
    { status: { exitCode: 1 }, end: { code: 1, signal: null }, stderr: 'bwrap: Creating new namespace failed' },
    { kind: 'ran', exit: { code: 1, signal: null } },
  ],
])('%s', (_what, change, expected) => {
  expect(classifyEnd({ ...facts, ...change })).toEqual(expected);
});
