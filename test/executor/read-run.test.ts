import { expect, test } from 'vitest';
import { emptyFacts } from '../../src/executor/outcomes.ts';
import { readRun } from '../../src/executor/read-run.ts';
import { createViews } from '../../src/executor/views.ts';
import { eventDefinition, readPack } from '../../src/protocol/index.ts';
import type { Outcome } from '../../src/protocol/index.ts';
import type { RawResult } from '../../src/sandbox/index.ts';
import { hookOf, packOf } from '../support/executor.ts';
import { policyOf } from '../support/view.ts';

const limits = policyOf().limits;

function failing(): never {
  throw new RangeError('Maximum call stack size exceeded');
}

/** A run that said this, and whose notes cannot be read a second time, as an error of our own would have it. */
function failingAfter(action: string): RawResult {
  return {
    kind: 'ran',
    memoryLimitHit: false,
    processLimitHit: false,
    exit: { code: 0, signal: null },
    stdout: new TextEncoder().encode(`{"decision":{"action":"${action}","reason":"why"}}`),
    stderr: new Uint8Array(),
    bytes: { stdin: 0, stdinUnread: 0, stdout: 0, stderr: 0 },
    durationMs: 1,
    sandbox: {
      backend: 'none',
      enforced: {
        filesystem: 'none',
        network: 'host',
        processes: 'none',
        memory: 'none',
        kill: 'process-group',
        syscalls: 'none',
      },
    },
    notes: Object.assign(['note'], { [Symbol.iterator]: failing }),
  };
}

function outcomeOf(raw: RawResult): Outcome {
  const read = readPack(JSON.stringify(packOf([hookOf('deny.sh')])), 'p.json');
  const hook = read.ok ? read.pack.hooks[0] : undefined;
  const definition = eventDefinition('tool:before');
  if (hook === undefined || definition === undefined) throw new Error('expected a hook at tool:before');
  const view = createViews({}, [])({ tool: 'write' }, { reveal: [], ascii: false });
  const facts = emptyFacts({ pack: 'p', id: 'deny' }, 'control', 5000);
  return readRun(raw, {
    loaded: { hook, definition, timeoutMs: 5000, byFlags: false },
    view,
    facts,
    limits,
    secretValues: [],
  }).outcome;
}

test.each(['deny', 'stop', 'ask', 'defer'])('keeps %s whatever fails after it was read', (action) => {
  expect(outcomeOf(failingAfter(action))).toMatchObject({
    status: 'failed',
    cause: 'internal',
    message: expect.stringContaining('Maximum call stack'),
    decision: { action },
  });
});

test('keeps no allow when something fails after it was read', () => {
  const outcome = outcomeOf(failingAfter('allow'));
  expect(outcome).toMatchObject({ status: 'failed', cause: 'internal' });
  expect(outcome).not.toHaveProperty('decision');
});
