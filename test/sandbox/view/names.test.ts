import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isConfigurationName } from '../../../src/sandbox/view/configuration-names.ts';
import { withoutCredentials } from '../../../src/sandbox/view/git-config.ts';
import { isSecretDirectory, isSecretName } from '../../../src/sandbox/view/secret-names.ts';

test.each(
  '.env .env.local .env.production prod.env .envrc .npmrc .netrc .pypirc .git-credentials tls.pem TLS.PEM server.key id_rsa id_ed25519 id_rsa.bak a.p12 terraform.tfstate'.split(
    ' ',
  ),
)('%s is covered', (name) => expect(isSecretName(name)).toBe(true));

test.each(
  '.env.example .env.sample .env.template id_rsa.pub cacert.pem env environment.ts keyboard.ts key.ts monkey config credentials.ts .envoy'.split(
    ' ',
  ),
)('%s is shown', (name) => expect(isSecretName(name)).toBe(false));

test('names that mean a secret in one directory only', () => {
  expect(isSecretName('credentials', '.aws')).toBe(true);
  expect(isSecretName('config.json', '.docker')).toBe(true);
  expect(isSecretName('config.json', 'src')).toBe(false);
  expect(isSecretDirectory('.ssh')).toBe(true);
  expect(isSecretDirectory('ssh')).toBe(false);
});

test('what agents, git and editors obey', () => {
  const names =
    '.hg mise.toml .mise.local.toml .tool-versions rust-toolchain.toml .cargo opencode.json .opencode .aider.conf.yml .zed .idea .windsurf lefthook-local.yml .roorules-code x.code-workspace .gitlab-ci.yml Jenkinsfile .agents AGENT.md ' +
    '.git .husky .vscode .envrc .hookcell .polpo .claude .codex .cursor .gemini .github .mcp.json agent.json AGENTS.md CLAUDE.md';
  for (const name of names.split(' ')) expect(isConfigurationName(name)).toBe(true);
  for (const name of [
    'src',
    'README.md',
    'agent.ts',
    'git',
    'package.json',
    'Cargo.toml',
    'mise.ts',
    'rules',
    'cursor',
    'config',
  ])
    expect(isConfigurationName(name)).toBe(false);
});

describe('a git configuration without credentials', () => {
  test.each<[string, string, string]>([
    ['user-info in a URL', '[remote "o"]\n\turl = https://u:p@h/x\n', '[remote "o"]\n\turl = https://h/x\n'],
    ['user-info without a password', '[remote "o"]\n\turl = https://tok@h/x\n', '[remote "o"]\n\turl = https://h/x\n'],
    ['a plain ssh remote stays', '[remote "o"]\n\turl = git@h:x.git\n', '[remote "o"]\n\turl = git@h:x.git\n'],
    [
      'an extra header',
      '[http "https://h"]\n\textraheader = A: b\n[core]\n\tbare = false\n',
      '[core]\n\tbare = false\n',
    ],
    ['a header of a remote', '[remote "o"]\n\textraHeader = A: b\n\tfetch = +x:y\n', '[remote "o"]\n\tfetch = +x:y\n'],
    ['credential sections', '[credential "https://h"]\n\thelper = store\n', ''],
    ['a key on the line of its section', '[credential] helper = x\n[core] bare = true\n', '[core]\n\tbare = true\n'],
    ['a continued value', '[remote "o"]\n\turl = https://u:\\\nsecret@h/x\n', '[remote "o"]\n\turl = https://h/x\n'],
    ['a section that is a URL', '[url "https://u:p@h/"]\n\tinsteadOf = gh:\n', ''],
    ['the old form of a sub-section', '[remote.o]\n\turl = https://u:p@h/x\n', '[remote.o]\n\turl = https://h/x\n'],
    ['a section that is no section', '[core\n\tbare = true\n', ''],
    ['Windows line ends', '[core]\r\n\tbare = true\r\n', '[core]\n\tbare = true\n'],
    [
      'a token in a query',
      '[remote "o"]\n\turl = https://h/x?access_token=t&a=1\n',
      '[remote "o"]\n\turl = https://h/x?access_token=&a=1\n',
    ],
    ['comments', '[core] # tok\n; tok\n\tbare = true\n', '[core] \n\tbare = true\n'.replace(' \n', '\n')],
  ])('%s', (_, text, expected) => expect(withoutCredentials(text)).toBe(expected));

  test('no password of a URL comes through', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9._~-]{8,20}$/);
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom('url', 'pushurl', 'URL'),
        fc.constantFrom('remote "x"', 'submodule "x"'),
        (token, key, section) => {
          const text = `[${section}]\n\t${key} = https://me:${token}@host.example/x.git\n`;
          expect(withoutCredentials(text)).not.toContain(token);
        },
      ),
    );
  });
});
