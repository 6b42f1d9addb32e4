import { symlinkSync } from 'node:fs';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defineEvent } from '../../src/index.ts';
import { assertVector, runVector, VectorFailedError, vectorText } from '../../src/testing/index.ts';
import { event, projectOf, resultOf, says, shell, textOf, write } from './project.ts';

const denies = says({ action: 'deny', reason: 'not here' });

describe('a vector passes', () => {
  test.each([
    [denies, { action: 'deny' }],
    [denies, { action: 'deny', reason: 'not here', hooks: ['p/h'] }],
    [denies, { action: 'deny', reason: { contains: 'here' } }],
    [says({ action: 'deny', feedback: { lines: [1] } }), { action: 'deny', feedback: { lines: [1] } }],
    [
      says({ action: 'modify', data: { input: { b: 1 } } }),
      { action: 'modify', data: { input: { b: 1 }, tool: 'write' } },
    ],
    [shell('exit 3'), { action: 'deny', causes: { 'p/h': 'nonzero_exit' } }],
    [shell('exit 3', { onFailure: 'continue' }), { action: 'allow', causes: { 'p/h': 'nonzero_exit' } }],
    [says({ action: 'deny' }, { matcher: { tools: ['read'] } }), { action: 'allow', hooks: [] }],
    [says({ action: 'deny' }, { mode: 'observe' }), { action: 'allow', hooks: ['p/h'] }],
  ])('%j: %j', async (hook, expected) => {
    expect(await resultOf([hook], expected)).toMatchObject({ status: 'passed', differences: [], findings: [] });
  });

  test('with numbers beyond 2^53, digit by digit', async () => {
    const hook = shell(`grep -q 12345678901234567891 && printf '%s' '{"decision":{"action":"allow"}}'`);
    const text = textOf({ action: 'allow' }).replace('"a.txt"', '12345678901234567891');
    const cwd = projectOf([hook], { 'a.vector.json': text });
    expect(await runVector('a.vector.json', { cwd })).toMatchObject({ status: 'passed' });
  });

  test('when it names what a hook sees redacted, and a reason with a marker', async () => {
    const line = `token=$(sed 's/.*"token":"\\([^"]*\\)".*/\\1/'); printf '{"decision":{"action":"deny","reason":"holds %s"}}' "$token"`;
    const data = { tool: 'write', input: { token: `ghp_${'a'.repeat(36)}` } };
    const redacted = [{ pointer: '/hook/data/input/token', kind: 'token' }];
    const expected = { action: 'deny', reason: 'holds [REDACTED:token#*-1]', redacted };
    expect(await resultOf([shell(line)], expected, { vector: { event: { ...event, data } } })).toMatchObject({
      status: 'passed',
    });
  });

  test('at an event of the host', async () => {
    const events = [defineEvent('deploy:start', { class: 'guard' })];
    const hook = says({ action: 'ask', reason: 'who?' }, { event: 'deploy:start' });
    const vector = { event: { event: 'deploy:start', data: {} } };
    expect(await resultOf([hook], { action: 'ask' }, { vector, options: { events } })).toMatchObject({
      status: 'passed',
    });
  });
});

