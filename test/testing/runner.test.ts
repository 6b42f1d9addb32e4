import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { assertVector, createVectorRunner, runVectors } from '../../src/testing/index.ts';
import { event, projectOf, says, shell, vectorText } from './project.ts';

const byPath = shell(
  `if grep -q secret; then printf '%s' '{"decision":{"action":"deny"}}'; else printf '%s' '{"decision":{"action":"allow"}}'; fi`,
);

test('a hundred vectors share one sandbox, and each gets its own answer in the order of the files', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `${index}.vector.json`);
  const files = names.map((name, index) => {
    const path = index % 3 === 0 ? 'secret.txt' : 'plain.txt';
    const vector = { event: { ...event, id: `e${index}`, data: { tool: 'write', input: { path } } } };
    return [name, vectorText({ action: index % 3 === 0 ? 'deny' : 'allow' }, vector)];
  });
  const cwd = projectOf([byPath], Object.fromEntries(files));
  const backends = new Set<unknown>();
  const listen = (message: unknown): void => {
    backends.add(message);
  };
  subscribe('hookcell:invocation:end', listen);
  const results = await runVectors(names, { cwd }).finally(() => unsubscribe('hookcell:invocation:end', listen));
  expect(results.map(({ file }) => file)).toEqual(names);
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(backends.size).toBe(100);
});

test('one event id with two contents is no conflict', async () => {
  const vector = (path: string) => ({ event: { ...event, id: 'same', data: { tool: 'write', input: { path } } } });
  const cwd = projectOf([says({ action: 'allow' })], {
    'a.vector.json': vectorText({ action: 'allow' }, vector('a')),
    'b.vector.json': vectorText({ action: 'allow' }, vector('b')),
  });
  const results = await runVectors(['a.vector.json', 'b.vector.json'], { cwd });
  expect(results.map(({ status }) => status)).toEqual(['passed', 'passed']);
  await using runner = createVectorRunner({ cwd });
  assertVector(await runner.run('a.vector.json'));
  assertVector(await runner.run('b.vector.json'));
});

test('vectors with other options, packs or projects do not share', async () => {
  const line = `cat >/dev/null; test "$CI" = yes && printf '%s' '{"decision":{"action":"allow"}}'`;
  const cwd = projectOf([shell(line, { sandbox: { env: ['CI'] } })], {
    'a.vector.json': vectorText({ action: 'allow' }, { options: { env: { CI: 'yes' } } }),
    'b.vector.json': vectorText({ action: 'deny', causes: { 'p/h': 'empty_output' } }),
    'c.vector.json': vectorText({ action: 'deny', causes: { 'p/h': 'untrusted' } }),
  });
  const results = await runVectors(['a.vector.json', 'b.vector.json', 'c.vector.json'], { cwd });
  expect(results.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed']);
});

test('more events of a run than a loop would bring in a minute are no loop', async () => {
  const names = Array.from({ length: 650 }, (_, index) => `${index}.vector.json`);
  const text = vectorText(
    { action: 'allow', hooks: ['p/h'] },
    { event: { event: 'prompt:submit', data: { message: '' } } },
  );
  const hook = says({ action: 'allow' }, { event: 'prompt:submit' });
  const cwd = projectOf([hook], Object.fromEntries(names.map((name) => [name, text])));
  const results = await runVectors(names, { cwd });
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
});
