import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellCommands } from '../../../src/executor/trust/shell-words.ts';

/** Commands with `…` where something is not known. */
function read(line: string): string[] {
  return shellCommands(line)
    .filter(({ words }) => words.length > 0)
    .map(({ words }) => words.map(({ text, isKnown }) => (isKnown ? text : `${text}…`)).join(' '));
}

test.each<[string, string, readonly string[]]>([
  ['quotes and escapes', String.raw`a"b c"'d'\ e "\$f\q"`, [String.raw`ab cd e $f\q`]],
  ['operators', 'a;b&&c||d|e&f\ng', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
  ['a comment with a quote', "a # it's\nb#c", ['a', 'b#c']],
  ['an apostrophe in quotes', `a "it's $(b)" 'c'`, ['b', "a it's … c"]],
  ['redirections', 'a <in 2>&1 >"out file" b', ['a b']],
  ['a here-document, which is not understood', 'a <<E', ['a <<…']],
  ['substitutions', 'a $(b `c`) "$(d "e f")"', ['c', 'b …', 'd e f', 'a … …']],
  ['a substitution in an expansion', 'a ${x:-$(b)}', ['b', 'a :-}…']],
  ['variables that the line sets', 'x=1 y=2; a $x "$y$z"', ['x=1 y=2', 'a 1 2…']],
  ['a variable that is taken apart', 'x="1 2"; a $x "$x"', ['x=1 2', 'a … 1 2']],
  ['globs, braces and ~', 'a * "*" b? {c,d} ~/e [ f ]', ['a *… * b?… {c,d}… ~/e… [ f ]']],
  ['compound commands', 'if a; then b; else { c; }; fi; (d)', ['a', 'b', 'c', 'd']],
  ['case', 'case $x in a|*) b;; c) d ;; esac; e', ['b', 'd', 'e']],
  ['what follows the end of case', '(case x in x) ;; esac | a $x)', ['a …']],
  ['case in a substitution, which is not understood', 'a "$(case x in x) b;; esac)"', ['case…', 'a  b;; esac)…']],
  ['a quoted keyword, which is none', `'if' a; b`, ['if a', 'b']],
  ['arithmetic', 'a $((1 * $x))', ['a …']],
])('%s', (_what, line, expected) => {
  expect(read(line).toSorted()).toEqual([...expected].toSorted());
});

test.each([
  'x=1 | a; b $x',
  'a && x=1; b $x',
  'if a; then x=1; fi; b $x',
  'x=1 a; b $x',
  'x=1; read x; b $x',
  'x=1; x=2; b $x',
  'x=1 & b $x',
  '(x=1); b $x',
  'for x in 1; do b $x; done',
])('a variable was believed that may be another when it is used: %s', (line) => {
  expect(read(line)).toContain('b …');
});

test.each<[string, readonly string[] | undefined]>([
  ['cd a; x', ['.', 'a']],
  ['cd a && cd b; x', ['.', 'a', 'b', 'a/b']],
  ['(cd a; y); x', undefined],
  ['cd "$Y"; x', undefined],
  ['cd ..; x', undefined],
  ['cd -; x', undefined],
  ['while y; do cd a; done; x', undefined],
])('where a command may run after %s', (line, expected) => {
  expect(shellCommands(line).at(-1)?.directories).toEqual(expected);
});

test('a quoted text is one known word, whatever is in it', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
      expect(shellCommands(`a ${quoted}`)[0]?.words).toMatchObject([{ text: 'a' }, { text, isKnown: true }]);
    }),
  );
});

test('any text comes to an end', () => {
  const parts = fc.constantFrom(
    'a',
    ' ',
    '$',
    '(',
    ')',
    '`',
    '"',
    "'",
    '\\',
    '\n',
    ';;',
    '<<',
    'case ',
    ' in ',
    '#',
    '{',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (line) => {
      expect(shellCommands(line.join(''))).toBeInstanceOf(Array);
    }),
  );
});
