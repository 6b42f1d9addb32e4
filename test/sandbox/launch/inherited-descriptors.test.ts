import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect } from 'vitest';

import { inheritedDescriptors } from '../../../src/sandbox/launch/inherited-descriptors.ts';
import { linux, liveTest } from '../../support/capability.ts';

liveTest(linux, 'what Node opened is close-on-exec and is not listed', () => {
  const own = openSync('/dev/null', 'r');
  try {
    const listed = inheritedDescriptors(0);
    expect(listed).not.toContain(own);
    expect(inheritedDescriptors(300).every((descriptor) => descriptor >= 300)).toBe(true);
  } finally {
    closeSync(own);
  }
});

liveTest(linux, 'it agrees with what a child really gets', () => {
  const ended = spawnSync('/bin/ls', ['/proc/self/fd'], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' });
  const got = ended.stdout.trim().split('\n').map(Number);
  // Beyond stdio, and without the descriptor of the listing itself, which is the lowest that is free.
  for (const descriptor of inheritedDescriptors(3)) expect(got).toContain(descriptor);
  expect(got.filter((descriptor) => descriptor > 2).length).toBe(inheritedDescriptors(3).length + 1);
});
