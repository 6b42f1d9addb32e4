import { describe, expect, test } from 'vitest';
import type { ExecutorOptions, Verdict } from '../../src/index.ts';
import { executorOf, hookOf, toolEvent } from '../support/executor.ts';

const none = { sandbox: { backend: 'none' } } as const;
const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const append = { ...hookOf('append-to-content.py'), id: 'm' };

describe('secrets', () => {
  test('never reach a handler, and exact ones neither', async () => {
    const executor = await executorOf([hookOf('say-envelope.py')], { ...none, secrets: { DEPLOY: 'hunter22' } });
    const verdict = await executor.dispatch(toolEvent({ apiKey: token, note: 'the word is hunter22' }));
    const text = JSON.stringify(verdict.decision);
    expect(text).not.toContain(token);
    expect(text).not.toContain('hunter22');
    expect(text).toContain('[REDACTED:');
  });

  test('are put back into what a hook modified, and a person must look at it', async () => {
    const executor = await executorOf([append], none);
    const verdict = await executor.dispatch(toolEvent({ apiKey: token, content: 'x' }));
    expect(verdict.data).toEqual({ tool: 'write', input: { apiKey: token, content: 'x+m' } });
    expect(verdict.decision.action).toBe('ask');
  });

  test('need no person where the operator said so, and the next hook sees them redacted again', async () => {
    const hooks = [append, { ...append, id: 'n' }];
    const executor = await executorOf(hooks, { ...none, grants: { modifyWithSecrets: ['p'] } });
    const verdict = await executor.dispatch(toolEvent({ apiKey: token, content: 'x' }));
    expect(verdict.decision).toEqual({ action: 'modify', data: { input: { apiKey: token, content: 'x+m+n' } } });
  });

  test('cannot be moved, even with onFailure continue', async () => {
    const executor = await executorOf([hookOf('move-secret.py', { onFailure: 'continue' })], none);
    const verdict = await executor.dispatch(toolEvent({ apiKey: token, content: 'x' }));
    expect(verdict).toMatchObject({
      decision: { action: 'deny' },
      outcomes: [{ status: 'failed', cause: 'redacted_value_moved' }],
    });
    expect(verdict).not.toHaveProperty('data');
  });

  test('are shown only when the pack asks and the operator grants, and do not come back in words', async () => {
    const reveal = ['/hook/data/input/apiKey'];
    const refused = await executorOf([hookOf('say-envelope.py')], none, { reveal });
    expect(await refused.dispatch(toolEvent({ apiKey: token }))).toMatchObject({ outcomes: [{ cause: 'untrusted' }] });
    const granted = await executorOf([append], { ...none, grants: { reveal } }, { reveal });
    const verdict = await granted.dispatch(toolEvent({ apiKey: token, content: 'x' }));
    expect(verdict.decision).toMatchObject({ action: 'modify' });
    const saying = await executorOf([hookOf('say-envelope.py')], { ...none, grants: { reveal } }, { reveal });
    const plain = 'a-word-of-no-known-shape';
    const said = JSON.stringify(await saying.dispatch(toolEvent({ apiKey: plain })));
    expect(said).toContain('[REDACTED:secret-value]');
    expect(said).not.toContain(plain);
  });
});

