import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveProgram } from '../../../src/sandbox/index.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

test('the first line of known content counts, not that of the file by now', () => {
  const projectRoot = plant(scratchDirectory(), { 'check.sh': '#!/bin/sh\n' });
  const known = new TextEncoder().encode('#!/bin/sh -e\n');
  const file = join(projectRoot, 'check.sh');
  const resolve = () =>
    resolveProgram({
      command: './check.sh',
      projectRoot,
      contentOf: (path) => (path === file ? known : undefined),
    });
  expect(resolve()).toMatchObject({ ok: true, program: { argv: ['/bin/sh', '-e', file] } });
  writeFileSync(file, '#!/bin/echo {}\n');
  expect(resolve()).toMatchObject({ ok: true, program: { argv: ['/bin/sh', '-e', file] } });
});
