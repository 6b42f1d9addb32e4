import { expect, test } from 'vitest';
import { assertVector, createVectorRunner, runVectors } from '../../src/testing/index.ts';
import { prepareVector } from '../../src/testing/prepare-vector.ts';
import { Sharing } from '../../src/testing/sharing.ts';
import { event, projectOf, says, shell, textOf } from './project.ts';

const byPath = shell(
  `if grep -q secret; then printf '%s' '{"decision":{"action":"deny"}}'; else printf '%s' '{"decision":{"action":"allow"}}'; fi`,
);

test('a hundred vectors: each gets its own answer, in the order of the files', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `${index}.vector.json`);
  const files = names.map((name, index) => {
    const path = index % 3 === 0 ? 'secret.txt' : 'plain.txt';
    const vector = { event: { ...event, id: `e${index}`, data: { tool: 'write', input: { path } } } };
    return [name, textOf({ action: index % 3 === 0 ? 'deny' : 'allow' }, vector)];
  });
  const cwd = projectOf([byPath], Object.fromEntries(files));
  const results = await runVectors(names, { cwd });
  expect(results.map(({ file }) => file)).toEqual(names);
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
});

test('vectors that need the same share an executor, others do not', async () => {
  const allowed = { action: 'allow' };
  const withId = { event: { ...event, id: 'e1' } };
  const vectors = [
    {},
    { description: 'x' },
    withId,
    withId,
    { options: { env: { CI: '1' } } },
    { packs: '.hookcell/hooks/p.json' },
  ];
  const names = vectors.map((_, index) => `${index}.vector.json`);
  const cwd = projectOf(
    [byPath],
    Object.fromEntries(vectors.map((vector, index) => [`${index}.vector.json`, textOf(allowed, vector)])),
  );
  const sharing = new Sharing();
  const keys: string[] = [];
  for (const name of names) {
    const read = await prepareVector(name, { cwd });
    if (!read.ok) throw new Error(JSON.stringify(read.findings));
    keys.push(sharing.keyOf(read.prepared));
  }
  const firsts = keys.map((key) => keys.indexOf(key));
  expect(firsts).toEqual([0, 0, 0, 3, 4, 5]);
});

const sameId = (path: string) => ({ event: { ...event, id: 'same', data: { tool: 'write', input: { path } } } });

test('one event id with two contents is no conflict', async () => {
  const cwd = projectOf([says({ action: 'allow' })], {
    'a.vector.json': textOf({ action: 'allow' }, sameId('a')),
    'b.vector.json': textOf({ action: 'allow' }, sameId('b')),
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
    'a.vector.json': textOf({ action: 'allow' }, { options: { env: { CI: 'yes' } } }),
    'b.vector.json': textOf({ action: 'deny', causes: { 'p/h': 'empty_output' } }),
    'c.vector.json': textOf({ action: 'deny', causes: { 'p/h': 'untrusted' } }),
  });
  const results = await runVectors(['a.vector.json', 'b.vector.json', 'c.vector.json'], { cwd });
  expect(results.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed']);
});

test('more events of a run than a loop would bring in a minute are no loop', async () => {
  const names = Array.from({ length: 650 }, (_, index) => `${index}.vector.json`);
  const vector = { event: { event: 'prompt:submit', data: { message: '' } } };
  const text = textOf({ action: 'deny', causes: { 'p/h': 'untrusted' } }, vector);
  // Nothing is launched, and it is counted all the same.
  const hook = says({ action: 'allow' }, { event: 'prompt:submit', sandbox: { network: 'host' } });
  const cwd = projectOf([hook], Object.fromEntries(names.map((name) => [name, text])));
  const results = await runVectors(names, { cwd });
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
});
