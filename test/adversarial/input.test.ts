import { createHash, randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';

import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import { leavesNothing, sideBySide } from '../support/leaves-nothing.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';

const wall = [linux, bubblewrap];
const MIB = 1024 * 1024;
const large = randomBytes(4 * MIB);

// An error that nobody hears (EPIPE of a child's stdin) would end the host; vitest fails the file for it.
describe('stdin', () => {
  const run = sandboxOfFile();

  liveTest(wall, 'arrives byte for byte, then ends', async () => {
    const ran = await leavesNothing(run, 'sha256sum', { stdin: large });
    expect(ran.out).toBe(`${createHash('sha256').update(large).digest('hex')}  -\n`);
    expect(ran.bytes).toMatchObject({ stdin: large.length, stdinUnread: 0 });
  });

  liveTest(wall, 'ends at once when there is no payload', async () => {
    expect(await leavesNothing(run, 'cat; echo "end"')).toMatchObject({
      out: 'end\n',
      bytes: { stdin: 0, stdinUnread: 0 },
    });
  });

  liveTest(
    wall,
    'ends for a handler that reads to the end while others are launched and hold nothing of it',
    async () => {
      const answers = await sideBySide(24, 12, (index) => leavesNothing(run, 'cat', { stdin: `event ${index}` }));
      expect(answers.map(({ out }) => out)).toEqual(answers.map((_, index) => `event ${index}`));
    },
  );

  liveTest(wall, 'of 4 MiB that is never read costs the answer nothing', async () => {
    const ran = await leavesNothing(run, `echo '{}'`, { stdin: large });
    expect(ran).toMatchObject({ kind: 'ran', exit: { code: 0 }, out: '{}\n' });
    expect(ran.bytes).toMatchObject({ stdin: large.length, stdinUnread: large.length });
    expect(ran.killed).toBeUndefined();
  });

  liveTest(wall, 'that is read in part is counted to the byte', async () => {
    const ran = await leavesNothing(run, 'dd bs=10 count=1 2>/dev/null | wc -c', { stdin: large });
    expect(ran).toMatchObject({ exit: { code: 0 }, out: '10\n', bytes: { stdinUnread: large.length - 10 } });
  });

  liveTest(wall, 'that the handler closes costs nothing and raises no error, 200 times', async () => {
    const payload = large.subarray(0, 2 * MIB);
    await sideBySide(200, 8, async () => {
      const ran = await leavesNothing(run, `exec <&-; echo '{}'`, { stdin: payload });
      expect(ran).toMatchObject({
        kind: 'ran',
        exit: { code: 0 },
        out: '{}\n',
        bytes: { stdinUnread: payload.length },
      });
    });
  });

  liveTest(wall, 'can be opened by its name at any time: a named pipe without a writer would block', async () => {
    for (const wait of ['', 'sleep 0.3; ']) {
      const line = `${wait}[ -p /dev/stdin ] && [ ! -t 0 ] && cat /dev/stdin && cat /proc/self/fd/0`;
      expect(await leavesNothing(run, line, { stdin: 'payload' })).toMatchObject({ exit: { code: 0 }, out: 'payload' });
      expect(await leavesNothing(run, `${wait}cat /dev/stdin`)).toMatchObject({ exit: { code: 0 }, out: '' });
    }
    const ran = await leavesNothing(run, 'sha256sum /dev/stdin', { stdin: large });
    expect(ran.out).toBe(`${createHash('sha256').update(large).digest('hex')}  /dev/stdin\n`);
  });

  liveTest(wall, 'that the handler itself writes to does not count as ours', async () => {
    const ran = await leavesNothing(run, 'echo more > /dev/stdin; yes > /dev/stdin & sleep 0.1', { stdin: 'x' });
    expect(ran.bytes).toMatchObject({ stdin: 1, stdinUnread: 1 });
  });
});

describe('the command line and the environment', () => {
  const run = sandboxOfFile();
  const nasty = [
    '',
    ' ',
    '--',
    '--version',
    '-c',
    "it's",
    '"quoted"',
    'back\\slash',
    'two\nlines\n',
    '\r\n',
    '$(id) `id` ${HOME} $n $0',
    '; exit 0',
    '& | < > ( ) * ? [a] ~ # !',
    "'; exit 0; '",
    'größer 日本 🦔',
    '\u0001\u001b[31m\u007f',
    '%s%n',
  ];

  liveTest(wall, 'arrive word for word, whatever they hold', async () => {
    const ran = await run(['/bin/sh', '-c', String.raw`printf '%s\0' "$@"`, 'sh', ...nasty]);
    expect(ran.out.split('\0').slice(0, -1)).toEqual(nasty);
    const env = Object.fromEntries(nasty.map((value, index) => [`CELL_${index}`, value]));
    const seen = await run(['/usr/bin/env', '-0'], { policy: { env } });
    const values = new Map(
      seen.out.split('\0').map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
    );
    for (const [name, value] of Object.entries(env)) expect([name, values.get(name)]).toEqual([name, value]);
  });

  liveTest(wall, 'with a NUL never arrive: it would end an option of the sandbox and begin another', async () => {
    const inArgument = await run(['/bin/echo', 'a\0b']);
    expect(inArgument).toMatchObject({ kind: 'not-built', out: '' });
    const inValue = await run('id -u; echo "[$CELL]"', { policy: { env: { CELL: 'a\0--uid\x000\0--bind\0/\0/' } } });
    expect(inValue.out).toBe('65534\n[]\n');
    expect((await run('echo fine')).out).toBe('fine\n');
  });

  liveTest(
    wall,
    'a hundred kilobytes in one word arrive, and more than the kernel takes is refused in words',
    async () => {
      const word = 'x'.repeat(100_000);
      expect((await run(['/bin/echo', '-n', word])).out).toBe(word);
      const refused = await run(['/bin/echo', 'x'.repeat(200_000)]);
      expect(refused).toMatchObject({ kind: 'not-built', out: '' });
      expect(refused.detail).toMatch(/too long/u);
    },
  );

  liveTest(wall, 'many words beyond what the kernel takes are refused in words', async () => {
    const refused = await run(['/bin/echo', ...Array.from({ length: 60_000 }, () => 'x'.repeat(64))]);
    expect(refused).toMatchObject({ kind: 'not-built', out: '' });
    expect(refused.detail).toMatch(/too long/u);
  });
});
