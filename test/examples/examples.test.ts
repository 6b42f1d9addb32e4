import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createExecutor } from '../../src/executor/index.ts';
import { readPack } from '../../src/protocol/index.ts';
import { assertVector, createVectorRunner, vectorCases } from '../../src/testing/index.ts';
import { bubblewrap, liveTest, program } from '../support/capability.ts';

const examples = path.resolve(import.meta.dirname, '../../examples');
const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const audit = path.join(examples, 'audit-log/audit');
const auditBefore = new Set(readdirSync(audit));

const runner = createVectorRunner({ cwd: examples, hostPath: process.env['PATH'] ?? '', grant: { write: [audit] } });

afterAll(async () => {
  await runner.close();
  for (const name of readdirSync(audit)) if (!auditBefore.has(name)) rmSync(path.join(audit, name));
});

test('there are at least ten', () => {
  expect(names.length).toBeGreaterThanOrEqual(10);
});

describe.each(names)('%s', async (name) => {
  const directory = path.join(examples, name);
  const cases = await vectorCases('.hookcell/vectors', { cwd: directory });
  const hooks = path.join(directory, '.hookcell/hooks');
  const packs = readdirSync(hooks).map((file) => path.join(hooks, file));

  test.each(packs)('%s has no findings and no warnings', (file) => {
    const read = readPack(readFileSync(file, 'utf8'), file);
    expect(read).toMatchObject({ ok: true, warnings: [] });
  });

  test('says what it does not do, and what to run', () => {
    const readme = readFileSync(path.join(directory, 'README.md'), 'utf8');
    expect(readme).toMatch(name === 'quality' ? /not a complete one/ : /^## What it (?:does not do|cannot see)$/m);
    expect(readme).toContain('hookcell test');
    const events = [...readme.matchAll(/< (events\/\S+\.json)/g)].map(([, file]) => file ?? '');
    expect(events.length).toBeGreaterThan(0);
    for (const file of events) expect(existsSync(path.join(directory, file)), file).toBe(true);
  });

  test('every sample event meets a hook', async () => {
    const executor = await createExecutor({ packs: [hooks], projectRoot: directory });
    try {
      for (const file of readdirSync(path.join(directory, 'events'))) {
        const explanation = executor.explain(JSON.parse(readFileSync(path.join(directory, 'events', file), 'utf8')));
        expect(
          explanation.hooks.some(({ runs }) => runs),
          file,
        ).toBe(true);
      }
    } finally {
      await executor.close();
    }
  });

  for (const { name: vector, file } of cases) {
    const needs = [bubblewrap, program('python3')];
    liveTest(needs, path.basename(vector, '.vector.json'), async () => assertVector(await runner.run(file)));
  }
});
