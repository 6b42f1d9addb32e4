import { describe, expect, it } from 'vitest';
import { readAgent } from '../../src/protocol/index.ts';

describe('readAgent', () => {
  it('takes the hooks and leaves the rest to the host', () => {
    expect(readAgent('{ "model": { "x": 1 }, "hooks": ["quality", "team.base"] }', 'agent.json')).toEqual({
      ok: true,
      agent: { hooks: ['quality', 'team.base'] },
    });
    expect(readAgent('{ "hooks": [] }', 'agent.json')).toEqual({ ok: true, agent: { hooks: [] } });
  });

  it.each([
    ['{\n "model": 1 }', 'missing_key', 1, 1],
    ['{\n "hooks": "quality" }', 'invalid_value', 2, 11],
    ['{\n "hooks": ["a",\n  "../b"] }', 'invalid_value', 3, 3],
    ['{\n "hooks": ["a", "a"] }', 'duplicate_pack', 2, 17],
    ['{ "hooks": ["a"], "hooks": [] }', 'duplicate_key', 1, 19],
    ['[]', 'invalid_value', 1, 1],
    ['', 'invalid_json', 1, 1],
  ])('refuses %j', (text, code, line, column) => {
    expect(readAgent(text, 'agent.json')).toEqual({
      ok: false,
      findings: [expect.objectContaining({ code, line, column, file: 'agent.json' })],
    });
  });
});
