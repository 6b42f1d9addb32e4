import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, readdirSync, readSync, writeSync } from 'node:fs';
import { describe, expect, onTestFinished } from 'vitest';

import { closeAll, PipeSource } from '../../../src/sandbox/launch/pipes.ts';
import { linux, liveTest } from '../../support/capability.ts';
import { scratchDirectory } from '../../support/view.ts';

const open = (): number => readdirSync('/proc/self/fd').length;

describe('pipes', () => {
  liveTest(linux, 'a child can open its outputs by name, which a socket pair does not allow', () => {
    const { child, readEnd } = new PipeSource(scratchDirectory()).output();
    onTestFinished(() => closeAll([child, readEnd]));
    expect(fstatSync(child).isFIFO()).toBe(true);
    const ended = spawnSync('/bin/sh', ['-c', 'echo named > /dev/stdout'], { stdio: ['ignore', child, 'inherit'] });
    expect(ended.status).toBe(0);
    const buffer = Buffer.alloc(16);
    expect(buffer.toString('utf8', 0, readSync(readEnd, buffer))).toBe('named\n');
  });

  liveTest(linux, 'a reader that goes away does not break our writes', () => {
    const { child, readEnd, writeEnd } = new PipeSource(scratchDirectory()).input();
    closeSync(child);
    expect(writeSync(writeEnd, 'payload')).toBe(7);
    closeAll([readEnd, writeEnd]);
  });

  liveTest(linux, 'two hundred of them are all different, and nothing stays in the directory or open', async () => {
    const directory = scratchDirectory();
    const pipes = new PipeSource(directory);
    await Promise.all([pipes.prepare(), pipes.prepare()]);
    const ready = readdirSync(directory).length;
    const before = open();
    const made = Array.from({ length: 200 }, () => pipes.output());
    expect(new Set(made.map(({ readEnd }) => fstatSync(readEnd).ino)).size).toBe(200);
    closeAll(made.flatMap(({ child, readEnd }) => [child, readEnd]));
    expect(open()).toBe(before);
    expect(readdirSync(directory).length).toBeLessThanOrEqual(ready);
  });

  liveTest(linux, 'a descriptor that is closed already is passed over', () => {
    const { child, readEnd } = new PipeSource(scratchDirectory()).output();
    closeSync(child);
    closeAll([child, readEnd]);
    expect(() => fstatSync(readEnd)).toThrow(/EBADF/u);
  });
});
