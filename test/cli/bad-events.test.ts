import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allow, answerOf, event, project, runCli, shellPack } from './cli.ts';

const bad: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['nothing', '', /got nothing/u],
  ['white space', ' \n', /<stdin>:2:1: .*JSON value/u],
  ['no JSON', 'hello', /<stdin>:1:1: /u],
  ['an array', '[]', /<stdin>: expected an object, got an e/u],
  ['null', 'null', /<stdin>: expected an object, got null/u],
  ['a cut off document', '{"event":"tool:before",\n"data":{', /<stdin>:2:9: /u],
  ['a duplicate key', '{"event":"notification","event":"tool:before","data":{}}', /<stdin>:1:\d+: .*"event".*twice/u],
  ['a prototype key', '{"event":"tool:before","data":{"__proto__":{}}}', /<stdin>:1:\d+: .*__proto__/u],
  ['two documents', `${event}\n${event}`, /<stdin>:2:1: /u],
  ['no event name', '{"data":{}}', /<stdin>: .*--event/u],
  ['an event that is no string', '{"event":5,"data":{}}', /<stdin>: .*--event/u],
  ['no data', '{"event":"tool:before"}', /data/u],
  ['data that is no object', '{"event":"tool:before","data":[]}', /data/u],
  ['an unknown key', '{"event":"tool:before","data":{},"contxt":{}}', /contxt/u],
  ['an unknown event', '{"event":"tool:befor","data":{}}', /tool:befor/u],
  ['a bad id', '{"event":"tool:before","id":7,"data":{}}', /id/u],
  ['depth', `{"event":"tool:before","data":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`, /deep/u],
  ['invalid UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), /UTF-8/u],
];

describe.each(['run', 'exec'])('%s', (command) => {
  test.each(bad)('%s on stdin blocks, with place and remedy', async (_, stdin, message) => {
    const cwd = project({ 'pack.json': shellPack(allow) });
    const args = command === 'run' ? ['run', '--packs', 'pack.json'] : ['exec', '--shell', '--', allow];
    const result = await runCli(args, { stdin, cwd });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(message);
    expect(answerOf(result).decision.action).toBe('deny');
  });

  test('16 MiB and one byte are refused without being kept', async () => {
    const args = command === 'run' ? ['run', '--packs', '.hookcell/hooks/quality.json'] : ['exec', '--', '/bin/true'];
    const result = await runCli(args, { stdin: Buffer.alloc(16 * 1024 * 1024 + 1, 0x20) });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/at most 16777216 bytes/u);
  });
});

test('--event that differs from the event on stdin blocks', async () => {
  const result = await runCli(['exec', '--event', 'tool:after', '--shell', '--', allow], { stdin: event });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/<stdin>: expected the event "tool:after"/u);
});

test('a byte order mark before the event is no fault', async () => {
  const result = await runCli(['exec', '--shell', '--', allow], { stdin: `\uFEFF${event}` });
  expect(result).toMatchObject({ code: 0, stdout: '{"decision":{"action":"allow"}}\n' });
});

const secret = 'correct-horse/battery~"staple';
const inJson = JSON.stringify(secret).slice(1, -1);
const long = 'x'.repeat(50);
const leaking: readonly (readonly [string, string])[] = [
  ['no JSON', secret],
  ['a value without quotes', `{"event":"tool:before","data":{"password":${secret}}}`],
  ['a pointer', `{"event":"tool:before","data":{"${inJson}":{"a":tru}}}`],
  ['a key that is there twice', `{"event":"tool:before","data":{"${inJson}":1,"${inJson}":2}}`],
  ['an unknown key', `{"event":"tool:before","data":{},"${inJson}":1}`],
  ['a secret that a message would cut', `{"event":"tool:before","data":{},"${long}${inJson}":1}`],
  ['an event name', `{"event":"${inJson}","data":{}}`],
  ['an id', `{"event":"tool:before","data":{},"id":["${inJson}"]}`],
  ['data', `{"event":"tool:before","data":"${inJson}"}`],
  ['a second document', `{"event":"tool:before","data":{}}"${inJson}"`],
  ['a bad escape', `{"event":"tool:before","data":{"a":"\\${secret.slice(0, 5)}"}}`],
];

describe.each(['DEPLOY_TOKEN', 'BLUE_BOX'])('a bad event that holds the value of %s', (name) => {
  test.each(leaking)('%s: is not told', async (_, stdin) => {
    // What a name does not say, the operator's configuration does.
    const home = project({});
    mkdirSync(path.join(home, 'hookcell'));
    writeFileSync(path.join(home, 'hookcell/config.json'), JSON.stringify({ version: 1, secrets: ['BLUE_BOX'] }));
    const env = { [name]: secret, XDG_CONFIG_HOME: home };
    for (const flags of [[], ['--json']]) {
      const result = await runCli(['exec', ...flags, '--', '/bin/true'], { stdin, env });
      expect(result.code).toBe(2);
      expect(answerOf(result).decision.action).toBe('deny');
      expect(result.stdout + result.stderr).not.toMatch(/corre|horse|battery|staple/u);
    }
  });
});

test('a bad event does not speak to the terminal', async () => {
  const stdin = JSON.stringify({ event: 'tool:before', data: {}, 'a\u001b]0;owned\u0007\u202eb': 1 });
  const result = await runCli(['exec', '--', '/bin/true'], { stdin });
  expect(result.code).toBe(2);
  expect(result.stdout + result.stderr).not.toMatch(/[\u001b\u0007\u202e]/u);
});

test('the id of an event is redacted in the verdict and in its messages', async () => {
  const id = `run-ghp_${'a1B2c3D4'.repeat(4)}abcd`;
  const stdin = JSON.stringify({ event: 'tool:before', id, data: { tool: 'x', input: {} } });
  const result = await runCli(['exec', '--json', '--shell', '--', allow], { stdin });
  expect(result.code).toBe(0);
  expect(answerOf(result)['eventId']).toBe('run-[REDACTED:github-token]');
  expect(result.stdout).not.toContain('a1B2c3D4');
});
