import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineEvent,
  expectation,
  isJsonObject,
  schemaNames,
  parseJson,
  readAnswer,
  readEvent,
  readPack,
  schemas,
} from '../../src/protocol/index.ts';
import type { JsonValue, SchemaName } from '../../src/protocol/index.ts';
import { remarksOf } from '../../src/protocol/schema-remarks.ts';

/** Words of zod's own messages. */
const raw = /Invalid|Too (?:small|big)|Unrecognized|\breceived\b|Expected|[<>]=|another value \(/u;

const decision = { action: 'deny', reason: 'no', feedback: { a: 1 } };
const facts = {
  hook: { pack: 'p', id: 'h' },
  mode: 'control',
  durationMs: 1,
  queueMs: 0,
  timeoutMs: 5,
  bytes: { stdin: 1, stdinUnread: 0, stdout: 1, stderr: 0 },
  exit: { code: 0, signal: null },
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
  stderrTail: '',
  notes: ['x'],
};
const outcome = { ...facts, status: 'failed', cause: 'timeout', message: 'm', decision };
const event = { event: 'tool:before', id: 'e1', data: { tool: 'x' }, context: { runId: 'r', cwd: '/' } };
const sandbox = {
  project: 'none',
  network: 'none',
  env: ['CI'],
  read: ['/a'],
  write: ['b'],
  memoryMb: 1,
  maxProcesses: 1,
  maxOutputBytes: 1,
};
const handler = {
  type: 'command',
  command: 'true',
  args: ['a'],
  timeoutMs: 1,
  decide: 'json',
  onEmpty: 'fail',
  stdin: 'utf8',
};
const hook = {
  id: 'h',
  event: 'tool:before',
  mode: 'control',
  priority: 1,
  matcher: { tools: ['x'], steps: ['y'] },
  onFailure: 'block',
  terminationGate: { maxCycles: 1, maxDurationMs: 1, maxTokens: 1 },
  sandbox,
  handler,
};
const { env, ...limits } = sandbox;
const grant = { ...limits, env, reveal: ['/hook/data/a'], modifyWithSecrets: true, approve: false, timeoutMs: 1 };

/** A document of each schema with every key that there is. */
const whole = {
  pack: {
    $schema: 's',
    version: 1,
    name: 'p',
    description: 'd',
    required: true,
    files: ['a'],
    sandbox,
    reveal: ['/hook/data/a'],
    hooks: [hook],
  },
  event,
  envelope: {
    version: 1,
    idempotencyKey: `hk1_${'a'.repeat(43)}`,
    hook: { id: 'h', pack: 'p', event: 'tool:before', attempt: 1, depth: 0, timeoutMs: 1, data: {} },
    context: { runId: 'r' },
    redacted: [{ pointer: '/a', kind: 'k' }],
  },
  answer: { decision },
  outcome,
  verdict: {
    version: 1,
    event: 'tool:before',
    eventId: 'e',
    decision,
    data: {},
    failedOpen: [{ hook: { pack: 'p', id: 'h' }, cause: 'timeout' }],
    outcomes: [outcome],
  },
  vector: {
    $schema: 's',
    version: 1,
    description: 'd',
    event,
    packs: ['p'],
    project: '.',
    options: { env: { CI: '1' }, read: ['a'], timeoutMs: 1, reveal: ['/hook/data/a'], modifyWithSecrets: ['p'] },
    expect: {
      action: 'deny',
      reason: { contains: 'n' },
      feedback: 'f',
      data: {},
      hooks: ['p/h'],
      causes: { 'p/h': 'timeout' },
      redacted: [{ pointer: '/a', kind: 'k' }],
    },
  },
  config: {
    $schema: 's',
    version: 1,
    profile: 'oss',
    backend: 'auto',
    killSwitch: 'allow',
    secrets: ['TOKEN'],
    organizationPacks: ['/p'],
    grant,
    organization: { p: grant },
    projects: { '/p': { grant, packs: { p: grant } } },
  },
} as const satisfies Record<SchemaName, JsonValue>;

const wrong: readonly JsonValue[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 60,
  '',
  ' ',
  'x\u0001',
  'x'.repeat(40_000),
  [],
  [null],
  [['x']],
  Array.from({ length: 2_000 }, () => 'a'),
  {},
  { 'x\u0000y': 1, '': 2 },
];

/** Every copy of `value` in which one value at any depth is another. */
function* spoiled(value: JsonValue): Generator<JsonValue> {
  yield* wrong;
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    for (const [index, item] of items.entries()) for (const other of spoiled(item)) yield items.with(index, other);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    const rest = Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
    yield rest;
    yield { ...rest, [`${key}x`]: item };
    for (const other of spoiled(item)) yield { ...value, [key]: other };
  }
}

