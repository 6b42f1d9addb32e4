import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GrantSource } from '../../../src/executor/operator/effective-grant.ts';
import { combineGrants, projectViews } from '../../../src/executor/operator/effective-grant.ts';
import { defaultLimits } from '../../../src/executor/operator/default-limits.ts';

const defaults = defaultLimits('oss');

function source(name: string, level: GrantSource['level'], said: Partial<GrantSource>): GrantSource {
  return {
    level,
    limits: {},
    originOf: (key, index) => ({ from: 'option', at: [name, key, index].join(' ').trim() }),
    ...said,
  };
}
const file = (name: string, said: Partial<GrantSource>) => source(name, 'file', said);
const now = (said: Partial<GrantSource>) => source('now', 'invocation', said);

test('without a word, the defaults', () => {
  const origin = { from: 'default' };
  expect(combineGrants([], defaults)).toMatchObject({
    project: { value: 'read', origin },
    network: { value: 'none', origin },
    env: [],
    readPaths: [],
    writePaths: [],
    reveal: [],
    modifyWithSecrets: { value: false, origin },
    approve: { value: false, origin },
    limits: { timeoutMs: { value: 5_000, origin }, memoryBytes: { value: 512 << 20, origin } },
  });
});

describe('single values: the largest of the files, unless one was said for this run', () => {
  test.each<[string, readonly GrantSource[], string, string]>([
    ['one file', [file('a', { project: 'files' })], 'files', 'a project'],
    ['the larger', [file('a', { project: 'none' }), file('b', { project: 'files' })], 'files', 'b project'],
    ['the first of equals', [file('a', { project: 'files' }), file('b', { project: 'files' })], 'files', 'a project'],
    ['a flag that loosens', [file('a', { project: 'none' }), now({ project: 'read' })], 'read', 'now project'],
    ['a flag that tightens', [file('a', { project: 'read' }), now({ project: 'none' })], 'none', 'now project'],
  ])('%s', (_what, sources, value, at) => {
    expect(combineGrants(sources, defaults).project).toEqual({ value, origin: { from: 'option', at } });
  });

  test('so with limits, each by itself', () => {
    const { limits } = combineGrants(
      [
        file('a', { limits: { memoryBytes: 10, maxProcesses: 9 } }),
        file('b', { limits: { memoryBytes: 20 } }),
        now({ limits: { maxProcesses: 1 } }),
      ],
      defaults,
    );
    expect(limits.memoryBytes).toMatchObject({ value: 20, origin: { at: 'b memoryBytes' } });
    expect(limits.maxProcesses).toMatchObject({ value: 1, origin: { at: 'now maxProcesses' } });
    expect(limits.timeoutMs).toEqual({ value: 5_000, origin: { from: 'default' } });
  });

  test('and with network and what a pack may do beside secrets', () => {
    const grant = combineGrants(
      [file('a', { network: 'host', modifyWithSecrets: true }), now({ network: 'none' })],
      defaults,
    );
    expect(grant.network.value).toBe('none');
    expect(grant.modifyWithSecrets).toMatchObject({ value: true, origin: { at: 'a modifyWithSecrets' } });
  });
});

test('lists are joined, each entry with its own origin', () => {
  const { env, reveal } = combineGrants(
    [file('a', { env: ['A', 'B'], reveal: ['/x'] }), now({ env: ['C'] })],
    defaults,
  );
  expect(env.map(({ value, origin }) => [value, origin.at])).toEqual([
    ['A', 'a env 0'],
    ['B', 'a env 1'],
    ['C', 'now env 0'],
  ]);
  expect(reveal).toHaveLength(1);
});

interface Drawn {
  readonly project: unknown;
  readonly network: unknown;
  readonly env: readonly string[];
  readonly memoryBytes: unknown;
}

const build = (list: readonly Drawn[]) =>
  combineGrants(
    list.map(({ env, memoryBytes, ...said }, index) =>
      file(String(index), {
        ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
        env,
        limits: typeof memoryBytes === 'number' ? { memoryBytes } : {},
      }),
    ),
    defaults,
  );

test('files never take away from each other, and their order does not matter', () => {
  const grant = fc.record({
    project: fc.option(fc.constantFrom(...projectViews), { nil: undefined }),
    network: fc.option(fc.constantFrom('none', 'host'), { nil: undefined }),
    env: fc.array(fc.constantFrom('A', 'B', 'C')),
    memoryBytes: fc.option(fc.nat(100), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(grant, { minLength: 1, maxLength: 4 }), grant, (list, more) => {
      const before = build(list);
      for (const after of [build([...list, more]), build([more, ...list])]) {
        expect(new Set(after.env.map(({ value }) => value))).toEqual(
          new Set([...before.env.map(({ value }) => value), ...more.env]),
        );
        if (before.network.value === 'host') expect(after.network.value).toBe('host');
        if (before.project.origin.from !== 'default')
          expect(projectViews.indexOf(after.project.value)).toBeGreaterThanOrEqual(
            projectViews.indexOf(before.project.value),
          );
        if (before.limits.memoryBytes.origin.from !== 'default')
          expect(after.limits.memoryBytes.value).toBeGreaterThanOrEqual(before.limits.memoryBytes.value);
      }
    }),
  );
});