describe('a vector fails, and says how', () => {
  test.each([
    [denies, { action: 'allow' }, { what: 'action', expected: 'allow', actual: 'deny ("not here")' }],
    [denies, { action: 'deny', reason: 'no' }, { what: 'reason', expected: '"no"', actual: '"not here"' }],
    [denies, { action: 'deny', reason: { contains: 'no!' } }, { what: 'reason', actual: '"not here"' }],
    [denies, { action: 'deny', feedback: 'mend it' }, { what: 'feedback', actual: 'none' }],
    [denies, { action: 'deny', hooks: [] }, { what: 'hooks', expected: 'none', actual: 'p/h' }],
    [says({ action: 'deny' }, { matcher: { tools: ['read'] } }), { action: 'allow' }, { what: 'hooks' }],
    // A hook that is broken must not pass for one that denies.
    [shell('exit 3'), { action: 'deny' }, { what: 'causes', expected: 'none', actual: 'nonzero_exit' }],
    [shell('exit 3', { mode: 'observe' }), { action: 'allow' }, { what: 'causes', actual: 'nonzero_exit' }],
    [denies, { action: 'deny', causes: { 'p/h': 'timeout' } }, { what: 'causes', expected: 'timeout', actual: 'none' }],
    [shell('exit 3'), { action: 'deny', causes: { 'p/h': 'timeout' } }, { what: 'causes', actual: 'nonzero_exit' }],
    [denies, { action: 'deny', redacted: [{ pointer: '/hook/data/x', kind: 'token' }] }, { what: 'redacted' }],
  ])('%j: %j', async (hook, expected, difference) => {
    const result = await resultOf([hook], expected);
    expect(result).toMatchObject({ status: 'failed', findings: [] });
    expect(result.differences).toEqual([expect.objectContaining(difference)]);
  });

  test('changed data line by line', async () => {
    const hook = says({ action: 'modify', data: { input: { path: 'b.txt' } } });
    const data = { tool: 'write', input: { path: 'c.txt' } };
    const result = await resultOf([hook], { action: 'modify', data });
    expect(result.differences[0]?.lines).toEqual([
      '  {',
      '    "input": {',
      '-     "path": "c.txt"',
      '+     "path": "b.txt"',
      '    },',
      '    "tool": "write"',
      '  }',
    ]);
  });

  test('data that a hook changed while another asked, although the vector expects no data', async () => {
    const modifies = says({ action: 'modify', data: { input: {} } }, { id: 'm' });
    const result = await resultOf([modifies, says({ action: 'ask' })], { action: 'ask' });
    expect(result.differences).toMatchObject([{ what: 'data', expected: 'unchanged', actual: 'changed' }]);
  });

  test.each([
    [shell('echo broken >&2; exit 3'), { action: 'allow', reason: 'fine' }],
    [shell('sed -n x no-such-file'), { action: 'allow' }],
    [shell('echo one >&2; echo two >&2; exit 3'), { action: 'deny', reason: 'two' }],
  ])('%j tells once what is wrong', async (hook, expected) => {
    const text = vectorText(await resultOf([hook], expected));
    for (const part of ['expected 0 with a decision', 'broken', 'no-such-file', 'one\n', '| two'])
      expect(text.split(part).length, part).toBeLessThanOrEqual(2);
    expect(text.match(/exit code/gu)).toHaveLength(1);
    expect(text).toContain('    | ');
  });

  test('of two texts that differ each once', async () => {
    const text = vectorText(await resultOf([denies], { action: 'allow', reason: 'fine' }));
    expect(text).toBe('action: expected allow, got deny\nreason: expected "fine", got "not here"');
  });

  test('whatever the vector itself holds, the differences are safe to print', async () => {
    const hostile = 'a\u001b[2J\u202e\u0085b\n::error::c';
    const data = { tool: hostile, input: { [hostile]: hostile } };
    const expected = { action: 'ask', reason: hostile, data };
    const result = await resultOf([denies], expected, { vector: { description: hostile } });
    expect(result.status).toBe('failed');
    expect(vectorText(result)).toContain('\\u202e');
    expect(vectorText(result)).not.toMatch(/[\0-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::/mu);
  });

  test('with the message of the cause, and never with what a terminal would obey', async () => {
    const hook = shell(`printf '%s' 'a\u001b[2Jb\u202ec' >&2; exit 3`);
    const error = await resultOf([hook], { action: 'allow' })
      .then(assertVector, String)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(VectorFailedError);
    expect(String(error)).toContain('p/h: expected it to be asked, got nonzero_exit: ');
    expect(String(error)).toMatch(/^ {4}\| abc$/mu);
    expect(String(error)).not.toMatch(/[\u001b\u202e]/u);
  });
});

describe('a vector is a finding, never a pass', () => {
  test.each([
    ['without an expectation', undefined, 'empty_expectation'],
    ['with an empty one', {}, 'empty_expectation'],
    ['with a reason alone', { reason: 'not here' }, 'missing_key'],
    ['with an unknown hook in hooks', { action: 'deny', hooks: ['p/x'] }, 'unknown_hook'],
    ['with an unknown pack in causes', { action: 'deny', causes: { 'q/h': 'timeout' } }, 'unknown_hook'],
    ['with an unknown cause', { action: 'deny', causes: { 'p/h': 'bad_luck' } }, 'invalid_value'],
    ['with an unknown key', { action: 'deny', reasons: 'x' }, 'unknown_key'],
    ['with a part of a reason that stands in each', { action: 'deny', reason: { contains: '' } }, 'invalid_value'],
    ['that expects a change without its data', { action: 'modify' }, 'missing_key'],
  ])('%s', async (_, expected, code) => {
    const result = await resultOf([denies], expected);
    expect(result.status).toBe('invalid');
    expect(result.findings).toMatchObject([{ code, file: 'a.vector.json', line: 1 }]);
  });

  test.each([
    ['an unknown event', { event: { event: 'tool:befor', data: {} } }, 'unknown_event'],
    ['packs that are not there', { packs: 'none.json' }, 'missing_path'],
    ['a pack that does not load', { packs: 'bad.json' }, 'missing_key'],
    ['an agent that selects no such pack', { options: { agent: 'agent.json' } }, 'unknown_pack'],
    ['a backend of its own', { options: { backend: 'none' } }, 'unknown_key'],
    ['a kill switch', { options: { killSwitch: true } }, 'unknown_key'],
    ['a variable that runs code', { options: { env: { LD_PRELOAD: 'x' } } }, 'invalid_key'],
    ['network access', { options: { network: 'host' } }, 'untrusted'],
    ['a path to write', { options: { write: ['.'] } }, 'untrusted'],
    ['a path to read outside', { options: { read: ['/etc'] } }, 'untrusted'],
    ['a project outside', { project: '/etc' }, 'outside'],
    ['packs outside', { packs: '/etc' }, 'outside'],
    ['packs behind a link that leads outside', { packs: 'link' }, 'outside'],
  ])('that names %s', async (_, rest, code) => {
    const cwd = projectOf([denies], {
      'a.vector.json': textOf({ action: 'deny' }, rest),
      'bad.json': '{"version":1,"name":"bad"}',
      'agent.json': '{"hooks":["q"]}',
    });
    symlinkSync('/etc', path.join(cwd, 'link'));
    const result = await runVector('a.vector.json', { cwd });
    expect(result.status).toBe('invalid');
    expect(result.findings.map((finding) => finding.code)).toContain(code);
  });

  test('that is a link, a directory, no UTF-8 or no JSON', async () => {
    const cwd = projectOf([denies], {
      'b.vector.json': textOf({ action: 'deny' }),
      'c.vector.json': '{',
      'd/x': '',
    });
    symlinkSync('b.vector.json', path.join(cwd, 'a.vector.json'));
    const codes: (string | undefined)[] = [];
    for (const name of ['a.vector.json', 'c.vector.json', 'd', 'e.vector.json']) {
      const { status, findings } = await runVector(name, { cwd });
      expect(status).toBe('invalid');
      codes.push(findings[0]?.code);
    }
    expect(codes).toEqual(['unreadable', 'invalid_json', 'unreadable', 'unreadable']);
  });

  test('outside of any project', async () => {
    const cwd = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookcell-vectors-')));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    write(cwd, { 'a.vector.json': textOf({ action: 'allow' }) });
    expect(await runVector('a.vector.json', { cwd })).toMatchObject({
      status: 'invalid',
      findings: [{ code: 'no_packs' }],
    });
  });
});

describe('what a vector asks for and the operator grants', () => {
  test('write, read and env reach the hook', async () => {
    const sandbox = { write: ['out'], read: ['/etc/hostname'], env: ['CI'] };
    const line = `cat >/dev/null; touch out/x && test -r /etc/hostname && test "$CI" = yes && printf '%s' '{"decision":{"action":"allow"}}'`;
    const cwd = projectOf([shell(line, { sandbox })], {
      'out/keep': '',
      'a.vector.json': textOf(
        { action: 'allow' },
        { options: { write: ['out'], read: ['/etc/hostname'], env: { CI: 'yes' } } },
      ),
    });
    const grant = { write: ['out'], read: ['/etc/hostname'] };
    expect(await runVector('a.vector.json', { cwd, grant })).toMatchObject({ status: 'passed' });
  });

  test('options that are no options', async () => {
    const options: object = { grants: {} };
    await expect(runVector('a.vector.json', options)).rejects.toMatchObject({ code: 'invalid_options' });
  });
});
