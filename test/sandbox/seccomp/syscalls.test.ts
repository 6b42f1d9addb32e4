import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { DENIED, INSPECTED, MODE_CALLS } from '../../../src/sandbox/seccomp/syscalls.ts';
import { file, liveTest } from '../../support/capability.ts';

const HEADERS = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
} as const;

for (const arch of ['x64', 'arm64'] as const) {
  liveTest(file(HEADERS[arch]), `numbers for ${arch} are those of the kernel's header`, () => {
    const header = new Map<string, number>();
    for (const [, name, number] of readFileSync(HEADERS[arch], 'utf8').matchAll(
      /^#define __NR(?:3264)?_(\w+)\s+(\d+)/gm,
    )) {
      if (name !== undefined) header.set(name, Number(number));
    }
    const modes = Object.fromEntries(Object.entries(MODE_CALLS).map(([name, call]) => [name, call.numbers]));
    const ours = Object.entries({ ...DENIED, ...INSPECTED, ...modes }).filter(([name]) => header.has(name));
    expect(ours.length).toBeGreaterThan(40);
    for (const [name, numbers] of ours)
      expect({ name, number: numbers[arch] }).toEqual({ name, number: header.get(name) });
  });
}
