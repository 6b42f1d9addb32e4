import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { namedWords } from '../../../src/executor/trust/named-words.ts';

test.each<[string, string | readonly string[], readonly string[]]>([
  ['a program', './check.sh', ['./check.sh']],
  ['an argument vector', ['node', 'a b.mjs', '--rules=rules.txt'], ['a b.mjs', 'rules.txt']],
  ['a line of several commands', 'cat x | ./a.sh && sh b.sh; ./c.sh>out', ['./a.sh', 'b.sh', './c.sh']],
  ['quotes', `sh "my script.sh" './b c.sh'`, ['my script.sh', './b c.sh']],
  ['a variable', '"$ROOT"/hooks/a.sh ${X}/b.sh', ['/hooks/a.sh', '/b.sh']],
  ['a line inside a vector', ['/bin/sh', '-c', './a.sh --fast'], ['./a.sh']],
  ['code', ['node', '-e', "require('./a.js')(require(`b.js`))"], ['./a.js', 'b.js']],
  ['a substitution', 'echo $(./a.sh `./b.sh`)', ['./a.sh', './b.sh']],
])('%s', (_what, command, expected) => {
  expect(namedWords(command)).toEqual(expect.arrayContaining([...expected]));
});

test('every argument is a word itself, and no word is empty', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.array(fc.string()), (command, args) => {
      const words = namedWords(command, args);
      expect(words).toEqual(expect.arrayContaining([...command, ...args].filter((word) => word !== '')));
      expect(words).not.toContain('');
    }),
  );
});
