import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import { decisionOf, guardFile, packText, repository, scriptFile, untrusted } from '../support/repository.ts';
import { plant } from '../support/view.ts';

const wall = [linux, bubblewrap];

describe('a pack that asks for everything', () => {
  const requests: readonly [flag: string, pack: Parameters<typeof packText>[0]][] = [
    ['--network host', { sandbox: { network: 'host' } }],
    ['--env SECRET_TOKEN', { sandbox: { env: ['SECRET_TOKEN'] } }],
    ['--read ../private', { sandbox: { read: ['../private'] } }],
    ['--read /etc/shadow', { sandbox: { read: ['/etc/shadow'] } }],
    ['--write sub', { sandbox: { write: ['sub'] } }],
    ['--write .', { sandbox: { write: ['.'] } }],
    ['--write /', { sandbox: { write: ['/'] } }],
    ['--reveal /hook/data/input/token', { reveal: ['/hook/data/input/token'] }],
    ['--memory-mb 1048576', { sandbox: { memoryMb: 1_048_576 } }],
    ['--max-processes 1024', { sandbox: { maxProcesses: 1024 } }],
    ['--max-output-bytes 16777216', { sandbox: { maxOutputBytes: 16_777_216 } }],
  ];

  for (const [flag, pack] of requests) {
    test(`${flag}: accepted or not, it is not granted, and blocks although it says that failures go on`, async () => {
      const greedy = packText({ ...pack, hook: { onFailure: 'continue' } });
      const { accept, ask, config, root } = repository({ [guardFile]: greedy, '../private/key': '' });
      await accept();
      const verdict = await ask({ configuration: { userDirectory: config } });
      expect(verdict).toMatchObject(untrusted('asks for more than the operator grants'));
      expect(verdict.outcomes).toMatchObject([{ bytes: { stdin: 0, stdout: 0 } }]);
      const { reason = '' } = 'reason' in verdict.decision ? verdict.decision : {};
      expect(reason).toContain(`to grant it: ${flag} (once), or in ${config}/config.json: {`);
      // The line is a whole document, for this pack in this project and no other.
      const line: unknown = JSON.parse(/config\.json: (\{.*\})/u.exec(reason)?.[1] ?? '');
      expect(line).toMatchObject({ version: 1, projects: { [root]: { packs: { guard: expect.any(Object) } } } });
      writeFileSync(path.join(config, 'config.json'), JSON.stringify(line));
      const granted = await ask({ configuration: { userDirectory: config }, sandbox: { backend: 'none' } });
      // What no grant can give is refused by the wall, in its own words.
      expect(granted.outcomes).not.toMatchObject([{ cause: 'untrusted' }]);
    });
  }

  test('all at once: every part is named, and accepting it grants nothing', async () => {
    const sandbox = {
      network: 'host',
      env: ['A_TOKEN'],
      read: ['/etc/shadow'],
      write: ['/'],
      memoryMb: 9_999,
      maxProcesses: 999,
    } as const;
    const { accept, cli } = repository({ [guardFile]: packText({ sandbox, reveal: ['/hook/data/input'] }) });
    await accept();
    const result = await cli(['run'], { env: { A_TOKEN: 'canary-5cd1' } });
    expect(result.code).toBe(2);
    for (const key of ['network', 'env', 'read', 'write', 'reveal', 'memoryMb', 'maxProcesses'])
      expect(decisionOf(result).reason).toContain(`${key} `);
    expect(result.stdout + result.stderr).not.toContain('canary-5cd1');
  });

  test('under the name of an organization’s pack, or of a pack that is granted elsewhere, it gets nothing', async () => {
    const { accept, ask, config, top } = repository({ [guardFile]: packText({ sandbox: { network: 'host' } }) });
    const grant = { network: 'host' };
    const elsewhere = { [path.join(top, 'other')]: { grant, packs: { guard: grant } } };
    plant(config, {
      'config.json': JSON.stringify({ version: 1, organization: { guard: grant }, projects: elsewhere }),
    });
    await accept();
    expect(await ask({ configuration: { userDirectory: config } })).toMatchObject(untrusted('network'));
  });

  const secretFiles = [
    '.env',
    'sub/.npmrc',
    '.aws/credentials',
    '.git/config',
    '.git/modules/lib/config',
    '.ssh/known',
  ];
  const secrets = Object.fromEntries(secretFiles.map((name) => [name, '[x]\n\turl = https://me:canary-1d0e@host/\n']));
  const shows = `#!/bin/sh\necho "{\\"decision\\":{\\"action\\":\\"deny\\",\\"reason\\":\\"seen: $(cat readme ${secretFiles.join(' ')} 2>/dev/null | tr -d '\\n\\t')\\"}}"\n`;

  test.each(secretFiles)('by naming %s of its own project, under any view of it: that needs a grant', async (name) => {
    for (const project of ['read', 'files', 'none'] as const) {
      const pack = packText({ sandbox: { project, read: [name] } });
      const { ask, accept } = repository({ ...secrets, [scriptFile]: shows, [guardFile]: pack });
      await accept();
      expect(await ask()).toMatchObject(untrusted(`--read ${name}`));
    }
  });

  liveTest(wall, 'by naming what holds secrets, or by globs that reach them: they stay covered', async () => {
    for (const read of [['.'], ['sub', '.aws', '.git'], ['.git/modules', '.git/modules/lib']]) {
      const pack = packText({ sandbox: { read: [...read, 'readme'] } });
      const { ask, accept } = repository({ ...secrets, readme: 'hello ', [scriptFile]: shows, [guardFile]: pack });
      await accept();
      const verdict = await ask();
      expect(verdict.decision).toMatchObject({ reason: expect.stringContaining('seen: hello') });
      expect(JSON.stringify(verdict)).not.toContain('canary');
    }
    const files = ['readme', ...secretFiles, '.ssh/*', '.git/**', '.aws/*', '**', 'sub/.*'];
    const pack = packText({ files, sandbox: { project: 'files' } });
    const { ask, accept, state } = repository({ ...secrets, readme: 'hello ', [scriptFile]: shows, [guardFile]: pack });
    await accept();
    expect(await ask()).toMatchObject({ decision: { reason: 'seen: hello' } });
    const kept = readdirSync(path.join(state, 'trust'), { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(state, 'trust', name))
      .filter((name) => statSync(name).isFile());
    expect(kept.map((name) => readFileSync(name, 'utf8')).join('')).not.toContain('canary');
  });
});
