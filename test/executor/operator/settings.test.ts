import { describe, expect, test } from 'vitest';
import { defaultLimits, eventLimits, valuesOf } from '../../../src/executor/operator/default-limits.ts';
import type { OperatorFile } from '../../../src/executor/operator/operator-file.ts';
import { decideSettings } from '../../../src/executor/operator/settings.ts';
import type { ExecutorOptions } from '../../../src/executor/options.ts';
import type { Configuration } from '../../../src/protocol/index.ts';

type Said = Partial<Configuration>;

function fileOf(level: OperatorFile['level'], said: Said | undefined): OperatorFile[] {
  if (said === undefined) return [];
  const from = level === 'system' ? 'system file' : 'user file';
  return [
    { level, file: level, configuration: { version: 1, ...said }, originAt: (path) => ({ from, at: path.join('/') }) },
  ];
}

const decide = (system: Said | undefined, user: Said | undefined, options: ExecutorOptions = {}) =>
  decideSettings([...fileOf('system', system), ...fileOf('user', user)], options);

describe('the profile: the invocation, then the user, then the system', () => {
  test.each<[Said | undefined, Said | undefined, ExecutorOptions, string, string]>([
    [undefined, undefined, {}, 'oss', 'default'],
    [{ profile: 'managed' }, undefined, {}, 'managed', 'system file'],
    [{ profile: 'managed' }, { profile: 'oss' }, {}, 'oss', 'user file'],
    [{ profile: 'oss' }, { profile: 'oss' }, { profile: 'managed' }, 'managed', 'option'],
    [undefined, undefined, { profile: 'managed', origin: 'flag' }, 'managed', 'flag'],
  ])('%j %j %j: %s by %s', (system, user, options, value, from) => {
    expect(decide(system, user, options).profile).toMatchObject({ value, origin: { from } });
  });
});

describe('the wall', () => {
  test.each<[Said | undefined, Said | undefined, 'auto' | 'bubblewrap' | 'none' | undefined, string, string]>([
    [undefined, undefined, undefined, 'auto', 'default'],
    [{ backend: 'bubblewrap' }, undefined, undefined, 'bubblewrap', 'system file'],
    [{ backend: 'bubblewrap' }, { backend: 'auto' }, 'auto', 'bubblewrap', 'system file'],
    [{ backend: 'auto' }, { backend: 'none' }, undefined, 'none', 'user file'],
    [undefined, { backend: 'bubblewrap' }, 'none', 'none', 'option'],
    [{ backend: 'none' }, undefined, undefined, 'none', 'system file'],
    [{ backend: 'none' }, { backend: 'bubblewrap' }, undefined, 'bubblewrap', 'user file'],
    [undefined, undefined, 'auto', 'auto', 'option'],
  ])('system %j, user %j, option %s: %s by %s', (system, user, backend, value, from) => {
    const options = backend === undefined ? {} : { sandbox: { backend } };
    expect(decide(system, user, options).backend).toMatchObject({ value, origin: { from } });
  });

  test.each<[Said | undefined, 'none' | undefined]>([
    [{ backend: 'none' }, undefined],
    [undefined, 'none'],
    [{ backend: 'bubblewrap' }, 'none'],
  ])('that the system sets is not loosened: user %j, option %s', (user, backend) => {
    const options = backend === undefined ? {} : { sandbox: { backend } };
    expect(() => decide({ backend: 'bubblewrap' }, user, options)).toThrow(
      expect.objectContaining({ code: 'invalid_configuration', message: expect.stringContaining('system file') }),
    );
  });
});

describe('the kill switch', () => {
  test.each<[Said | undefined, Said | undefined, boolean, string, string, boolean]>([
    [undefined, undefined, false, 'off', 'default', false],
    [undefined, undefined, true, 'on', 'flag', false],
    [{ killSwitch: 'allow' }, { killSwitch: 'allow' }, true, 'on', 'flag', false],
    [{ killSwitch: 'forbid' }, { killSwitch: 'allow' }, true, 'forbidden', 'system file', true],
    [{ killSwitch: 'allow' }, { killSwitch: 'forbid' }, true, 'forbidden', 'user file', true],
    [{ killSwitch: 'forbid' }, undefined, false, 'forbidden', 'system file', false],
  ])('system %j, user %j, asked %s: %s by %s', (system, user, killSwitch, state, from, ignored) => {
    expect(decide(system, user, { killSwitch, origin: 'flag' }).killSwitch).toMatchObject({
      state,
      origin: { from },
      ignored,
    });
  });
});

test('secrets and organization packs of both files count', () => {
  const { secrets, organizationPacks } = decide(
    { secrets: ['A'], organizationPacks: ['/etc/packs'] },
    { secrets: ['B'], organizationPacks: ['/home/packs'] },
  );
  expect(secrets.map(({ value, origin }) => [value, origin.from])).toEqual([
    ['A', 'system file'],
    ['B', 'user file'],
  ]);
  expect(organizationPacks.map(({ value }) => value)).toEqual(['/etc/packs', '/home/packs']);
});

describe('limits of one event', () => {
  const profile = { value: 'oss', origin: { from: 'user file' } } as const;

  test('come from the profile, and say so', () => {
    const limits = eventLimits({}, profile, 0);
    expect(limits.totalTimeMs).toEqual({ value: 60_000, origin: { from: 'user file' } });
    expect(limits.maxDepth).toEqual({ value: 3, origin: { from: 'default' } });
    expect(defaultLimits('managed').timeoutMs).toBe(60_000);
  });

  test('do not cut a longer limit of one hook', () => {
    expect(eventLimits({}, profile, 90_000).totalTimeMs.value).toBe(90_000);
    expect(eventLimits({}, profile, 90).totalTimeMs.value).toBe(60_000);
  });

  test('are what was set, if it was', () => {
    const limits = eventLimits({ limits: { totalTimeMs: 7, maxDepth: 0 } }, profile, 90_000);
    expect(limits.totalTimeMs).toEqual({ value: 7, origin: { from: 'option', at: 'limits.totalTimeMs' } });
    expect(valuesOf(limits)).toMatchObject({ totalTimeMs: 7, maxDepth: 0, maxPerMinute: 600 });
  });
});
