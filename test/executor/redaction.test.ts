import { describe, expect, test } from 'vitest';
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
