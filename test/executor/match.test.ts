import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob } from '../../src/protocol/index.ts';
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

  test.each([
    ['Bash\u200b'],
    ['\u202eBash'],
    ['Ba\u00adsh'],
    ['B\ufe0fash'],
    ['Bash\u{e0041}'],
    ['Ba\0sh'],
    ['\u001bBash'],
    [' Bash\n'],
    ['\u3000Bash\u00a0'],
    ['Ｂａｓｈ'],
    ['𝐁𝐚𝐬𝐡'],
    ['ba\u017fh'],
  ])('a guard of Bash was skipped by %j, which reads the same', (tool) => {
    expect(matches({ tools: ['Bash'] }, write(tool))).toBe(true);
    expect(matches({ tools: ['ba*'] }, write(tool))).toBe(true);
    expect(matches({ tools: ['zsh'] }, write(tool))).toBe(false);
    expect(matches({ steps: ['bash'] }, write('x', tool))).toBe(true);
  });

  test.each([['Ｂａｓｈ'], ['Ba\u200bsh'], [' Bash ']])('a guard of %j is asked about Bash', (pattern) => {
    expect(matches({ tools: [pattern] }, write('Bash'))).toBe(true);
    expect(matches({ tools: [pattern] }, write(pattern))).toBe(true);
    expect(matches({ tools: [pattern] }, write('Zsh'))).toBe(false);
  });

  test.each([[''], [' \t'], ['\u200b\u2060'], ['\ud800'], ['read\udc00'], ['x'.repeat(1_025)]])(
    'a guard was skipped by %j, a name that cannot be told from another',
    (tool) => {
      expect(matches({ tools: ['Bash'] }, write(tool))).toBe(true);
      expect(matches({ steps: ['implement'] }, write('x', tool))).toBe(true);
    },
  );

  test('a guard was skipped by a custom event whose tool is a list, an object or another value that is no text', () => {
    for (const tool of [['Bash'], { name: 'Bash' }, 7, true, {}]) {
      expect(matches({ tools: ['write'] }, { event: 'custom:deploy', data: { tool } })).toBe(true);
    }
    for (const data of [{}, { tool: null }, { tool: 'read' }]) {
      expect(matches({ tools: ['write'] }, { event: 'custom:deploy', data })).toBe(false);
    }
  });

  test('a letter with several small forms does not cut a glob off from its names', () => {
    expect(matches({ tools: ['ΟΔΟΣ*'] }, write('ΟΔΟΣΑ'))).toBe(true);
    expect(matches({ tools: ['straße'] }, write('STRASSE'))).toBe(true);
  });

  test('whatever matches without regard to case alone matches', () => {
    const letters = fc.constantFrom('a', 'B', ' ', '\u0301', '\u0323', '\u200b', 'é', 'İ', 'ẞ', 'Σ', 'ﬁ', '*', '\n');
    const text = fc.array(letters, { minLength: 1, maxLength: 8 }).map((list) => list.join(''));
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        const before = compileGlob(pattern.toLowerCase())(name.toLowerCase());
        fc.pre(before);
        expect(matches({ tools: [pattern] }, write(name))).toBe(true);
      }),
    );
  });

  test('a name with a million marks is not waited for', () => {
    expect(matches({ tools: ['Bash'] }, write(`a${'\u0301\u0323'.repeat(1_000_000)}`))).toBe(true);
  });
});
