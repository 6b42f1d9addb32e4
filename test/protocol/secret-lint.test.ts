import { describe, expect, it } from 'vitest';
import { readPack } from '../../src/protocol/index.ts';

// Joined here, so that no scanner takes this file for a leak.
const github = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
const bearer = `Bearer ${'abcd1234'.repeat(4)}`;

function secretsIn(handler: object, more: object = {}): (string | undefined)[] {
  const hooks = [{ id: 'a', event: 'tool:before', handler: { type: 'command', command: './a', ...handler } }];
  const text = JSON.stringify({ version: 1, name: 'p', hooks, ...more });
  const result = readPack(text, 'p.json');
  if (result.ok) return [];
  expect(JSON.stringify(result.findings)).not.toContain(github);
  return result.findings.filter(({ code }) => code === 'inline_secret').map(({ pointer }) => pointer);
}

describe('secrets in a pack', () => {
  it.each<[string, object, string]>([
    ['a known shape in args', { args: ['x', `--token=${github}`] }, 'args/1'],
    ['a known shape in a line', { command: `curl -H "X: ${github}" https://x` }, 'command'],
    ['an authorization header', { args: ['-H', `Authorization: ${bearer}`] }, 'args/1'],
    ['a short basic header', { args: ['-H', 'Authorization: Basic dXNlcg=='] }, 'args/1'],
    ['a password in a URL', { args: ['https://me:hunter2@example.com/'] }, 'args/0'],
    ['an option with a value', { command: ['./a', '--api-key=hunter2'] }, 'command/1'],
    ['an option and its value', { command: ['./a', '--password', 'hunter2'] }, 'command/2'],
    ['an option and its value in args', { args: ['--client-secret', 'hunter2'] }, 'args/1'],
    ['an option and its value in a line', { command: './a --password hunter2 b' }, 'command'],
    ['a variable in a line', { command: 'API_KEY=hunter2 ./a' }, 'command'],
  ])('finds %s', (_, handler, place) => {
    expect(secretsIn(handler)).toEqual([`/hooks/0/handler/${place}`]);
  });

  it('finds them under keys that are no keys, in descriptions and in keys', () => {
    expect(secretsIn({}, { description: `use ${github}` })).toEqual(['/description']);
    expect(secretsIn({}, { sandbox: { env: { API_TOKEN: 'hunter2' } } })).toEqual(['/sandbox/env/API_TOKEN']);
    const result = readPack(JSON.stringify({ version: 1, name: 'p', hooks: [], [github]: 1 }), 'p.json');
    expect(result.ok ? [] : result.findings.map(({ code }) => code)).toContain('inline_secret');
    expect(result.ok ? [] : result.findings.map(({ message }) => message).join(' ')).not.toContain(github);
  });

  it.each<[string, object]>([
    ['a count', { args: ['--max-tokens=1000', '--max-tokens', '1000'] }],
    ['a reference', { command: './a --token=$TOKEN --password "${PASSWORD}" --secret $(cat x)' }],
    ['a file', { args: ['--token-file=/run/secrets/token', '--token', './token.txt', '--password', '/run/pw'] }],
    ['a scanner', { command: `grep -rnE "(api_key|password|secret)=[^ ]+" src` }],
    ['a word', { args: ['--password', 'stdin', '--keyboard=qwertz', '--author', 'monkey'] }],
    ['an option that is a switch', { args: ['--show-token', '--verbose'] }],
    ['a name of a script', { command: 'node scripts/check-secret.mjs --tokens 5' }],
  ])('leaves %s alone', (_, handler) => {
    expect(secretsIn(handler)).toEqual([]);
  });

  it('reads a long hostile line in no time worth measuring', () => {
    expect(secretsIn({ command: `./a ${'token-'.repeat(5000)}` })).toEqual([]);
    expect(secretsIn({ command: `./a ${'-- '.repeat(10_000)}` })).toEqual([]);
  });
});
