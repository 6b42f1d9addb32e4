import { describe, expect, test } from 'vitest';
import type { PackText } from '../../src/executor/load-packs.ts';
import { parsePacks } from '../../src/executor/load-packs.ts';
import { chooseByAgent } from '../../src/executor/select-packs.ts';

const text = (name: string, layer: PackText['layer']): PackText => ({
  file: `/packs/${name}.json`,
  text: JSON.stringify({ version: 1, name, hooks: [] }),
  layer,
});
const packs = parsePacks(
  [text('audit', 'organization'), text('quality', 'project'), text('style', 'project')],
  '/project',
  new Map(),
);
const choose = (agent: object) =>
  chooseByAgent(packs, JSON.stringify(agent), 'agent.json').map(({ pack, layer }) => `${layer} ${pack.name}`);

describe('an agent', () => {
  test.each<[string[], string[]]>([
    [['style'], ['organization audit', 'agent style']],
    [
      ['style', 'quality'],
      ['organization audit', 'agent quality', 'agent style'],
    ],
    [[], ['organization audit']],
    [['audit'], ['organization audit']],
  ])('that selects %j runs %j: packs of the organization stay, in their own scope', (hooks, expected) => {
    expect(choose({ hooks })).toEqual(expected);
  });

  test('that names an unknown pack, or none at all, is refused', () => {
    expect(() => choose({ hooks: ['quality', 'stlye'] })).toThrow(
      expect.objectContaining({ code: 'invalid_agent', findings: [expect.objectContaining({ pointer: '/hooks/1' })] }),
    );
    expect(() => choose({})).toThrow(expect.objectContaining({ code: 'invalid_agent' }));
  });
});

test('a pack of the project cannot take the name of one of the organization', () => {
  expect(() => parsePacks([text('audit', 'organization'), text('audit', 'project')], '/project', new Map())).toThrow(
    expect.objectContaining({ code: 'invalid_pack', findings: [expect.objectContaining({ code: 'duplicate_pack' })] }),
  );
});

test('relative programs of an organization pack start at the pack, those of the project in the project', () => {
  expect(packs.map(({ home, mayLeaveHome }) => [home, mayLeaveHome])).toEqual([
    ['/packs', true],
    ['/project', false],
    ['/project', false],
  ]);
});
