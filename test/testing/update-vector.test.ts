import { chmodSync, statSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withExpectation } from '../../src/testing/update-vector.ts';
import { runVector } from '../../src/testing/index.ts';
import { projectOf, read, says, shell, textOf, write } from './project.ts';

const denies = says({ action: 'deny', reason: 'not here' });

async function updated(hooks: readonly object[], text: string): Promise<{ status: string; expect: object }> {
  const cwd = projectOf(hooks, { 'a.vector.json': text });
  const { status } = await runVector('a.vector.json', { cwd, update: true });
  const again = await runVector('a.vector.json', { cwd });
  expect(again).toMatchObject({ status: 'passed' });
  const document: { expect: object } = JSON.parse(read(cwd));
  return { status, expect: document.expect };
}

describe('update', () => {
  test.each([
    ['nothing', undefined],
    ['an empty expectation', {}],
    ['another action', { action: 'allow' }],
    ['an expectation out of form', { what: 7 }],
    ['a hook that is none', { action: 'deny', hooks: ['x/y'] }],
  ])('writes what came over %s', async (_, expected) => {
    expect(await updated([denies], textOf(expected))).toEqual({
      status: 'updated',
      expect: { action: 'deny', reason: 'not here', hooks: ['p/h'] },
    });
  });

  test('keeps a part of a reason that still holds', async () => {
    const former = { action: 'allow', reason: { contains: 'here' } };
    expect((await updated([denies], textOf(former))).expect).toMatchObject({ reason: { contains: 'here' } });
  });

  test('writes causes, and not the words of a failure', async () => {
    expect((await updated([shell('exit 3')], textOf({}))).expect).toEqual({
      action: 'deny',
      hooks: ['p/h'],
      causes: { 'p/h': 'nonzero_exit' },
    });
  });

  test('writes changed data and feedback', async () => {
    const modify = says({ action: 'modify', data: { input: { b: [1, {}] } } });
    expect((await updated([modify], textOf({}))).expect).toMatchObject({
      data: { tool: 'write', input: { b: [1, {}] } },
    });
    const deny = says({ action: 'deny', feedback: { lines: [1] } });
    expect((await updated([deny], textOf({}))).expect).toMatchObject({ feedback: { lines: [1] } });
  });

  test('leaves a vector that passes byte for byte, and its mode', async () => {
    const text = `\uFEFF${textOf({ action: 'deny' }).replaceAll(',', ' ,\t')}\r\n`;
    const cwd = projectOf([denies], { 'a.vector.json': text });
    expect(await runVector('a.vector.json', { cwd, update: true })).toMatchObject({ status: 'passed' });
    expect(read(cwd)).toBe(text);
    write(cwd, { 'b.vector.json': textOf({ action: 'allow' }) });
    chmodSync(path.join(cwd, 'b.vector.json'), 0o600);
    expect(await runVector('b.vector.json', { cwd, update: true })).toMatchObject({ status: 'updated' });
    expect(statSync(path.join(cwd, 'b.vector.json')).mode & 0o777).toBe(0o600);
  });

  test('writes nothing that says nothing of the hooks', async () => {
    const text = textOf({ action: 'allow' });
    const cwd = projectOf([shell('sleep 30')], { 'a.vector.json': text });
    const signal = AbortSignal.abort();
    const result = await runVector('a.vector.json', { cwd, update: true, signal });
    expect(result).toMatchObject({ status: 'invalid', findings: [{ code: 'canceled' }] });
    expect(read(cwd)).toBe(text);
  });

  test('mends nothing else: a vector out of form stays as it is', async () => {
    const text = textOf({ action: 'allow' }, { packs: 7 });
    const cwd = projectOf([denies], { 'a.vector.json': text });
    expect(await runVector('a.vector.json', { cwd, update: true })).toMatchObject({ status: 'invalid' });
    expect(read(cwd)).toBe(text);
  });
});

describe('withExpectation', () => {
  test.each([
    ['{\n  "a": 1,\n  "expect": {}\n}\n', '{\n  "a": 1,\n  "expect": {\n    "action": "deny"\n  }\n}\n'],
    ['{\r\n\t"expect" :  7 ,\r\n\t"a":1}', '{\r\n\t"expect" :  {\r\n\t\t"action": "deny"\r\n\t} ,\r\n\t"a":1}'],
    ['{\n    "a": 1\n}', '{\n    "a": 1,\n    "expect": {\n        "action": "deny"\n    }\n}'],
    ['{"a":1}', '{"a":1, "expect": {"action":"deny"}}'],
    ['\uFEFF{"expect":0,"a":1} ', '\uFEFF{"expect":{"action":"deny"},"a":1} '],
  ])('%j', (before, after) => {
    expect(withExpectation(before, { action: 'deny' })).toBe(after);
  });

  test('keeps every byte around the value, whatever stands there', () => {
    const space = fc.constantFrom('', ' ', '\n', '\r\n', '\t', '\n  ', '\r\n    ');
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.array(space, { minLength: 6, maxLength: 6 }),
        (one, other, gaps) => {
          const head = `${gaps[0]}{${gaps[1]}"a":${JSON.stringify(one)},${gaps[2]}"expect":${gaps[3]}`;
          const tail = `${gaps[4]},"b":${JSON.stringify(other)}}${gaps[5]}`;
          const text = withExpectation(`${head}${JSON.stringify(other)}${tail}`, { action: 'deny', reason: 'a\nb' });
          expect(text.startsWith(head)).toBe(true);
          expect(text.endsWith(tail)).toBe(true);
          expect(JSON.parse(text)).toMatchObject({ expect: { action: 'deny', reason: 'a\nb' } });
        },
      ),
    );
  });
});
