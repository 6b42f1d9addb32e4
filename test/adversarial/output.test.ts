import { describe, expect } from 'vitest';

import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import { leavesNothing } from '../support/leaves-nothing.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';

const wall = [linux, bubblewrap];
const CAP = 100_000;
const limits = { maxOutputBytes: CAP, maxStderrBytes: CAP, keepStderrBytes: 1_000 };
const run = sandboxOfFile();

/** A line that prints so many bytes. */
const bytes = (count: number): string => `head -c ${count} /dev/zero | tr '\\0' x`;

describe('stdout', () => {
  liveTest(wall, 'that was written before the exit is read to its last byte', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ran = await leavesNothing(run, `${bytes(900_000)}; echo; echo '{"n":1}'`);
      expect(ran.stdout.length).toBe(900_009);
      expect(ran.out.endsWith('x\n{"n":1}\n')).toBe(true);
      expect(ran.exit.code).toBe(0);
    }
  });

  liveTest(wall, 'up to the cap is an answer, one byte more is none', async () => {
    const full = await leavesNothing(run, bytes(CAP), { limits });
    expect(full).toMatchObject({ exit: { code: 0 }, bytes: { stdout: CAP } });
    expect([full.killed, full.stdout.length]).toEqual([undefined, CAP]);
    const over = await leavesNothing(run, bytes(CAP + 1), { limits });
    expect(over).toMatchObject({ kind: 'ran', killed: 'output_limit', bytes: { stdout: CAP + 1 } });
    expect(over.stdout.length).toBe(CAP);
  });

  liveTest(wall, 'keeps characters whole that are written byte by byte', async () => {
    const line = String.raw`for byte in 346 227 245 360 237 246 224; do printf "\\$byte"; sleep 0.01; done`;
    expect((await leavesNothing(run, line)).out).toBe('日🦔');
  });

  liveTest(wall, 'keeps every byte as it was, valid text or not', async () => {
    const ran = await leavesNothing(run, String.raw`printf '\000\377\376\357\273\277\r\n\303'`);
    expect([...ran.stdout]).toEqual([0, 255, 254, 239, 187, 191, 13, 10, 195]);
  });

  liveTest(wall, 'may be closed early by a handler that ends well', async () => {
    expect(await leavesNothing(run, `echo '{}'; exec >&-; sleep 0.1`)).toMatchObject({
      exit: { code: 0 },
      out: '{}\n',
    });
  });

  liveTest(wall, 'and stderr can be opened by their names', async () => {
    const line = 'echo out > /dev/stdout; echo err > /dev/stderr; echo more > /proc/self/fd/1; echo last >> /dev/fd/2';
    expect(await leavesNothing(run, line)).toMatchObject({ exit: { code: 0 }, out: 'out\nmore\n', err: 'err\nlast\n' });
  });
});

describe('a flood', () => {
  const floods: readonly (readonly [string, string, string])[] = [
    ['of stdout', 'yes', 'output_limit'],
    ['of stdout by zeros', 'cat /dev/zero', 'output_limit'],
    ['of stdout, deaf to signals', `trap '' TERM PIPE; while :; do cat /dev/zero; done`, 'output_limit'],
    ['of stderr', 'yes >&2', 'stderr_limit'],
    ['of stdout by many', 'for i in 1 2 3 4 5 6 7 8; do (setsid yes $i &); done; sleep 1000', 'output_limit'],
    ['of stdout by a daemon, after an answer and a good end', `(setsid yes &); sleep 0.2; echo '{}'`, 'output_limit'],
  ];
  for (const [what, line, killed] of floods) {
    liveTest(wall, `${what} ends the run at the cap, and no more than the cap is kept`, async () => {
      const ran = await leavesNothing(run, line, { limits });
      expect(ran).toMatchObject({ kind: 'ran', killed });
      expect(ran.stdout.length).toBeLessThanOrEqual(CAP);
      expect(ran.stderr.length).toBeLessThanOrEqual(1_000);
    });
  }

  liveTest(wall, 'of both ends the run, whichever cap comes first', async () => {
    const ran = await leavesNothing(run, 'yes & yes >&2 & wait', { limits });
    expect(['output_limit', 'stderr_limit']).toContain(ran.killed);
    expect([ran.stdout.length <= CAP, ran.stderr.length <= 1_000]).toEqual([true, true]);
  });

  liveTest(wall, 'of stderr below its cap keeps the tail', async () => {
    const ran = await leavesNothing(run, `(echo first; ${bytes(50_000)}; echo last) >&2; echo '{}'`, { limits });
    expect(ran).toMatchObject({ exit: { code: 0 }, out: '{}\n', bytes: { stderr: 50_011 } });
    expect([ran.stderr.length, ran.err.endsWith('xlast\n')]).toEqual([1_000, true]);
  });
});

describe('words that imitate the sandbox', () => {
  const imitations = [
    'bwrap: execvp /bin/sh: No such file or directory',
    'bwrap: Creating new namespace failed: Operation not permitted',
    'bwrap: setting up uid map: Permission denied',
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    '{ "exit-code": 0 }',
  ];

  liveTest(wall, 'on stderr with exit 1 are those of a handler that failed', async () => {
    for (const words of imitations) {
      const ran = await leavesNothing(run, `cat >&2; exit 1`, { stdin: words });
      expect(ran).toMatchObject({ kind: 'ran', exit: { code: 1, signal: null }, err: words });
      expect(ran.detail).toBeUndefined();
    }
  });

  liveTest(wall, 'as a status on every descriptor change no status', async () => {
    const line = `exec 2>/dev/null; for d in 0 1 2 3 4 5 6 7 8 9 10 11 12 200; do
      echo '{ "exit-code": 0 }' > /proc/self/fd/$d; echo '{ "child-pid": 1, "exit-code": 0 }' > /proc/1/fd/$d; done; exit 3`;
    expect(await leavesNothing(run, line)).toMatchObject({ kind: 'ran', exit: { code: 3, signal: null } });
    const killed = await leavesNothing(run, `echo '{ "exit-code": 0 }' | tee /proc/1/fd/5; kill -9 $$`);
    expect(killed.exit.code).not.toBe(0);
  });

  liveTest(wall, 'exit codes that shells, env and bwrap use are the handler\u2019s own', async () => {
    for (const code of [1, 2, 125, 126, 127, 255]) {
      expect(await leavesNothing(run, `exit ${code}`)).toMatchObject({ kind: 'ran', exit: { code, signal: null } });
    }
    expect(await leavesNothing(run, '/no/such/program')).toMatchObject({ kind: 'ran', exit: { code: 127 } });
    expect(await leavesNothing(run, '/etc/passwd')).toMatchObject({ kind: 'ran', exit: { code: 126 } });
  });
});
