import { describe, expect, it } from 'vitest';
import { base, brief, handler, load, withHook } from './pack-text.ts';

describe('readPack, warnings', () => {
  it.each<[string, object, string, string]>([
    ['a control hook that can do little', { event: 'run:end', mode: 'control' }, 'no_effect', '/hooks/0/mode'],
    ['an observer that would block', { mode: 'observe', onFailure: 'block' }, 'no_effect', '/hooks/0/onFailure'],
    [
      'tools at an event without one',
      { event: 'turn:stop', matcher: { tools: ['write'] } },
      'never_matches',
      '/hooks/0/matcher/tools',
    ],
    ['alternatives in one glob', { matcher: { tools: ['Write|Edit'] } }, 'never_matches', '/hooks/0/matcher/tools/0'],
    ['a regular expression', { matcher: { tools: ['a', 'mcp__.*'] } }, 'never_matches', '/hooks/0/matcher/tools/1'],
    ['seconds', { handler: { ...handler, timeoutMs: 5 } }, 'short_timeout', '/hooks/0/handler/timeoutMs'],
    [
      'onEmpty beside exit-code',
      { handler: { ...handler, decide: 'exit-code', onEmpty: 'fail' } },
      'no_effect',
      '/hooks/0/handler/onEmpty',
    ],
    ['silence', { handler: { ...handler, onEmpty: 'no-opinion' } }, 'silence_passes', '/hooks/0/handler/onEmpty'],
  ])('%s', (_, keys, code, pointer) => {
    expect(brief(load(withHook(keys)).warnings)).toEqual([[code, pointer]]);
  });

  it('said that a hook of tools never runs at a custom event, where it runs on every `data.tool`', () => {
    expect(brief(load(withHook({ event: 'custom:deploy', matcher: { tools: ['bash'] } })).warnings)).toEqual([]);
  });

  it('a pack that checks nothing', () => {
    expect(brief(load(JSON.stringify({ ...base, hooks: [] })).warnings)).toEqual([['no_hooks', '/hooks']]);
  });
});
