import { expect, test } from 'vitest';
import { tameDecision, tameEnd, tameText } from '../../src/executor/handler-text.ts';

/** Values in which nothing can be looked for, as an error of our own redaction would have it. */
const failing: readonly string[] = new Proxy([], {
  get: () => {
    throw new RangeError('Maximum call stack size exceeded');
  },
});

test('redaction that fails shows nothing, and leaves the decision as it is', () => {
  expect(tameText('a word', failing)).toMatch(/^\[withheld/u);
  expect(tameEnd(new TextEncoder().encode('a word'), 3, failing)).toMatch(/^\[withheld/u);
  const { value } = tameDecision({ action: 'deny', reason: 'a word', feedback: { why: ['a word', 12] } }, failing);
  expect(value).toMatchObject({ action: 'deny', reason: expect.stringMatching(/^\[withheld/u) });
  expect(JSON.stringify(value)).not.toContain('a word');
});
