import { chmodSync, copyFileSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { installationBinds } from '../../../src/sandbox/program/installation.ts';
import { resolveProgram } from '../../../src/sandbox/program/resolve.ts';
import { bubblewrap, linux, liveTest } from '../../support/capability.ts';
import { plant, policyOf, runInView, scratchDirectory } from '../../support/view.ts';

/** A home with an interpreter that only it has: a copy of `/bin/sh`, which needs nothing but the C library. */
function homeWith(path: string, more: Readonly<Record<string, string>> = {}): string {
  const home = plant(scratchDirectory(), { ...more, '.ssh/id_rsa': 'canary', 'notes.txt': 'canary' });
  mkdirSync(dirname(join(home, path)), { recursive: true });
  copyFileSync(realpathSync('/bin/sh'), join(home, path));
  chmodSync(join(home, path), 0o755);
  return home;
}

const script = { 'check.zork': '#!/usr/bin/env zork\necho ran; ls ~/.. ; zork -c "echo nested"' };

interface Kind {
  readonly name: string;
  readonly interpreter: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly path: string;
  readonly bind: string;
}

const kinds: readonly Kind[] = [
  {
    name: 'nvm',
    interpreter: '.nvm/versions/node/v22.1.0/bin/zork',
    files: { '.nvm/versions/node/v22.1.0/lib/': '' },
    path: '.nvm/versions/node/v22.1.0/bin',
    bind: '.nvm/versions/node/v22.1.0',
  },
  {
    name: 'pyenv',
    interpreter: '.pyenv/versions/3.12.1/bin/zork',
    files: {
      '.pyenv/versions/3.12.1/lib/': '',
      '.pyenv/version': '3.12.1\n',
      '.pyenv/shims/zork': '#!/usr/bin/env bash\nexec pyenv exec zork "$@"\n',
    },
    path: '.pyenv/shims',
    bind: '.pyenv/versions/3.12.1',
  },
  {
    name: 'asdf',
    interpreter: '.asdf/installs/zork/2.0/bin/zork',
    files: {
      '.asdf/installs/zork/2.0/lib/': '',
      '.tool-versions': 'zork 2.0\n',
      '.asdf/shims/zork':
        '#!/usr/bin/env bash\n# asdf-plugin: zork 1.0\n# asdf-plugin: zork 2.0\nexec asdf exec zork\n',
    },
    path: '.asdf/shims',
    bind: '.asdf/installs/zork/2.0',
  },
  { name: 'a lone binary in ~/bin', interpreter: 'bin/zork', path: 'bin', bind: 'bin/zork' },
  {
    name: 'a lone binary in ~/.local/bin',
    interpreter: '.local/bin/zork',
    files: { '.local/lib/': '' },
    path: '.local/bin',
    bind: '.local/bin/zork',
  },
  {
    name: 'a lone binary in ~/.cargo/bin',
    interpreter: '.cargo/bin/zork',
    files: { '.cargo/lib/': '' },
    path: '.cargo/bin',
    bind: '.cargo/bin/zork',
  },
];

describe('an interpreter outside /usr', () => {
  for (const kind of kinds) {
    liveTest([linux, bubblewrap], `${kind.name}: runs, with its own prefix and nothing else of the home`, async () => {
      const home = homeWith(kind.interpreter, kind.files);
      const projectRoot = plant(scratchDirectory(), {
        ...script,
        '.python-version': 'evil',
        '.tool-versions': 'zork 1.0',
      });
      const resolved = resolveProgram({ command: './check.zork', projectRoot, hostPath: join(home, kind.path), home });
      if (!resolved.ok) throw new Error(resolved.message);
      expect(resolved.program.argv).toEqual([join(home, kind.interpreter), join(projectRoot, 'check.zork')]);
      expect(resolved.program.binds).toEqual([join(home, kind.bind), join(projectRoot, 'check.zork')]);
      const ran = await runInView(policyOf({ projectRoot }), resolved.program);
      expect(ran).toMatchObject({ code: 0, stdout: 'ran\nhook\nnested\n' });
      const list = await runInView(policyOf({ projectRoot }), {
        ...resolved.program,
        argv: ['/usr/bin/find', home, '-name', 'notes.txt', '-o', '-name', 'id_rsa'],
      });
      expect(list.stdout).toBe('');
    });
  }

  test('linuxbrew binds what its programs need, not its settings', () => {
    const prefix = join(scratchDirectory(), '.linuxbrew');
    plant(prefix, { 'Cellar/zork/1/bin/zork': '#!/bin/sh\n', 'opt/': '', 'lib/': '', 'etc/secret': '', 'bin/': '' });
    symlinkSync('../Cellar/zork/1/bin/zork', join(prefix, 'bin/zork'));
    const resolved = resolveProgram({
      command: 'zork',
      projectRoot: scratchDirectory(),
      hostPath: join(prefix, 'bin'),
      home: '/nonexistent',
    });
    expect(resolved).toMatchObject({
      ok: true,
      program: { binds: ['Cellar', 'opt', 'lib', 'bin'].map((name) => join(prefix, name)) },
    });
  });

  test('a virtual environment keeps its own path, by which it is recognised', () => {
    const venv = plant(scratchDirectory(), { 'pyvenv.cfg': '', 'bin/': '' });
    symlinkSync('/usr/bin/true', join(venv, 'bin/zork'));
    const resolved = resolveProgram({
      command: 'zork',
      projectRoot: scratchDirectory(),
      hostPath: join(venv, 'bin'),
      home: '/nonexistent',
    });
    expect(resolved).toMatchObject({ ok: true, program: { argv: [join(venv, 'bin/zork')], binds: [venv] } });
  });

  test('a shim without a global version, or of a manager that cannot be followed, is named in the remedy', () => {
    const home = plant(scratchDirectory(), { '.pyenv/shims/zork': '#!/bin/sh\n', 'bin/mise': '#!/bin/sh\n', 'm/': '' });
    symlinkSync(join(home, 'bin/mise'), join(home, 'm/zork'));
    const remedies = ['.pyenv/shims', 'm'].map((path) => {
      const resolved = resolveProgram({
        command: 'zork',
        projectRoot: scratchDirectory(),
        hostPath: join(home, path),
        home,
      });
      return resolved.ok ? '' : resolved.remedy;
    });
    expect(remedies).toEqual([
      expect.stringMatching(/shims\/zork is a shim/),
      expect.stringMatching(/"mise which zork"/),
    ]);
  });

  test('names in a shell line that only the PATH of the operator has are bound', () => {
    const home = homeWith('.nvm/v1/bin/zork', { '.nvm/v1/lib/': '' });
    const resolved = resolveProgram({
      command: 'cd . && zork -c "echo a"',
      projectRoot: scratchDirectory(),
      hostPath: join(home, '.nvm/v1/bin'),
      home,
    });
    expect(resolved).toMatchObject({
      ok: true,
      program: { binds: [join(home, '.nvm/v1')], path: [join(home, '.nvm/v1/bin')] },
    });
  });
});

test.each([
  ['/usr/bin/x', []],
  ['/nix/store/abc-node/bin/node', ['/nix/store']],
  ['/home/me/bin/x', ['/home/me/bin/x']],
  ['/bin/x', []],
  ['/x', ['/x']],
  ['/home/me/.npm-global/lib/node_modules/a/x.js', ['/home/me/.npm-global/lib/node_modules']],
])('%s is bound by %j', (file, binds) => {
  expect(installationBinds(file, '/home/me')).toEqual(binds);
});

test('a home directory is never a prefix, whatever it holds', () => {
  const home = plant(scratchDirectory(), { 'bin/x': '', 'lib/': '', 'package.json': '{}' });
  expect(installationBinds(join(home, 'bin/x'), home)).toEqual([join(home, 'bin/x')]);
  expect(installationBinds(join(home, 'bin/x'), join(home, 'deeper'))).toEqual([join(home, 'bin/x')]);
});
