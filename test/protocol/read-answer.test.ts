import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Answer, readAnswer, readExitCodeAnswer, recogniseRestriction } from '../../src/protocol/index.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readAnswer(bytes(text), { event: 'tool:before' });

const inUnitsOf = (size: number, littleEndian: boolean, text: string): Uint8Array =>
  new Uint8Array(
    Array.from(text).flatMap((character) =>
      Array.from({ length: size }, (_, at) => {
        const shift = littleEndian ? at : size - 1 - at;
        return shift > 1 ? 0 : ((character.codePointAt(0) ?? 0) >> (8 * shift)) & 0xff;
      }),
    ),
  );

describe('readAnswer accepts', () => {
  it.each([
    '{ "decision": { "action": "allow" } }',
    '{ "decision": { "action": "deny",  "reason": "writes to .env are not allowed" } }',
    '{ "decision": { "action": "deny" } }',
    '{ "decision": { "action": "ask",   "reason": "touches billing code" } }',
    '{ "decision": { "action": "defer", "reason": "waiting for change window" } }',
    '{ "decision": { "action": "modify", "data": { "input":  { } } } }',
    '{ "decision": { "action": "stop",  "reason": "budget spent", "feedback": "日本 😀" } }',
    '{ "decision": { "action": "continue", "feedback": { "valid": false, "failures": [ ] } } }',
    '\ufeff \r\n\t{"decision":{"action":"allow"}}\n\n',
  ])('%s', (text) => {
    const { decision } = Answer.parse(JSON.parse(text.replace('\ufeff', '')));
    expect(read(text)).toEqual({ ok: true, decision });
  });
});

describe('readAnswer refuses', () => {
  it.each([
    ['', 'empty_output', 'nothing'],
    [' \n\t\r\n', 'empty_output', 'nothing'],
    ['\ufeff', 'empty_output', 'nothing'],
    ['[]', 'invalid_decision', 'an array'],
    ['"allow"', 'invalid_decision', 'a string'],
    ['null', 'invalid_decision', 'null'],
    ['42', 'invalid_decision', 'a number'],
    ['{}', 'invalid_decision', '"decision" is missing'],
    ['{"decision":"allow"}', 'invalid_decision', 'a string'],
    ['{"decision":null}', 'invalid_decision', 'null'],
    ['{"decision":{}}', 'invalid_decision', 'got nothing'],
    ['{"decision":{"action":"approve"}}', 'invalid_decision', '"approve"'],
    ['{"decision":{"action":["allow"]}}', 'invalid_decision', 'an array'],
    ['{"decision":{"action":"allow"},"note":1}', 'invalid_decision', '"note"'],
    [
      '{"decision":{"action":"allow","data":{}}}',
      'invalid_decision',
      'at /decision: unknown key "data"; expected one of action, reason',
    ],
    ['{"decision":{"action":"allow","reason":7}}', 'invalid_decision', '/decision/reason'],
    ['{"decision":{"action":"modify"}}', 'invalid_decision', '/decision/data'],
    ['{"decision":{"action":"modify","data":[]}}', 'invalid_decision', '/decision/data'],
    ['{"decision":{"action":"continue"}}', 'invalid_decision', '/decision/feedback'],
    ['ready\n{"decision":{"action":"allow"}}', 'invalid_json', '"ready\\n'],
    ['{"decision":{"action":"allow"}}\u001b[0m', 'invalid_json', String.raw`"\u001b[0m"`],
    ['{"decision":{"action":"allow"}}{"decision":{"action":"allow"}}', 'multiple_documents', 'another one'],
    ['{"decision":{"action":"allow"},"decision":{"action":"allow"}}', 'duplicate_key', '"decision"'],
    ['{"decision":{"action":"allow","__proto__":{}}}', 'invalid_json', '"__proto__"'],
    ['{"constructor":{}}', 'invalid_json', '"constructor"'],
    [`{"decision":{"action":"modify","data":${'{"a":'.repeat(64)}1${'}'.repeat(64)}}}`, 'invalid_json', '64 levels'],
    ['{"decision":{"action":"modify","data":{"n":9007199254740993}}}', 'invalid_json', '9007199254740993'],
    [String.raw`{"decision":{"action":"allow","reason":"\ud800"}}`, 'invalid_json', 'surrogate'],
    ['{"version":1,"idempotencyKey":"hk1_x","hook":{},"context":{},"redacted":[]}', 'echoed_input', 'its own input'],
    ['{"event":"tool:before","data":{}}', 'echoed_input', 'its own input'],
    ['{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{}}', 'echoed_input', 'its own input'],
  ])('%s as %s', (text, cause, words) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: false, cause });
    if (!result.ok) {
      expect(result.message).toContain(words);
      expect(result).not.toHaveProperty('decision');
    }
  });

  it('bytes that are no UTF-8, shown escaped', () => {
    const result = readAnswer(new Uint8Array([0x7b, 0xe6, 0x97, 0x22, 0x7d]));
    expect(result).toMatchObject({ ok: false, cause: 'invalid_encoding' });
    expect(!result.ok && result.message).toContain(String.raw`{\xe6\x97\x22}`);
  });

  it('UTF-16, and still sees the denial in it', () => {
    const text = '\ufeff{"decision":{"action":"deny","reason":"no"}}';
    const utf16 = new Uint8Array(
      text.split('').flatMap((unit) => [unit.charCodeAt(0) & 0xff, unit.charCodeAt(0) >> 8]),
    );
    const result = readAnswer(utf16);
    expect(result).toMatchObject({ ok: false, cause: 'invalid_encoding', decision: { action: 'deny', reason: 'no' } });
    expect(!result.ok && result.message).toContain('UTF-16');
  });
});

