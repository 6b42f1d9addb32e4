import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './cli.ts';

test('docs/cli.md is what the command definitions say', () => {
  const result = spawnSync(process.execPath, ['scripts/cli-reference.mjs', '--check'], { cwd: root, encoding: 'utf8' });
  expect(result.stderr).toBe('');
  expect(result.status).toBe(0);
});
