import { chmodSync, chownSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import { findBubblewrap } from '../../src/sandbox/find-bubblewrap.ts';
import { bubblewrap, linux, liveTest, root } from '../support/capability.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const fake = (): string => join(plant(scratchDirectory(), { bwrap: '#!/bin/sh\n' }), 'bwrap');

liveTest([linux, bubblewrap], 'the installed one is found by its real path, without a look at PATH', () => {
  const path = realpathSync(bubblewrap.path);
  expect(findBubblewrap()).toEqual({ ok: true, path });
  const link = join(scratchDirectory(), 'link');
  symlinkSync(path, link);
  expect(findBubblewrap(link)).toEqual({ ok: true, path });
});

liveTest(linux, 'a path that was named and does not exist is no reason to look elsewhere', () => {
  expect(findBubblewrap('/no/such/bwrap')).toEqual({ ok: false, message: '/no/such/bwrap: missing' });
});

liveTest(linux, 'a directory, or a file that is not executable, is none', () => {
  const directory = join(scratchDirectory(), 'bwrap');
  mkdirSync(directory);
  expect(findBubblewrap(directory)).toMatchObject({ ok: false, message: `${directory}: not a regular file` });
  const file = fake();
  chmodSync(file, 0o644);
  expect(findBubblewrap(file)).toMatchObject({ ok: false, message: `${file}: not executable` });
});

liveTest(linux, 'one of another user than root is refused', () => {
  const file = fake();
  if (root.present) chownSync(file, 1234, 1234);
  expect(findBubblewrap(file)).toMatchObject({ ok: false, message: expect.stringContaining('not by root') });
});

liveTest([linux, root], 'one of root that others may write to is refused', () => {
  const file = fake();
  expect(findBubblewrap(file)).toEqual({ ok: true, path: file });
  for (const mode of [0o775, 0o757]) {
    chmodSync(file, mode);
    expect(findBubblewrap(file)).toMatchObject({ ok: false, message: expect.stringContaining('writable') });
  }
});