describe('what a handler says never shows', () => {
  test.each([0, 1, 16, 31, 32])('the rest of a secret of which the cut of stderr left %i characters', async (left) => {
    const secret = 'q7Zr2Lx9Wm4Tn8Vb1Kc6Yd3Hf5Jg0Ps!';
    const script = `import sys; sys.stderr.write("${secret}" + "-" * ${4096 - left}); print('{"decision":{"action":"allow"}}')`;
    const options = {
      secrets: { S: secret },
      sandbox: { backend: 'none', limits: { keepStderrBytes: 4096 } },
    } as const;
    const { outcomes } = await verdictOf(script, options);
    expect(outcomes).toMatchObject([{ status: 'answered', bytes: { stderr: 4096 - left + 32 } }]);
    const tail = outcomes[0]?.stderrTail ?? '';
    expect(tail.replace('[REDACTED:secret-value]', '')).toBe('-'.repeat(4096 - left));
    expect(tail.startsWith('[')).toBe(left > 0);
  });

  test('the end of what is not ASCII without its beginning', async () => {
    const script = `import sys; sys.stderr.buffer.write(("猫" * 20000 + "end").encode()); print('{"decision":{"action":"allow"}}')`;
    const { outcomes } = await verdictOf(script, { sandbox: { backend: 'none', limits: { keepStderrBytes: 4096 } } });
    expect(outcomes[0]?.stderrTail).toMatch(/^\ufffd{0,2}猫{1364}end$/u);
  });

  test('a secret with control characters, which are taken out of what is said', async () => {
    const secret = 'first-half\r\nsecond\u0007half';
    const script = `import json; print(json.dumps({"decision":{"action":"deny","reason":"it is " + ${JSON.stringify(secret)}}}))`;
    const { decision } = await verdictOf(script, { secrets: { S: secret } });
    expect(decision).toEqual({ action: 'deny', reason: 'it is [REDACTED:secret-value]' });
  });

  test('a number that it was shown in clear: in reason, feedback and stderr', async () => {
    const reveal = ['/hook/data/input/password'];
    const script =
      'import json, sys; p = json.load(sys.stdin)["hook"]["data"]["input"]["password"]; sys.stderr.write(f"got {p}"); ' +
      'print(json.dumps({"decision": {"action": "deny", "reason": f"it is {p}, 1 of 2", "feedback": {"it": p, "n": 1}}}))';
    const verdict = await verdictOf(script, { grants: { reveal } }, toolEvent({ password: 48_151_623 }), { reveal });
    expect(verdict.decision).toEqual({
      action: 'deny',
      reason: 'it is [REDACTED:secret-value], 1 of 2',
      feedback: { it: '[REDACTED:secret-value]', n: 1 },
    });
    expect(JSON.stringify(verdict)).not.toContain('48151623');
    const short = await verdictOf(script, { grants: { reveal } }, toolEvent({ password: 1 }), { reveal });
    expect(short.decision).toHaveProperty('reason', 'it is 1, 1 of 2');
  });

  test('so much that it loses the denial, with onFailure continue neither', async () => {
    const script =
      'import json; print(json.dumps({"decision": {"action": "deny", "reason": ("ey" + "JhbGciOi.ey" + "JhbGciOiJI ") * 400000}}))';
    const hook = { ...speaker(script), onFailure: 'continue' } as const;
    const limits = { maxOutputBytes: 16 << 20 };
    const executor = await executorOf(
      [hook],
      { sandbox: { backend: 'none', limits } },
      { sandbox: { maxOutputBytes: 16 << 20 } },
    );
    const verdict = await executor.dispatch(toolEvent());
    expect(verdict).toMatchObject({ decision: { action: 'deny' }, failedOpen: [], outcomes: [{ status: 'answered' }] });
    expect(JSON.stringify(verdict)).not.toContain('eyJ');
  });
});

test('what a handler says is cleaned, redacted and cut', async () => {
  const executor = await executorOf([hookOf('say-hidden-text.py')], none);
  const verdict = await executor.dispatch(toolEvent());
  const [outcome] = verdict.outcomes;
  const reason = 'reason' in verdict.decision ? (verdict.decision.reason ?? '') : '';
  expect(reason.startsWith('[REDACTED:')).toBe(true);
  expect(reason.length).toBeLessThanOrEqual(10_000);
  expect(outcome?.notes).toEqual([expect.stringContaining('reason cut at 10000')]);
  expect(outcome?.stderrTail).toMatch(/^token \[REDACTED:[^\]]+\]\n$/u);
});

test('the process environment does not reach a handler; granted names do', async () => {
  const executor = await executorOf(
    [hookOf('say-envelope.py')],
    { sandbox: { backend: 'none', env: { CI: 'true', OTHER: 'x' } } },
    { sandbox: { env: ['CI'] } },
  );
  const verdict = await executor.dispatch(toolEvent());
  const text = JSON.stringify(verdict.decision);
  expect(text).toMatch(/CI\\+": \\+"true/u);
  expect(text).not.toContain('OTHER');
  expect(text).not.toContain('VITEST');
});

function speaker(script: string) {
  return hookOf('x.py', { handler: { command: ['python3', '-c', script] } });
}

async function verdictOf(script: string, options: ExecutorOptions, event = toolEvent(), pack = {}): Promise<Verdict> {
  const executor = await executorOf([speaker(script)], { ...none, ...options }, pack);
  return executor.dispatch(event);
}
