import { expect, it } from 'vitest';
import { buildEnvelope, JsonNumber, prepareData } from '../../src/protocol/index.ts';

const parts = {
  idempotencyKey: 'hk1_x',
  hook: { id: 'i"d', pack: 'p', event: 'tool:before', attempt: 1, depth: 0, timeoutMs: 5_000 },
  context: { cwd: '/tmp/日本' },
  redacted: [{ pointer: '/hook/data/token', kind: 'token' }],
};
const text = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

it('writes the envelope as its bytes: one line, one newline, numbers as they came', () => {
  const data = prepareData({ n: new JsonNumber('9007199254740993'), s: 'ğş 😀 \ud800' });
  const { envelope, bytes } = buildEnvelope({ ...parts, data });
  expect(text(bytes)).toBe(
    '{"version":1,"idempotencyKey":"hk1_x","hook":{"id":"i\\"d","pack":"p","event":"tool:before","attempt":1,"depth":0,' +
      '"timeoutMs":5000,"data":{"n":9007199254740993,"s":"ğş 😀 \\ud800"}},"context":{"cwd":"/tmp/日本"},' +
      '"redacted":[{"pointer":"/hook/data/token","kind":"token"}]}\n',
  );
  expect(envelope.hook.data).toBe(data.data);
});

it('escapes the whole envelope for ascii', () => {
  const { envelope, bytes } = buildEnvelope({ ...parts, data: prepareData({ 表: '表"' }, { ascii: true }) });
  expect(bytes.every((byte) => byte < 0x80)).toBe(true);
  expect(JSON.parse(text(bytes))).toEqual(envelope);
});
