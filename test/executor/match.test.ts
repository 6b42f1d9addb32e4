import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob } from '../../src/executor/glob.ts';
import { compileMatcher } from '../../src/executor/match.ts';
import { eventDefinition } from '../../src/protocol/index.ts';
import type { Event, Matcher } from '../../src/protocol/index.ts';

function matches(matcher: Matcher, event: Event): boolean {
  const definition = eventDefinition(event.event);
  if (definition === undefined) throw new Error(`no event ${event.event}`);
  return compileMatcher(matcher)(event, definition).matches;
}

const write = (tool: string, step?: string): Event => ({
  event: 'tool:before',
  data: { tool, input: {} },
  ...(step === undefined ? {} : { context: { step } }),
});

describe('globs of names', () => {
  test.each([
    ['write', 'write', true],
    ['write', 'Write', false],
    ['write', 'write2', false],
    ['write', 'xwrite', false],
    ['*_delete', 'file_delete', true],
    ['*_delete', '_delete', true],
    ['*_delete', 'file_deleted', false],
    ['*', '', true],
    ['*', 'server/tool\nx', true],
    ['mcp__*__write', 'mcp__fs/local__write', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-c-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a**c', 'abc', true],
    ['.env', 'xenv', false],
    ['{a,b}', 'a', false],
    ['[a-z]', 'b', false],
    ['!write', 'read', false],
    ['a?c', 'abc', false],
  ])('%s on %j: %s', (pattern, name, expected) => {
    expect(compileGlob(pattern)(name)).toBe(expected);
  });

  test('agree with a plain definition', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }).map((letters) => letters.join(''));
    const name = fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 }).map((letters) => letters.join(''));
    const plain = (pattern: string, given: string): boolean =>
      pattern === ''
        ? given === ''
        : pattern.startsWith('*')
          ? plain(pattern.slice(1), given) || (given !== '' && plain(pattern, given.slice(1)))
          : given.startsWith(pattern.charAt(0)) && plain(pattern.slice(1), given.slice(1));
    fc.assert(fc.property(text, name, (pattern, given) => compileGlob(pattern)(given) === plain(pattern, given)));
  });

  test('come back at once from a pattern and a name made to hang', () => {
    expect(compileGlob(`${'*a'.repeat(120)}*b`)('a'.repeat(100_000))).toBe(false);
  });
});

describe('matchers', () => {
  test('an empty one is for every event of its name', () => {
    expect(matches({}, write('anything'))).toBe(true);
  });

  test('case does not matter', () => {
    expect(matches({ tools: ['WRITE', '*_Delete'] }, write('Write'))).toBe(true);
    expect(matches({ tools: ['*_Delete'] }, write('FILE_DELETE'))).toBe(true);
  });

  test('one tool of several is enough, each key must match', () => {
    const matcher = { tools: ['write', 'edit'], steps: ['implement'] };
    expect(matches(matcher, write('edit', 'implement'))).toBe(true);
    expect(matches(matcher, write('edit', 'review'))).toBe(false);
    expect(matches(matcher, write('read', 'implement'))).toBe(false);
    expect(matches(matcher, write('edit'))).toBe(false);
  });

  test('a tool event that does not say its tool is guarded', () => {
    expect(matches({ tools: ['write'] }, { event: 'tool:before', data: { input: {} } })).toBe(true);
    expect(matches({ tools: ['write'] }, { event: 'tool:before', data: { tool: 7, input: {} } })).toBe(true);
    expect(matches({ tools: ['write'] }, { event: 'run:start', data: {} })).toBe(false);
  });
});