describe('a failed answer can only tighten', () => {
  it.each([
    ['{"decision":{"action":"deny","action":"allow"}}', { action: 'deny' }],
    ['{"decision":{"action":"allow","action":"deny","reason":"r"}}', { action: 'deny', reason: 'r' }],
    ['{"decision":{"action":"allow"}}\n{"decision":{"action":"deny","reason":"r"}}', { action: 'deny', reason: 'r' }],
    ['{"decision":{"action":"ask"}} {"decision":{"action":"stop"}} {"decision":{"action":"deny"}}', { action: 'stop' }],
    ['log line\n{"decision":{"action":"deny","reason":"a \\"b\\" ş"}}\nbye', { action: 'deny', reason: 'a "b" ş' }],
    ['a 5" pipe {"decision":{"action":"deny"}}', { action: 'deny' }],
    ['{ noise " [\n{"decision":{"action":"ask"}}', { action: 'ask' }],
    ['{"decision":{"action":"deny","reason":"cut of', { action: 'deny' }],
    ['{"decision":{"action":"deny"},"extra":1}', { action: 'deny' }],
    ['{"decision":{"action":"deny","__proto__":{}}}', { action: 'deny' }],
    ['{"decision":{"reason":5,"action":"deny"}}', { action: 'deny' }],
    ['{"decision":{"action":"d\\u0065ny"}}x', { action: 'deny' }],
    ["{'decision': {'action': 'deny', 'reason': 'python'}}", { action: 'deny', reason: 'python' }],
    ['{"action":"deny","reason":"r"}', { action: 'deny', reason: 'r' }],
    ['{"decision":"block","reason":"r"}', { action: 'deny', reason: 'r' }],
    [
      '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}',
      { action: 'deny', reason: 'r' },
    ],
    ['[{"decision":{"action":"stop"}}]', { action: 'stop' }],
    [JSON.stringify('{"decision":{"action":"deny"}}'), { action: 'deny' }],
    [`{"decision":{"action":"deny"},"deep":${'['.repeat(5_000)}`, { action: 'deny' }],
  ])('%s', (text, decision) => {
    const result = read(text);
    expect(result.ok).toBe(false);
    expect(!result.ok && result.decision).toEqual(decision);
  });

  it.each<[string, string]>([
    ['{"decision":{"action":"Deny"}}', 'deny'],
    ['{"decision":{"action":"DENY"}}', 'deny'],
    ['{"decision":{"action":" deny"}}', 'deny'],
    ['{"decision":{"action":"deny."}}', 'deny'],
    ['{"decision":{"action":"ｄｅｎｙ"}}', 'deny'],
    ['{"decision":{"action":"d\u200beny"}}', 'deny'],
    ['{"decision":{"action":"reject"}}', 'deny'],
    ['{"decision":{"action":"a word that nobody agreed on"}}', 'deny'],
    ['{"Decision":{"Action":"deny"}}', 'deny'],
    ['{"decision":{"action":["deny"]}}', 'deny'],
    ['{"action":["deny"]}', 'deny'],
    ['{"decision":{"action":{"type":"deny"}}}', 'deny'],
    ['{"decision":{"type":"deny"}}', 'deny'],
    ['{"decision":["allow","deny"]}', 'deny'],
    ['{"decision":false}', 'deny'],
    ['{"decision":{"action":"defer","reason":"later","x":1}}', 'defer'],
    ['{"decision":"defer"}', 'defer'],
    ['{"continue":false,"stopReason":"enough"}', 'stop'],
    ['{"permission":"deny"}', 'deny'],
    ['{"permission":"ask"}', 'ask'],
    ['{"permission_decision":"deny"}', 'deny'],
    ['{"block":true}', 'deny'],
    ['{"block":"because"}', 'deny'],
    ['{"deny":{"because":"x"}}', 'deny'],
    ['{"ok":false,"reason":"no"}', 'deny'],
    ['{"allow":false}', 'deny'],
    ['{"hookSpecificOutput":{"decision":{"behavior":"deny"}}}', 'deny'],
    ['{"result":{"decision":{"action":"deny"}}}', 'deny'],
    ['{"decision":"{\\"action\\":\\"deny\\"}"}', 'deny'],
    [JSON.stringify(JSON.stringify(JSON.stringify('{"decision":{"action":"deny"}}'))), 'deny'],
    [`log\n${JSON.stringify('{"decision":{"action":"deny"}}')}\n`, 'deny'],
    // An unescaped quote, or a raw line break, in a value before it.
    ['{"decision":{"reason":"he said "no" to it","action":"deny"}}', 'deny'],
    ['{"decision":{"reason":"a 5" pipe","action":"deny"}}', 'deny'],
    ['{"decision":{"reason":"one\ntwo","action":"deny"}}', 'deny'],
    ['{"reason":"one\n{\ntwo","decision":"block"}', 'deny'],
    // The same, with text of the event that was pasted in and closes more than its own string.
    ['{"decision":{"reason":"no: "},"data":{"x":"","action":"deny"}}', 'deny'],
    ['{"decision":{"reason":"no: "},"action":"allow","data":{"x":"","action":"deny"}}', 'deny'],
    ['{"decision":{"action":"allow"},"data":{"x":"","action":"deny"}}', 'deny'],
    ['{"status":"denied"}', 'deny'],
    ['{"result":"deny"}', 'deny'],
    ['["deny"]', 'deny'],
    ['{"isAllowed":false}', 'deny'],
    ['{"should_block":true}', 'deny'],
    ['{"content":[{"type":"text","text":"{\\"decision\\":{\\"action\\":\\"deny\\"}}"}]}', 'deny'],
    ['{"decision":{"action": undefined || "deny"}}', 'deny'],
    // No JSON at all.
    ['{decision: {action: deny}}', 'deny'],
    ['decision: deny\nreason: x\n', 'deny'],
    ['<decision>deny</decision>', 'deny'],
    ['decision: ask', 'ask'],
    ['action=deny\n{"decision":{"action":"allow"}}', 'deny'],
    ['{"decision":{"action":"allow"}} but: BLOCKED\nblocked\n', 'deny'],
    ['deny', 'deny'],
    ['"deny"', 'deny'],
    ['BLOCKED: no writes to .env', 'deny'],
    [`${'['.repeat(300)}{"decision":{"action":"deny"}}`, 'deny'],
  ])('however it is spelt: %s', (text, action) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: false, decision: { action } });
  });

  const deny = '{"decision":{"action":"deny","reason":"no"}}';

  it.each([
    ['UTF-16LE without a BOM', inUnitsOf(2, true, deny)],
    ['UTF-16BE without a BOM', inUnitsOf(2, false, deny)],
    ['UTF-16LE with a word that is no ASCII', inUnitsOf(2, true, deny.replace('no', 'größer Ж'))],
    ['UTF-32LE', inUnitsOf(4, true, deny)],
    ['UTF-32BE with a BOM', inUnitsOf(4, false, `\ufeff${deny}`)],
    ['UTF-16LE with colours', inUnitsOf(2, true, '\u001b[31mDENY\u001b[39m: no')],
  ])('and does not lose it in %s', (_, stdout) => {
    expect(readAnswer(stdout, { event: 'tool:before' })).toMatchObject({ ok: false, decision: { action: 'deny' } });
  });

  it('says of NUL bytes what they look like', () => {
    const result = readAnswer(inUnitsOf(2, true, deny));
    expect(!result.ok && result.message).toContain('print UTF-8 (the NUL bytes look like UTF-16)');
  });

  it.each([
    '\u001b[31mDENY\u001b[39m: no',
    '\u001b[1;38;5;196mD\u001b[0mENY\u001b(B\u001b[m',
    '\u001b[38:2::255:0:0mBLOCKED\u001b[m: no',
    '\u009b31mDENY\u009b0m: no',
    '\u001b]0;checking\u0007DENY: no',
    '\u001b]8;;https://example.test/\u001b\\DENY\u001b]8;;\u001b\\: no',
    '{"decision":{"act\u001b[31mion":"de\u001b[0mny"}}',
    '{"status":"\\u001b[31mdenied\\u001b[39m"}',
    'D\u200bE\u2060N\u00adY: no',
    'ＤＥＮＹ：no',
    '𝐃𝐄𝐍𝐘: no',
    '{&quot;decision&quot;:{&quot;action&quot;:&quot;deny&quot;}}',
    '{&#34;decision&#x22;:{&#34;action&#34;:&#34;deny&#34;}}',
    '%7B%22decision%22%3A%7B%22action%22%3A%22deny%22%7D%7D',
    '{“decision”:{“action”:“deny”}}',
    '```json\n{"decision":{"action":"deny"}}\n```',
    '**DENY**: no',
    '> **Decision:** `deny`',
    '| decision | deny |',
    'decision → deny',
    'Access denied',
    'Access denied by policy',
    'Request was blocked: no writes to .env',
    'BLOCKED - no writes to .env',
    JSON.stringify('\u001b[31mDENY\u001b[39m: no'),
  ])('and does not lose it under its dress: %j', (text) => {
    expect(read(text)).toMatchObject({ ok: false, decision: { action: 'deny' } });
  });

  it.each([
    '{"decision":{"action":"modify","data":{"input":{"action":"stop"}}},"x":1}',
    '{"decision":{"action":"modify","data":{"decision":{"action":"deny"}}},"x":1}',
    '{"version":1,"idempotencyKey":"k","hook":{"data":{"input":{"action":"deny","decision":{"action":"stop"}}}}}',
    '{"decision":{"action":"allow","reason":"{\\"decision\\":{\\"action\\":\\"deny\\"}}"},"x":1}',
    '{"decision":{"action":"allow"},"x":1}',
    '{"decision":{"action":"Allow"}}',
    '{"decision":"approve","reason":"deny was not needed"}',
    '{"continue":true,"suppressOutput":true}',
    '{"block":false}',
    '{"denied":[]}',
    '{"status":"failed","errors":3}',
    '{"isAllowed":true}',
    '{"tool":"write","input":{"block":true,"continue":false}}',
    'all checks passed',
    'log\n{"decision":{"action":"modify","data":{"input":{"action":"stop"}}}}\nbye',
    '{"decision":{"data":{"input":{"action":"stop"}},"action":"modify"},"x":1}',
    'the action was "deny"',
    'cat: /etc/shadow: Permission denied',
    'Permission denied',
    'blocked requests were none',
    'deny-list loaded',
    '\u001b[32mall checks passed\u001b[0m',
    '{"decision":{"action":"modify","data":{"html":"&quot;action&quot;:&quot;deny&quot;","wide":"＂action＂：＂deny＂"}},"x":1}',
  ])('finds nothing in %s', (text) => {
    const result = read(text);
    expect(result).not.toHaveProperty('decision');
  });

  it('is linear on hostile text', () => {
    for (const piece of [
      '{',
      '"',
      "'",
      '{"',
      '[{',
      '\\"',
      '{"a":',
      '{"decision":{"action":"allow"',
      "{'",
      ',\'"',
      '\n{',
      '"\n',
      '{"action":   ',
      'action:"',
      'decision decision=',
      '"a" ',
      "{a:'",
      '["',
      '"\\"\n',
      '{"data":',
      'blocked',
      '\n\n',
      '\u001b',
      '\u001b[',
      '\u001b[3',
      '\u001b]0;',
      '\u009b(',
      '&#3',
      '&quot;',
      '%22',
      '\uff21\u0301',
      'access ',
      '* _|',
    ]) {
      expect(recogniseRestriction(piece.repeat(Math.ceil(2_000_000 / piece.length)))).toBeUndefined();
    }
  }, 60_000);
});

