import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPins, pinBounds } from '../../../src/executor/trust/pins.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

/** The code of what cannot be pinned. */
function refusal(root: string, path: string): string {
  try {
    createPins(root).pin(path);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  return 'pinned';
}

describe('what cannot be pinned', () => {
  test('a pipe, a socket, a device, a directory: none is waited for or opened', async () => {
    const root = plant(scratchDirectory(), { 'dir/': '' });
    execFileSync('/usr/bin/mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    for (const name of ['pipe', 'socket', 'dir', '.'])
      expect([name, refusal(root, name)]).toEqual([name, 'not_a_file']);
    server.close();
  });

  test('what a link leads to outside the project, by file or directory', () => {
    const top = plant(scratchDirectory(), { 'project/': '', 'outside/a.txt': 'a' });
    const root = join(top, 'project');
    symlinkSync('../outside/a.txt', join(root, 'file'));
    symlinkSync('../outside', join(root, 'dir'));
    symlinkSync('/dev/zero', join(root, 'zero'));
    symlinkSync('loop', join(root, 'loop'));
    for (const path of ['file', 'dir/a.txt', '../outside/a.txt', 'zero', join(top, 'outside/a.txt')])
      expect([path, refusal(root, path)]).toEqual([path, 'escapes']);
    expect(refusal(root, 'loop')).toBe('unreadable');
    expect(refusal(root, 'missing')).toBe('missing');
    expect(refusal(root, 'a\0b')).toBe('unreadable');
  });

  test('a file of a terabyte: it is not read', () => {
    const root = plant(scratchDirectory(), { huge: '' });
    truncateSync(join(root, 'huge'), 2 ** 40);
    expect(refusal(root, 'huge')).toBe('too_large');
  });

  test('more files than a project may name', () => {
    const root = scratchDirectory();
    const pins = createPins(root);
    for (let index = 0; index < pinBounds.maxFiles; index += 1) {
      writeFileSync(join(root, `${index}`), '');
      pins.pin(`${index}`);
    }
    writeFileSync(join(root, 'more'), '');
    expect(() => pins.pin('more')).toThrow('too many');
  });
});

describe('a pinned file', () => {
  test('keeps its first content, whatever happens to the file', () => {
    const root = plant(scratchDirectory(), { 'a.sh': 'first', 'b.sh': 'other' });
    const pins = createPins(root);
    const first = pins.pin('a.sh');
    renameSync(join(root, 'b.sh'), join(root, 'a.sh'));
    expect(pins.pin('a.sh')).toBe(first);
    expect(Buffer.from(first.bytes).toString()).toBe('first');
  });

  test('that could not be read stays so: it does not turn up later unseen', () => {
    const root = plant(scratchDirectory(), { 'x/a': '' });
    const pins = createPins(root);
    expect(() => pins.pin('x')).toThrow('regular file');
    renameSync(join(root, 'x/a'), join(root, 'y'));
    execFileSync('rmdir', [join(root, 'x')]);
    writeFileSync(join(root, 'x'), 'evil');
    expect(() => pins.pin('x')).toThrow('regular file');
  });

  test('is one file by all its names in the project, and tells hard links by their content only', () => {
    const root = plant(scratchDirectory(), { 'dir/a': 'text' });
    symlinkSync('dir', join(root, 'link'));
    linkSync(join(root, 'dir/a'), join(root, 'hard'));
    const pins = createPins(root);
    expect(pins.pin('link/a')).toBe(pins.pin('dir/a'));
    expect(pins.pin('hard').sha256).toBe(pins.pin('dir/a').sha256);
    expect(pins.all().map(({ path }) => path)).toEqual(['dir/a', 'hard']);
  });

  test('knows whether it may be executed', () => {
    const root = plant(scratchDirectory(), { a: '' });
    mkdirSync(join(root, 'd'));
    expect(createPins(root).pin('a').executable).toBe(true);
    chmodSync(join(root, 'a'), 0o644);
    expect(createPins(root).pin('a').executable).toBe(false);
  });
});
