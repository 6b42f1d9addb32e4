import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { CallReader, type Call } from '../../../src/sandbox/trace/call-reader.ts';

interface Heard {
  readonly calls: Call[];
  readonly entered: string[];
  readonly signals: string[];
}

function read(chunks: readonly string[]): Heard & { readonly incomplete: boolean } {
  const heard: Heard = { calls: [], entered: [], signals: [] };
  const reader = new CallReader({
    call: (call) => heard.calls.push(call),
    entered: (pid, name) => heard.entered.push(`${pid} ${name}`),
    signal: (pid, name) => heard.signals.push(`${pid} ${name}`),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { ...heard, incomplete: reader.incomplete };
}

const failed = '7  openat(AT_FDCWD</w>, "x", O_RDONLY) = -1 ENOENT (No such file or directory)\n';
const call = { pid: 7, name: 'openat', args: ['AT_FDCWD</w>', '"x"', 'O_RDONLY'], error: 'ENOENT' };

describe('calls', () => {
  test('that failed, that succeeded, that returned a descriptor with a name', () => {
    const { calls } = read([
      failed,
      '7  chdir("/w")              = 0\n',
      '7  openat(3</w>, "y", O_RDONLY) = 4</w/y>\n',
    ]);
    expect(calls).toEqual([
      call,
      { pid: 7, name: 'chdir', args: ['"/w"'] },
      { pid: 7, name: 'openat', args: ['3</w>', '"y"', 'O_RDONLY'] },
    ]);
  });

  test('that were interrupted by lines of others', () => {
    const { calls, entered } = read([
      '7  openat(AT_FDCWD</w>, "x",  <unfinished ...>\n',
      '8  chdir("/") = 0\n',
      '7  <... openat resumed>O_RDONLY) = -1 ENOENT (No such file or directory)\n',
    ]);
    expect(calls).toEqual([{ pid: 8, name: 'chdir', args: ['"/"'] }, call]);
    expect(entered).toEqual(['7 openat', '8 chdir']);
  });

  test('that never returned are none', () => {
    expect(read(['7  execve("/x", [], 0x1) = ?\n', '7  exit_group(0) = ?\n']).calls).toEqual([]);
  });

  test('however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const text = failed.repeat(3);
        const chunks: string[] = [];
        for (let at = 0, index = 0; at < text.length; index += 1) {
          const size = sizes[index % sizes.length] ?? 1;
          chunks.push(text.slice(at, at + size));
          at += size;
        }
        expect(read(chunks).calls).toEqual([call, call, call]);
      }),
    );
  });
});

test('signals', () => {
  expect(read(['7  --- SIGSYS {si_signo=SIGSYS, si_code=SYS_SECCOMP} ---\n']).signals).toEqual(['7 SIGSYS']);
});

test('lines that are no calls are passed over', () => {
  const noise = ['', 'strace: hello', '7  +++ exited with 0 +++', '7  <... openat resumed>) = 3', '7  openat(AT_FDCWD'];
  expect(read([`${noise.join('\n')}\n${failed}`]).calls).toEqual([call]);
});

test('a line without end is skipped, and the next one is read', () => {
  const chunk = 'x'.repeat(1_000_000);
  expect(read([`7  openat("`, chunk, chunk, `\n${failed}`]).calls).toEqual([call]);
});

test('text without end is not looked at any more, and that is said', () => {
  const chunk = `${'x'.repeat(1_048_575)}\n`;
  const { calls, incomplete } = read([...Array.from({ length: 65 }, () => chunk), failed]);
  expect(incomplete).toBe(true);
  expect(calls).toEqual([]);
});

test('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      read([`7  openat(${text}\n`, `7  ${text} <unfinished ...>\n7  <... ${text} resumed>${text}\n`]);
    }),
  );
});
