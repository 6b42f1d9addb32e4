import { expect, test } from 'vitest';
import { commandWords } from '../../../src/executor/trust/command-words.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

const files = { 'scripts/b1.sh': '', 'scripts/c.sh': '', 'lib.sh': '' };

test.each<[string, string | string[], string]>([
  ['a glob', 'sh scripts/b*.sh', 'scripts/b1.sh'],
  ['a variable of the line', 'd=scripts; sh $d/c.sh', 'scripts/c.sh'],
  ['an escape', String.raw`sh scripts/c\.sh`, 'scripts/c.sh'],
  ['joined quotes', 'sh scripts/""c.sh', 'scripts/c.sh'],
  ['cd', 'cd scripts && ./c.sh', 'scripts/c.sh'],
  ['a sourced file', '. ./lib.sh', 'lib.sh'],
  ['a shell in a shell', `bash -c "cd scripts; sh 'c'.sh"`, 'scripts/c.sh'],
  ['a line in a vector', ['bash', '-c', 'cd scripts; ./c.sh'], 'scripts/c.sh'],
])('a script named through %s was not pinned', (_what, command, expected) => {
  const read = commandWords({ command }, plant(scratchDirectory(), files));
  expect(read).toMatchObject({ words: expect.arrayContaining([expected]), unresolved: [] });
});

test.each([
  'sh $(cat scripts/name)',
  '$(cat scripts/name)',
  'sh "$X"',
  'cat a | sh',
  'bash <<< ./a.sh',
  'eval "$X"',
  'make -f m',
  'npm run check',
  'npx tool',
  'cd "$X" && ./a.sh',
  'sh scripts/?.sh',
  'd=a; d=b; sh $d/c.sh',
])('%s was accepted as if all it runs were pinned', (command) => {
  expect(commandWords({ command }, scratchDirectory()).unresolved).not.toEqual([]);
});

test.each([
  'jq -e .x',
  'grep -q foo',
  'grep -q "$FOO" a.txt',
  '"$ROOT"/hooks/a.sh',
  'cat x | jq .a',
  'node a.mjs --x="y"',
])('%s is an ordinary line', (command) => {
  expect(commandWords({ command }, scratchDirectory()).unresolved).toEqual([]);
});