describe('no wording of zod reaches a user', () => {
  it.each(schemaNames)('of the schema %s, whatever is wrong', (name) => {
    const schema = schemas[name];
    const document = whole[name];
    expect(schema.safeParse(document).error).toBeUndefined();
    const messages = new Set<string>();
    for (const value of spoiled(document))
      for (const { message } of remarksOf(schema, value)) messages.add(message.slice(0, 300));
    expect(messages.size).toBeGreaterThan(10);
    expect(
      [...messages].filter((message) => raw.test(message) || !/^(?:expected |the key |unknown key )/u.test(message)),
    ).toEqual([]);
  });

  it('of an answer', () => {
    for (const value of spoiled(whole.answer)) {
      const answer = readAnswer(new TextEncoder().encode(JSON.stringify(value)));
      if (!answer.ok) expect(answer.message).not.toMatch(raw);
    }
  });

  it('of a pack and of an event', () => {
    for (const value of spoiled(whole.pack)) {
      const read = readPack(JSON.stringify(value), 'p.json');
      if (!read.ok) for (const { message } of read.findings) expect(message).not.toMatch(raw);
    }
    for (const value of spoiled(whole.event)) {
      const read = readEvent(value);
      if (!read.ok) for (const { message } of read.findings) expect(message).not.toMatch(raw);
    }
  });

  it('of an event of the host, whose own words stay', () => {
    const schema = z.strictObject({ target: z.enum(['a', 'b']), wave: z.int().max(3, { error: 'no fourth wave' }) });
    const knownEvents = new Map([['deploy:start', defineEvent('deploy:start', { class: 'guard', schema })]]);
    const messages = (data: string) => {
      const parsed = parseJson(`{"event":"deploy:start","data":${data}}`, { numbers: 'keep' });
      if (!parsed.ok) throw new Error(parsed.message);
      const read = readEvent(parsed.value, { knownEvents });
      return read.ok ? [] : read.findings.map(({ message }) => message);
    };
    expect(messages('{"target":"c","wave":4}')).toEqual([
      'data of deploy:start: expected "a" or "b", got "c"',
      'data of deploy:start: no fourth wave, got 4',
    ]);
    expect(messages('{"target":"a","wave":1,"tarmac":1}')).toEqual([
      'data of deploy:start: unknown key "tarmac"; expected one of target, wave',
    ]);
  });

  it('of any rule that a schema can have', () => {
    const cases: readonly (readonly [z.ZodType, unknown])[] = [
      [z.string().min(2), 'a'],
      [z.string().length(3), 'a'],
      [z.string().startsWith('/x'), 'a'],
      [z.string().endsWith('/x'), 'a'],
      [z.string().includes('/x'), 'a'],
      [z.string().regex(/^b$/u), 'a'],
      [z.email(), 'a'],
      [z.iso.datetime(), 'a'],
      [z.number().gt(3), 3],
      [z.number().lt(3), 3],
      [z.number().multipleOf(2), 3],
      [z.int(), 1.5],
      [z.int(), 2 ** 60],
      [z.number(), Number.NaN],
      [z.bigint().max(3n), 4n],
      [z.date(), 'x'],
      [z.set(z.string()), new Set([1])],
      [z.map(z.string(), z.string()), new Map([['a', 1]])],
      [z.tuple([z.string()]), ['a', 'b']],
      [z.never(), 1],
      [z.union([z.string(), z.array(z.string()).min(1)]), []],
      [z.discriminatedUnion('a', [z.object({ a: z.literal('b') }), z.object({ a: z.literal('c') })]), { a: 'd' }],
      [z.record(z.string().max(1), z.string()), { aa: 'x' }],
      [z.string().refine(() => false), 'a'],
      [z.instanceof(AbortSignal), 1],
      [z.strictObject({}), { a: 1 }],
    ];
    for (const [schema, value] of cases) {
      const { error } = schema.safeParse(value, { error: expectation });
      expect(error?.issues.length).toBeGreaterThan(0);
      for (const { message } of error?.issues ?? []) {
        expect(message).toMatch(/^expected /u);
        expect(message).not.toMatch(raw);
      }
    }
  });
});

const messageOf = (text: string): string => {
  const answer = readAnswer(new TextEncoder().encode(text));
  return answer.ok ? 'ok' : answer.message;
};

describe('an answer says what was expected', () => {
  it.each([
    [
      '{"decision":{"action":"continue"}}',
      'the key "feedback" is missing; expected text or a JSON object at /decision/feedback; "continue" is only for a hook inside a termination gate',
    ],
    [
      '{"decision":{"action":"deny","feedback":[1]}}',
      'expected text or a JSON object, got an array at /decision/feedback',
    ],
    ['{"decision":{"action":"deny","reson":"x"}}', 'at /decision: unknown key "reson"; did you mean "reason"?'],
    [
      '{"decision":{"action":"approve"}}',
      'expected one of allow, modify, ask, defer, deny, stop at /decision/action, got "approve"',
    ],
  ])('%s', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });
});
