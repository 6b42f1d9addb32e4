import { spawnSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allow, bin, event, example, project } from './cli.ts';

const modify = `cat >/dev/null; echo '{"decision":{"action":"modify","data":{"input":{"path":"b.txt"}}}}'`;

/** Runs a hook with what the shell makes of stdout. */
function run(hook: string, redirection: string): { readonly status: number | null; readonly stderr: string } {
  const line = `exec "$0" "$1" exec --shell -- "$2" ${redirection}`;
  return spawnSync('/bin/sh', ['-c', line, process.execPath, bin, hook], {
    cwd: example,
    input: event,
    encoding: 'utf8',
    timeout: 45_000,
  });
}

describe('an answer that the host must read', () => {
  test.each([['>&-'], ['>/dev/null'], ['>/dev/full'], ['1</dev/null']])(
    'a change of the data with stdout %s does not go on without it',
    (redirection) => {
      const { status, stderr } = run(modify, redirection);
      expect(status).toBe(2);
      expect(stderr).toMatch(/^stdout: .*(?:Read|Make room|Open)/mu);
      expect(stderr).not.toContain('internal error');
    },
  );

  test('a file on a disk that is full in the middle of the answer: exit 2', () => {
    const file = path.join(project({}), 'answer');
    // The shell's units are 512 or 1024 bytes; in either case the limit lies within the answer.
    writeFileSync(file, '');
    truncateSync(file, 1_000);
    const long = modify.replace('b.txt', 'b'.repeat(3_000));
    const script = `ulimit -f 1; exec "$0" "$1" exec --backend none --shell -- "$2" >>'${file}'`;
    const { status, stderr } = spawnSync('/bin/sh', ['-c', script, process.execPath, bin, long], {
      cwd: example,
      input: event,
      encoding: 'utf8',
      timeout: 45_000,
    });
    expect(stderr).toMatch(/^stdout: could not be written \(EFBIG\)/mu);
    expect(status).toBe(2);
    expect(readFileSync(file, 'utf8')).not.toContain('"deny"');
  });

  test('a whole answer in a file: exit 0', () => {
    const file = path.join(project({}), 'answer');
    expect(run(modify, `>'${file}'`).status).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ data: { input: { path: 'b.txt' } } });
  });
});

test.each([['>&-'], ['>/dev/null']])('an allow with stdout %s is said by the exit code', (redirection) => {
  expect(run(allow, redirection).status).toBe(0);
});

test('other commands exit 74 when nobody gets what they print', () => {
  const { status, stderr } = spawnSync(
    '/bin/sh',
    ['-c', `exec "$0" "$1" schema pack >/dev/full`, process.execPath, bin],
    {
      encoding: 'utf8',
      timeout: 45_000,
    },
  );
  expect(status).toBe(74);
  expect(stderr).toMatch(/^stdout: could not be written \(ENOSPC\)/mu);
});
