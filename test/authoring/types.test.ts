import { describe, expect, expectTypeOf, test } from 'vitest';
import type { EventTable } from '../../src/authoring/event-table.ts';
import type { AnswerOf, DataOf, EventName } from '../../src/authoring/index.ts';
import { checkDecision, Decision, defaultMode, events } from '../../src/protocol/index.ts';

const guard = ['allow', 'deny', 'ask', 'defer', 'stop'] as const;
const transform = ['allow', 'modify', 'stop'] as const;
const both = [...guard, 'modify'] as const;
const turnEnd = ['allow', 'deny', 'stop'] as const;
interface Written {
  readonly written: {
    readonly says: readonly string[];
    readonly replaces: readonly string[];
    readonly names: readonly string[];
  };
}

/** The members beside `written` are never there: they carry the types. */
interface TypedRow<Says, Replaces, Names> extends Written {
  readonly types?: { says: Says; replaces: Replaces; fields: Replaces | Names };
}

function row<Says extends string, Replaces extends string = never, Names extends string = never>(
  says: readonly Says[],
  replaces: readonly Replaces[] = [],
  names: readonly Names[] = [],
): TypedRow<Says, Replaces, Names> {
  return { written: { says, replaces, names } };
}

/** The table once more, for the run: the type of it is compared with the one that authors get. */
const rows = {
  'engine:start': row(guard),
  'engine:stop': row(guard),
  'session:start': row(transform, ['context']),
  'session:end': row(guard),
  'run:start': row(both, ['context']),
  'run:end': row(guard),
  'run:error': row(guard),
  'prompt:submit': row(both, ['message']),
  'turn:start': row(guard),
  'turn:end': row(guard),
  'turn:stop': row(turnEnd),
  'model:before': row(transform, ['messages', 'tools', 'request']),
  'model:after': row(guard),
  'tool:before': row(both, ['input'], ['tool']),
  'tool:after': row(transform, ['result'], ['tool']),
  'tool:error': row(transform, ['result'], ['tool']),
  'mcp:before': row(both, ['headers'], ['tool']),
  'mcp:after': row(guard, [], ['tool']),
  'message:create': row(both, ['message']),
  'message:update': row(both, ['updates']),
  'message:created': row(guard),
  'message:updated': row(guard),
  'permission:request': row(guard, [], ['tool']),
  'subagent:start': row(guard),
  'subagent:stop': row(turnEnd),
  'context:compact': row(guard),
  'external:event': row(guard),
  'user:attached': row(guard),
  'user:detached': row(guard),
  'user:value-changed': row(guard),
  notification: row(guard),
};

type Shape<Row> =
  Row extends TypedRow<infer Says, infer Replaces, infer Names>
    ? { says: Says; replaces: Replaces; fields: Replaces | Names }
    : never;

describe('the table of events that authors get', () => {
  test('is the one of this test, which is the catalogue', () => {
    expectTypeOf<{ [Name in keyof typeof rows]: Shape<(typeof rows)[Name]> }>().toEqualTypeOf<{
      [Name in keyof EventTable]: {
        says: EventTable[Name]['says'];
        replaces: EventTable[Name]['replaces'];
        fields: EventTable[Name]['fields'];
      };
    }>();
    expect(Object.keys(rows).toSorted()).toEqual([...events.keys()].toSorted());
  });

  test.each(Object.entries<Written>(rows))('%s: what may be said, replaced and read', (name, { written }) => {
    const definition = events.get(name);
    if (definition === undefined) throw new Error(`no definition of ${name}`);
    expect([...written.replaces].toSorted()).toEqual([...definition.modifiable].toSorted());
    expect(written.names.includes('tool')).toBe(definition.namesTool);
    const data = Object.fromEntries(definition.modifiable.map((key) => [key, {}]));
    const said = ['allow', 'modify', 'ask', 'defer', 'deny', 'stop', 'continue'].filter((action) => {
      const whole = {
        action,
        ...(action === 'modify' ? { data } : {}),
        ...(action === 'continue' ? { feedback: 'x' } : {}),
      };
      const decision = Decision.safeParse(whole);
      if (!decision.success) throw new Error(`${name}: ${action}: ${decision.error.message}`);
      return checkDecision(decision.data, definition, { data, mode: defaultMode(definition) }).ok;
    });
    expect([...written.says].toSorted()).toEqual(said.toSorted());
  });
});

test('what is typed wrong does not compile', () => {
  const answers: AnswerOf<'tool:before'>[] = [
    { decision: { action: 'modify', data: { input: 1 } } },
    // @ts-expect-error tool:before lets only its input be replaced
    { decision: { action: 'modify', data: { tool: 'x' } } },
    // @ts-expect-error there is no such action
    { decision: { action: 'approve' } },
  ];
  // @ts-expect-error a transform cannot be denied
  const denied: AnswerOf<'model:before'> = { decision: { action: 'deny' } };
  // @ts-expect-error no event of the catalogue
  const name: EventName = 'PreToolUse';
  expect([answers, denied, name]).toHaveLength(3);
  expectTypeOf<DataOf<'tool:before'>['input']>().toEqualTypeOf<DataOf<'tool:before'>['tool']>();
});
