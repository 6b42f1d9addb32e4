import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sandboxOnDemand } from '../../src/executor/sandbox-on-demand.ts';
import { scratchDirectory } from '../support/view.ts';

test('makes nothing until it is needed, and takes away what it made', async () => {
  const runtimeBase = scratchDirectory();
  const unused = sandboxOnDemand({ backend: 'none', runtimeBase });
  expect(readdirSync(runtimeBase)).toEqual([]);
  await unused.close();
  const used = sandboxOnDemand({ backend: 'none', runtimeBase });
  used.keep(new Uint8Array(1), false);
  expect(readdirSync(runtimeBase)).toHaveLength(1);
  await used.capabilities();
  await used.close();
  expect(readdirSync(runtimeBase)).toEqual([]);
});
