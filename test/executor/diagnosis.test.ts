import { describe, expect } from 'vitest';
import type { ExecutorOptions, Pack } from '../../src/index.ts';
import { findCgroups } from '../../src/sandbox/cgroup/layout.ts';
import { liveTree } from '../../src/sandbox/cgroup/live-tree.ts';
import { bubblewrap, liveTest } from '../support/capability.ts';
import { executorOf, packOf, toolEvent } from '../support/executor.ts';

type Handler = Partial<Pack['hooks'][number]['handler']>;
type Limits = NonNullable<NonNullable<ExecutorOptions['sandbox']>['limits']>;

/** Limits whose breach the kernel records only for a cgroup. */
const recorded: Limits = { memoryBytes: 64 << 20, maxProcesses: 8 };
const { memory, pids } = findCgroups(liveTree);
const cgroups = { name: 'memory and pids cgroups', present: memory !== undefined && pids !== undefined };

async function messageOf(line: string, handler: Handler = {}, limits: Limits = {}): Promise<string> {
  const command = ['/bin/sh', '-c', line];
  const hook = { id: 'check', event: 'tool:before', handler: { type: 'command', command, ...handler } } as const;
  const executor = await executorOf([], {
    packs: packOf([hook]),
    sandbox: { limits: { maxOutputBytes: 4_096, ...limits } },
  });
  const [outcome] = (await executor.dispatch(toolEvent())).outcomes;
  if (outcome?.status !== 'failed') throw new Error(`expected a failure, got ${JSON.stringify(outcome)}`);
  return outcome.message;
}

/** What a script's author did, and the words that tell what to do about it. */
const rows: readonly (readonly [string, string, readonly string[], Handler?])[] = [
  [
    'goes on after its answer',
    `echo '{"decision":{"action":"allow"}}'; sleep 60`,
    ['timeout after 700 ms', 'end the program after its answer'],
    { timeoutMs: 700 },
  ],
  [
    'takes too long',
    'echo waiting >&2; sleep 60',
    ['timeout after 700 ms', 'raise timeoutMs', 'stderr: waiting'],
    { timeoutMs: 700 },
  ],
  ['floods stdout', 'yes', ['more than 4096 bytes', 'on stderr']],
  ['floods stderr', 'yes >&2', ['more than 1048576 bytes on stderr', 'log less']],
  ['answers by its exit code', 'exit 1', ['exit code 1', '"decide": "exit-code"']],
  [
    'was written for a host where 2 denies',
    'echo no >&2; exit 2',
    ['exit code 2, which counts as a denial', 'stderr: no'],
  ],
  ['was written so, and says exit-code', 'exit 2', ['0 (allow) or 1 (deny)', 'exit 1'], { decide: 'exit-code' }],
  ['calls a program that is not there', 'nosuchtool', ['exit code 127', 'inside the sandbox', '`hookcell try`']],
  ['reads what is not in the view', 'cat /etc/hostname || exit 4', ['exit code 4', 'No such file', '`hookcell try`']],
  [
    'imports what lies beside it in Python',
    `echo "ModuleNotFoundError: No module named 'helpers'" >&2; exit 1`,
    ["No module named 'helpers'", 'sys.path.append(os.path.dirname(__file__))'],
  ],
  ['writes where it may not', 'echo x > /usr/x || exit 4', ['Read-only file system', '`hookcell try`']],
  [
    'says why after much else',
    'seq 1 5000 >&2; echo the real reason >&2; exit 4',
    ['exit code 4', 'stderr: the real reason'],
  ],
  ['crashes', 'kill -SEGV $$', ['SIGSEGV', 'crashed']],
  ['kills itself', 'kill -KILL $$', ['SIGKILL', 'hookcell did not send it']],
  [
    'prints nothing',
    'true',
    ['got nothing', '{"decision":{"action":"allow"}}', '"decide": "exit-code"', '"onEmpty": "no-opinion"'],
  ],
  [
    'prints a log line first',
    `echo checking; echo '{"decision":{"action":"allow"}}'`,
    ['got "checking', 'everything else on stderr'],
  ],
  [
    'answers twice',
    `echo '{"decision":{"action":"allow"}}'; echo '{"decision":{"action":"allow"}}'`,
    ['line 2', 'once'],
  ],
  [
    'joins strings',
    `echo '{"decision":{"action":"allow","action":"allow"}}'`,
    ['"action" occurs twice', 'JSON library'],
  ],
  [
    'forgets the outer object',
    `echo '{"action":"allow"}'`,
    ['put it inside "decision"', '{"decision":{"action":"allow"}}'],
  ],
  [
    'answers in another host’s words',
    `echo '{"hookSpecificOutput":{}}'`,
    ['another host', '{"decision":{"action":"allow"}}'],
  ],
  ['misspells', `echo '{"decision":{"action":"alow"}}'`, ['expected one of allow', 'got "alow"']],
  [
    'replaces what cannot be',
    `echo '{"decision":{"action":"modify","data":{"result":1}}}'`,
    ['cannot replace "result"', 'expected "input"'],
  ],
  ['copies its input', 'cat', ['printed its own input', 'print a decision instead']],
];

describe('the message for a script that', () => {
  for (const [what, line, words, handler] of rows) {
    liveTest(bubblewrap, what, async () => {
      const message = await messageOf(line, handler);
      for (const word of words) expect(message).toContain(word);
    });
  }

  liveTest([bubblewrap, cgroups], 'eats memory', async () => {
    const message = await messageOf(`perl -e '$x = "x" x 500_000_000'`, {}, recorded);
    for (const word of ['64 MiB', '"memoryMb"']) expect(message).toContain(word);
  });

  liveTest([bubblewrap, cgroups], 'starts many', async () => {
    const message = await messageOf('for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1 & done; wait', {}, recorded);
    for (const word of ['8 processes', '"maxProcesses"']) expect(message).toContain(word);
  });

  liveTest(bubblewrap, 'crashes under Node.js names the error, not the version', async () => {
    const stderr = [
      'file:///w/a.mjs:1',
      "throw new TypeError('no path')",
      '',
      'TypeError: no path',
      '    at a',
      '',
      'Node.js v20.20.2',
    ];
    const message = await messageOf(stderr.map((line) => `echo ${JSON.stringify(line)} >&2; `).join('') + 'exit 1');
    expect(message).toContain('stderr: TypeError: no path');
    expect(message).not.toContain('exit-code');
  });

  liveTest(bubblewrap, 'crashes is not taken for an answer by exit code', async () => {
    expect(await messageOf('echo "ValueError: bad" >&2; exit 1')).not.toContain('exit-code');
  });

  liveTest(bubblewrap, 'fails for reasons of its own sends nobody to the sandbox', async () => {
    expect(await messageOf('echo "policy file is empty" >&2; exit 4')).not.toContain('hookcell try');
  });
});
