import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bin } from './cli.ts';

const built = path.dirname(bin);

test('the command line loaded three hundred files: now few, and none of node_modules', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'hookcell-bundle-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  cpSync(built, path.join(home, 'dist/cli'), { recursive: true });
  cpSync(path.resolve(built, '../../package.json'), path.join(home, 'package.json'));
  const pack = {
    version: 1,
    name: 'p',
    hooks: [{ id: 'h', event: 'tool:before', handler: { type: 'command', command: '/bin/true' } }],
  };
  writeFileSync(path.join(home, 'p.json'), JSON.stringify(pack));
  const list = () =>
    execFileSync(process.execPath, [path.join(home, 'dist/cli/bin.js'), 'list', '--packs', 'p.json'], {
      cwd: home,
      env: { HOME: home },
      encoding: 'utf8',
      timeout: 60_000,
    });
  expect(list()).toContain('p/h');
  expect(readdirSync(built, { recursive: true, withFileTypes: true }).length).toBeLessThan(60);
});

test('the licence of every package that came in is beside it', () => {
  const licences = readFileSync(path.join(built, 'LICENSES.md'), 'utf8');
  expect([...licences.matchAll(/^## (\S+) - .* \(MIT\)$/gmu)].map(([, name]) => name)).toEqual([
    'commander',
    'jsonc-parser',
    'zod',
  ]);
});