it('never throws on any bytes, and what it accepts is what JSON.parse and the schema accept', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '"decision"',
    ':',
    '"action"',
    '"allow"',
    '"deny"',
    ',',
    ' ',
    '\n',
    '"data"',
    '{}',
    '"x"',
    '1',
    '[',
    ']',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 20 }).map((pieces) => bytes(pieces.join(''))),
    fc.array(piece, { maxLength: 6 }).map((pieces) => bytes(`{"decision":{"action":"deny"${pieces.join('')}}}`)),
    fc.uint8Array({ maxLength: 60 }),
    fc.json().map(bytes),
  );
  fc.assert(
    fc.property(text, (stdout) => {
      const result = readAnswer(stdout, { event: 'tool:before' });
      if (!result.ok) return;
      const parsed: unknown = JSON.parse(new TextDecoder().decode(stdout));
      expect(Answer.parse(parsed).decision).toEqual(result.decision);
    }),
    { numRuns: 3_000 },
  );
});

it('never recognises a loosening', () => {
  const action = fc.constantFrom<string>('allow', 'modify', 'defer', 'continue', 'deny', 'ask', 'stop');
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 5 }), fc.string(), (said, noise) => {
      const stdout = said.map((one) => `{"decision":{"action":"${one}"}}`).join('\n');
      const result = read(`${stdout}\n${noise.replaceAll(/\s/g, '')}!`);
      expect(result.ok).toBe(false);
      const strictest = ['stop', 'deny', 'defer', 'ask'].find((one) => said.includes(one));
      expect(!result.ok && result.decision?.action).toBe(strictest);
    }),
  );
});

