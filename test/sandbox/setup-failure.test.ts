import { expect, test } from 'vitest';

import { bubblewrapMissing, classifySetupFailure, type SetupFacts } from '../../src/sandbox/setup-failure.ts';

const machine: SetupFacts = {
  said: '',
  timedOut: false,
  isRoot: false,
  maxUserNamespaces: '15000\n',
  unprivilegedUsernsClone: undefined,
  apparmorRestrictsUserns: undefined,
  insideContainer: false,
};
const refused = 'bwrap: Creating new namespace failed: Operation not permitted';
const uidMap = 'bwrap: setting up uid map: Permission denied';
const noProc = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted";

test.each<[string, Partial<SetupFacts>, string, RegExp]>([
  ['a mount that hangs', { timedOut: true }, 'probe_timeout', /\/proc\/mounts/u],
  [
    'user namespaces switched off',
    { said: refused, maxUserNamespaces: '0\n' },
    'userns_disabled',
    /user\.max_user_namespaces/u,
  ],
  [
    'Debian\u2019s switch',
    { said: refused, unprivilegedUsernsClone: '0\n' },
    'userns_disabled',
    /unprivileged_userns_clone=1/u,
  ],
  [
    'Debian\u2019s switch does not bind root',
    { said: refused, unprivilegedUsernsClone: '0\n', isRoot: true },
    'userns_refused',
    /unshare/u,
  ],
  ['AppArmor', { said: uidMap, apparmorRestrictsUserns: '1\n' }, 'apparmor_userns', /\/etc\/apparmor\.d\/bwrap/u],
  ['AppArmor that allows it', { said: refused, apparmorRestrictsUserns: '0\n' }, 'userns_refused', /unshare/u],
  [
    'AppArmor beside another failure',
    { said: 'bwrap: no such option', apparmorRestrictsUserns: '1\n' },
    'setup_failed',
    /doctor/u,
  ],
  ['a masked /proc', { said: noProc, insideContainer: true }, 'proc_masked', /systempaths=unconfined/u],
  [
    'no seccomp',
    { said: 'bwrap: prctl(PR_SET_SECCOMP): Invalid argument' },
    'seccomp_refused',
    /CONFIG_SECCOMP_FILTER/u,
  ],
  ['an outer seccomp profile', { said: refused, insideContainer: true }, 'outer_seccomp', /seccomp=unconfined/u],
  ['a kernel that refuses', { said: refused }, 'userns_refused', /unshare --user/u],
  ['silence', {}, 'setup_failed', /doctor/u],
])('%s', (_what, facts, code, remedy) => {
  const found = classifySetupFailure({ ...machine, ...facts });
  expect(found.code).toBe(code);
  expect(found.remedy).toMatch(remedy);
});

test('the message quotes the first line of what bubblewrap said, and no more', () => {
  const { message } = classifySetupFailure({ ...machine, said: `${refused}\nsecond line` });
  expect(message).toContain(refused);
  expect(message).not.toContain('second');
});

test('a missing bubblewrap comes with the command that installs it', () => {
  expect(bubblewrapMissing('nowhere')).toMatchObject({
    code: 'bwrap_missing',
    message: expect.stringContaining('nowhere'),
  });
  expect(bubblewrapMissing('nowhere').remedy).toContain('apt-get install bubblewrap');
});
