import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acceptedPinning } from '../../../src/executor/trust/pinning.ts';
import { readProjectSet, readSetHead } from '../../../src/executor/trust/project-set.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

test('a program of the project that was not accepted is untrusted, one of the system is not', async () => {
  const hook = { id: 'h', event: 'tool:before', handler: { type: 'command', command: './a.sh' } };
  const root = plant(scratchDirectory(), {
    '.hookcell/hooks/p.json': JSON.stringify({ version: 1, name: 'p', hooks: [hook] }),
    'a.sh': '#!/bin/sh\n',
    'b.sh': '#!/bin/sh\n',
  });
  const head = readSetHead(root, [join(root, '.hookcell/hooks/p.json')], []);
  const pinning = acceptedPinning(await readProjectSet(head, new Map()));
  const program = (binds: readonly string[]) =>
    pinning.check({ ok: true, program: { argv: ['/bin/sh'], cwd: root, binds } });
  expect(program([join(root, 'a.sh'), '/opt/node']).ok).toBe(true);
  expect(program([join(root, 'a.sh'), join(root, 'b.sh')])).toMatchObject({ ok: false, cause: 'untrusted' });
  const paths = (writes: readonly string[]): string[] => pinning.filesOf('p/h', [], writes).map(({ path }) => path);
  expect(paths([])).toEqual(['a.sh']);
  expect(pinning.filesOf('p/other', [], [])).toEqual([]);
  // The pack itself is configuration, which no write path reaches.
  expect(pinning.filesOf('p/other', [], [root]).map(({ path }) => path)).toEqual(['a.sh']);
});
