import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { limitProcesses, quoteForShell, rlimitLine } from '../../../src/sandbox/launch/shell-line.ts';
import { policyOf } from '../../support/view.ts';

const { limits } = policyOf();

/** What a shell makes of a line, in which `$n` is a newline as in a slot. */
function shell(line: string): string {
  return spawnSync('/bin/sh', ['-c', `n='\n'; eval "$1"`, 'sh', line], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  }).stdout;
}

test('a shell reads back every word, from a single line', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((text) => !text.includes('\0'));
  const nasty = fc.array(fc.constantFrom("'", '"', '\\', '\n', '$n', '`', '!', '-', ' ', '~', '\r', "'\\''"), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          word,
          nasty.map((parts) => parts.join('')),
        ),
        { minLength: 1, maxLength: 40 },
      ),
      (words) => {
        const quoted = words.map((one) => quoteForShell(one)).join(' ');
        expect(quoted).not.toContain('\n');
        expect(
          shell(String.raw`printf '%s\0' ${quoted}`)
            .split('\0')
            .slice(0, -1),
        ).toEqual(words);
      },
    ),
    { numRuns: 60 },
  );
});

test('a NUL is refused', () => {
  expect(() => quoteForShell('a\0b')).toThrow(TypeError);
});

test('the limits are those that a shell then has', () => {
  const shown = shell(
    `${rlimitLine({ ...limits, timeoutMs: 2_500 }, { cores: 2, data: true })} && ulimit -c; ulimit -n; ulimit -f; ulimit -t; ulimit -d`,
  );
  expect(shown.trim().split('\n').map(Number)).toEqual([0, 256, 131_072, 7, 524_288]);
  expect(rlimitLine(limits, { cores: 1, data: false })).not.toContain('ulimit -d');
});

test('the process limit is set before the program, which gets its words as they are', () => {
  const [command = '', ...words] = limitProcesses(
    ['/bin/sh', '-c', 'ulimit -u 2>/dev/null || ulimit -p; echo "$1"', 'sh', "it's"],
    77,
  );
  expect(spawnSync(command, words, { encoding: 'utf8' }).stdout).toBe("77\nit's\n");
});