/** Ways to spoil an answer that leave its decision visible to a person. */
const spoilers: readonly ((deny: string) => string)[] = [
  (deny) => `noise\n${deny}`,
  (deny) => `${deny} trailing "noise`,
  (deny) => `${deny}\n{"decision":{"action":"allow"}}`,
  (deny) => `{"decision":{"action":"allow"}}\n${deny}`,
  (deny) => `{ " [ ' \n ${deny}`,
  (deny) => JSON.stringify(JSON.stringify(deny)),
  (deny) => deny.replaceAll('"', "'"),
  (deny) => deny.replaceAll('"', ''),
  (deny) => deny.replaceAll('":', '" \n : \t'),
  (deny) => deny.slice(0, -1),
  (deny) => deny.slice(0, -2),
  (deny) => `${deny.slice(0, -1)},"more":1}`,
  (deny) => `{"answer":${deny}}`,
  (deny) => `[${deny}]`,
  (deny) => `\u001b[31m${deny}\u001b[0m`,
  (deny) => Array.from(deny).join('\0'),
  (deny) => Array.from(deny).join('\u200b'),
];

it('keeps a denial however its answer was spoilt and whatever text stands before it', () => {
  const word = fc.constantFrom('deny', 'Deny', 'DENY', ' deny ', 'block', 'rejected', 'forbidden', 'halt');
  const spoil = fc.constantFrom(...spoilers);
  const before = fc.oneof(
    fc.string({ maxLength: 20 }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"a "quoted" word"', '"one\ntwo"', '"it\'s"', '"5" pipe"', '"back\\slash"', '"}"', '"{"', '"]},"'),
  );
  fc.assert(
    fc.property(word, spoil, before, (said, spoiled, reason) => {
      const result = read(spoiled(`{"decision":{"reason":${reason},"action":"${said}"},"x":1}`));
      expect(result.ok).toBe(false);
      expect(['deny', 'stop']).toContain(!result.ok && result.decision?.action);
    }),
    { numRuns: 2_000 },
  );
}, 60_000);

describe('readExitCodeAnswer', () => {
  it('takes 0 as allow and 1 as deny with the last lines of stderr', () => {
    expect(readExitCodeAnswer({ code: 0 }, 'warning')).toEqual({ ok: true, decision: { action: 'allow' } });
    expect(readExitCodeAnswer({ code: 1 }, '\nfirst\r\n\n  second \n\n')).toEqual({
      ok: true,
      decision: { action: 'deny', reason: 'first\n  second' },
    });
    expect(readExitCodeAnswer({ code: 1 }, ' \n')).toEqual({ ok: true, decision: { action: 'deny' } });
    const many = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n');
    const result = readExitCodeAnswer({ code: 1 }, many);
    expect(result.ok && result.decision).toMatchObject({
      reason: expect.stringMatching(/^\[the last 10 lines of stderr\]\nline 20\n[\s\S]*line 29$/),
    });
  });

  it.each([
    [2, 'nonzero_exit'],
    [127, 'nonzero_exit'],
    [-1, 'nonzero_exit'],
    [null, 'signal'],
  ])('does not decide on %s', (code, cause) => {
    expect(readExitCodeAnswer({ code }, '{"decision":{"action":"allow"}}')).toMatchObject({ ok: false, cause });
  });
});
