import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { limitProcesses, quoteForShell, rlimitLine } from '../../../src/sandbox/launch/shell-line.ts';
import { linux, liveTest, program, root } from '../../support/capability.ts';
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

// Root may raise its hard limits; without that capability nobody can.
const powerless = root.present ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

liveTest(
  root.present ? [linux, program('setpriv')] : linux,
  'lower limits of the caller stay, and stop nothing',
  () => {
    const shown = 'ulimit -n; ulimit -f; ulimit -t; ulimit -d';
    const line = `ulimit -n 200; ulimit -f 1000; ulimit -t 3; ulimit -d 300000; ${rlimitLine(limits, { cores: 2, data: true })} && ${shown}`;
    const [command, ...words] = [...powerless, '/bin/sh'];
    expect(spawnSync(command, [...words, '-c', line], { encoding: 'utf8' })).toMatchObject({
      stdout: '200\n1000\n3\n300000\n',
      stderr: '',
    });
  },
);

liveTest(
  root.present ? [linux, program('setpriv')] : linux,
  'a lower process limit of the caller stays, and stops nothing',
  () => {
    const [launched, ...words] = limitProcesses(['/bin/sh', '-c', 'ulimit -u 2>/dev/null || ulimit -p'], 1_000_000);
    const lower = '{ ulimit -u 5000 2>/dev/null || ulimit -p 5000; } && exec "$0" "$@"';
    const [command, ...before] = [...powerless, '/bin/sh', '-c', lower, launched ?? ''];
    expect(spawnSync(command, [...before, ...words], { encoding: 'utf8' })).toMatchObject({
      stdout: '5000\n',
      stderr: '',
    });
  },
);
