import { describe, expect, it } from 'vitest';
import { nearestName } from '../../src/protocol/nearest-name.ts';

const keys = ['timeoutMs', 'onFailure', 'command', 'args', 'decide'];

describe('nearestName', () => {
  it.each([
    ['timeout', 'timeoutMs'],
    ['timeout_ms', 'timeoutMs'],
    ['TIMEOUTMS', 'timeoutMs'],
    ['comand', 'command'],
    ['commadn', 'command'],
    ['arg', 'args'],
    ['on-failure', 'onFailure'],
  ])('%s means %s', (name, meant) => {
    expect(nearestName(name, keys)).toBe(meant);
  });

  it.each(['', '___', 'url', 'x', 'x'.repeat(10_000)])('%.10s means none of them', (name) => {
    expect(nearestName(name, keys)).toBeUndefined();
  });
});
