import { describe, expect, it } from 'vitest';
import { refusedEnvironmentName } from '../../src/protocol/index.ts';

describe('refusedEnvironmentName', () => {
  it.each([
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'LD_AUDIT',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'BASH_ENV',
    'ENV',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PERL5LIB',
    'PERL5OPT',
    'RUBYOPT',
    'RUBYLIB',
    'GIT_SSH_COMMAND',
    'GIT_DIR',

    'JAVA_TOOL_OPTIONS',
    'GLIBC_TUNABLES',
    'BASH_FUNC_ls%%',
    'BASH_FUNC_x',
    '',
    'A=B',
    'A B',
    '1A',
    'Ä',
    'A\n',
    'A\u0000',
  ])('refuses %j', (name) => {
    expect(refusedEnvironmentName(name)).toBe(true);
  });

  it.each(['CI', 'GITHUB_TOKEN', 'LDAP_URL', 'NODE_ENV', 'ENVIRONMENT', 'RAILS_ENV', 'HTTP_PROXY', '_', 'constructor'])(
    'passes %s',
    (name) => {
      expect(refusedEnvironmentName(name)).toBe(false);
    },
  );
});
