import { chmodSync, copyFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { resolveProgram, type ProgramRequest } from '../../../src/sandbox/program/resolve.ts';
import { plant, scratchDirectory } from '../../support/view.ts';

const python = '#!/usr/bin/env python3\n';

function resolve(projectRoot: string, request: Omit<ProgramRequest, 'projectRoot'>) {
  return resolveProgram({ projectRoot, hostPath: '', home: '/nonexistent', ...request });
}

function argvOf(projectRoot: string, request: Omit<ProgramRequest, 'projectRoot'>) {
  const resolved = resolve(projectRoot, request);
  return resolved.ok ? resolved.program.argv : `${resolved.code}: ${resolved.message}; ${resolved.remedy}`;
}

function forms(): string {
  return plant(scratchDirectory(), { 'check.sh': '#!/bin/sh -e\n', 'with space.sh': '#!/bin/sh\n' });
}

function scripts(): string {
  return plant(scratchDirectory(), { 'here.py': '', 'sub/x.mjs': '' });
}

describe('command forms', () => {
  test.each<[string, Omit<ProgramRequest, 'projectRoot'>, readonly string[]]>([
    ['an array is an argument vector', { command: ['true', '--', '$HOME'] }, ['/usr/bin/true', '--', '$HOME']],
    ['a lone bare name is a program', { command: 'true' }, ['/usr/bin/true']],
    ['other strings run under sh', { command: 'true && false' }, ['/bin/sh', '-c', 'true && false']],
    ['shell: true wins', { command: 'true', shell: true }, ['/bin/sh', '-c', 'true']],
    ['args make the string a program', { command: 'echo', args: ['a b', '*'] }, ['/usr/bin/echo', 'a b', '*']],
  ])('%s', (_, request, argv) => {
    expect(argvOf(forms(), request)).toEqual(argv);
  });

  test('a program of the project is written out with its interpreter', () => {
    const project = forms();
    const script = join(project, 'check.sh');
    for (const command of ['./check.sh', 'sub/../check.sh', script]) {
      expect(argvOf(plant(project, { 'sub/': '' }), { command })).toEqual(['/bin/sh', '-e', script]);
    }
    expect(argvOf(project, { command: './with space.sh', args: [] })).toEqual([
      '/bin/sh',
      join(project, 'with space.sh'),
    ]);
    const resolved = resolve(project, { command: './check.sh' });
    expect(resolved).toMatchObject({ ok: true, program: { cwd: project, binds: [script] } });
  });

  test.each<[string, Omit<ProgramRequest, 'projectRoot'>, string]>([
    ['empty', { command: ' ' }, 'empty_command'],
    ['empty array', { command: [] }, 'empty_command'],
    ['NUL', { command: ['true', 'a\0b'] }, 'nul_in_command'],
    ['a shell line of several words', { command: ['a', 'b'], shell: true }, 'shell_arguments'],
    ['a Windows path', { command: 'python C:\\hooks\\guard.py' }, 'windows_path'],
    ['a relative Windows path', { command: 'scripts\\guard.py --now' }, 'windows_path'],
  ])('%s is refused', (_, request, code) => {
    expect(resolve(forms(), request)).toMatchObject({ ok: false, cause: 'launch_failed', code });
  });
});

describe('what cannot run says how to mend it', () => {
  test.each<[string, string, string | Uint8Array, RegExp]>([
    ['CR in the shebang', 'x.sh', '#!/bin/bash\r\necho\r\n', /^cr_in_shebang.*sed -i 's\/\\r\$\/\/'/],
    ['CR after an argument', 'x.sh', '#!/usr/bin/env python3\r\n', /^cr_in_shebang/],
    ['BOM before the shebang', 'x.sh', '\ufeff#!/bin/sh\n', /^bom_before_shebang.*sed -i/],
    ['no shebang', 'x.sh', 'echo hi\n', /^no_shebang.*"#!\/bin\/sh"/],
    ['no shebang, Node.js', 'x.mjs', 'process.exit()\n', /^no_shebang.*"#!\/usr\/bin\/env node"/],
    ['no shebang, Python', 'x.PY', 'print()\n', /^no_shebang.*"#!\/usr\/bin\/env python3"/],
    ['no shebang, who knows', 'x.constructor', 'hi\n', /^no_shebang.*"#!\/usr\/bin\/env NAME"/],
    ['empty shebang, Python', 'x.py', '#!\n', /^empty_shebang.*"#!\/usr\/bin\/env python3"/],
    ['empty file', 'x.sh', '', /^no_shebang/],
    ['empty shebang', 'x.sh', '#!\n', /^empty_shebang/],
    ['missing interpreter', 'x.sh', '#!/opt/none/bin/zork\n', /^missing_interpreter.*zork/],
    ['interpreter elsewhere', 'x.sh', '#!/opt/none/bin/sh\n', /^missing_interpreter.*#!\/usr\/bin\/env sh/],
    ['env without a name', 'x.sh', '#!/usr/bin/env\n', /^empty_shebang/],
    ['env with arguments', 'x.sh', '#!/usr/bin/env sh -e\n', /^env_arguments.*env -S sh -e/],
    ['missing program of env', 'x.sh', '#!/usr/bin/env zork-none\n', /^missing_interpreter/],
    ['a shebang of its own script', 'x.sh', '#!./x.sh\n', /^interpreter_loop/],
    ['a shebang without end', 'x.sh', `#!/${'a'.repeat(400)}`, /^shebang_too_long/],
    ['a similar name', 'chekc.sh', '#!/bin/sh\n', /^not_found.*did you mean chekc\.sh/],
    ['another extension', 'x.py', python, /^not_found.*did you mean x\.py/],
    ['a secret name', '.env', '#!/bin/sh\n', /^not_found|^secret_file/],
  ])('%s', (_, name, content, expected) => {
    const root = plant(scratchDirectory(), { [name]: String(content) });
    const command =
      ['chekc.sh', 'x.py'].includes(name) && content !== '#!\n'
        ? name === 'x.py'
          ? './x.mjs'
          : './check.sh'
        : `./${name}`;
    expect(argvOf(root, { command: [command] })).toMatch(expected);
  });

  test.each([
    ['./nosuch', 'touch'],
    ['./lint', 'list'],
    ['./pyhton', 'ls'],
    ['./jq', 'sh'],
  ])('%s is not taken for the unlike name %s', (command, name) => {
    const root = plant(scratchDirectory(), { [name]: '#!/bin/sh\n' });
    const expected = command === './lint' ? /did you mean list/u : /nothing of a similar name/u;
    expect(argvOf(root, { command })).toMatch(expected);
  });

  test('of an interpreter that nothing resembles no other program', () => {
    const root = plant(scratchDirectory(), { x: '#!/usr/bin/nosuch\n' });
    expect(argvOf(root, { command: './x' })).toMatch(/^missing_interpreter/u);
    expect(argvOf(root, { command: './x' })).not.toContain('did you mean');
  });

  test.each([['python3 x.py'], ['./x.py --fast'], ['sh -c "exit 0"'], ['no-such\tprogram']])(
    '%j, one word by its quotes: says how to make it several',
    (name) => {
      const root = plant(scratchDirectory(), { 'x.py': python });
      expect(argvOf(root, { command: [name] })).toMatch(/^not_found.*words of their own.*--shell/u);
    },
  );

  test('a program with a space in its name is one', () => {
    const root = plant(scratchDirectory(), { 'my check.sh': '#!/bin/sh\n' });
    expect(argvOf(root, { command: ['./my check.sh'] })).toEqual(['/bin/sh', join(root, 'my check.sh')]);
  });

  test('a directory, a dangling link, a loop, a binary without the executable bit', () => {
    const root = plant(scratchDirectory(), { 'dir/': '' });
    symlinkSync('nowhere', join(root, 'dangling'));
    symlinkSync('loop', join(root, 'loop'));
    copyFileSync('/bin/true', join(root, 'binary'));
    chmodSync(join(root, 'binary'), 0o644);
    expect(argvOf(root, { command: './dir' })).toMatch(/^is_directory/);
    expect(argvOf(root, { command: './dangling' })).toMatch(/^dangling_symlink/);
    expect(argvOf(root, { command: './loop' })).toMatch(/^symlink_loop/);
    expect(argvOf(root, { command: './binary' })).toMatch(/^not_executable.*chmod \+x/);
  });
});

describe('what a repository may name', () => {
  test('a script that is not executable runs through its shebang', () => {
    const root = plant(scratchDirectory(), { 'x.sh': '#!/usr/bin/env -S sh -e -u\n' });
    chmodSync(join(root, 'x.sh'), 0o644);
    expect(argvOf(root, { command: './x.sh' })).toEqual([
      expect.stringMatching(/\/sh$/),
      '-e',
      '-u',
      join(root, 'x.sh'),
    ]);
    expect(argvOf(root, { command: 'exec ./x.sh' })).toEqual(['/bin/sh', '-c', 'exec ./x.sh']);
    expect(argvOf(root, { command: './x.sh now' })).toMatch(/^not_executable/);
  });

  test('links that leave the project are refused, unless the system or the PATH of the operator has the target', () => {
    const tools = plant(scratchDirectory(), { 'bin/tool': '#!/bin/sh\n', 'private/x': '#!/bin/sh\n' });
    const root = scratchDirectory();
    symlinkSync('/usr/bin/true', join(root, 'system'));
    symlinkSync(join(tools, 'bin/tool'), join(root, 'offered'));
    symlinkSync(join(tools, 'private/x'), join(root, 'escape'));
    expect(argvOf(root, { command: './system' })).toEqual(['/usr/bin/true']);
    expect(argvOf(root, { command: './escape' })).toMatch(/^symlink_escapes/);
    expect(argvOf(root, { command: './escape', outsideProject: 'bind' })).toMatch(/^symlink_escapes/);
    expect(argvOf(root, { command: './offered' })).toMatch(/^symlink_escapes/);
    const hostPath = join(tools, 'bin');
    expect(argvOf(root, { command: './offered', hostPath })).toEqual(['/bin/sh', join(tools, 'bin/tool')]);
  });

  test('a path outside the project is for the operator alone', () => {
    const outside = plant(scratchDirectory(), { 'x.sh': '#!/bin/sh\n' });
    const root = scratchDirectory();
    const command = join(outside, 'x.sh');
    for (const name of [command, ['sh', command], `sh ${command}`, '../x.sh']) {
      expect(argvOf(root, { command: name })).toMatch(/^outside_project|^missing_script|^not_found/);
    }
    const relative = join('..', basename(outside), 'x.sh');
    const wholePath = `name it by its whole path, ${command}; or`;
    expect(argvOf(root, { command: [relative] })).toMatch(/^outside_project(?!.*whole path)/u);
    expect(argvOf(root, { command: [relative], outsideProject: 'bind' })).toContain(wholePath);
    symlinkSync(command, join(root, 'link'));
    expect(argvOf(root, { command: './link', outsideProject: 'bind' })).toContain(wholePath);
    expect(argvOf(root, { command: [command], outsideProject: 'bind' })).toEqual(['/bin/sh', command]);
    const resolved = resolve(root, { command: ['sh', command], outsideProject: 'bind' });
    expect(resolved).toMatchObject({ ok: true, program: { binds: [command] } });
  });

  test('a bare name is never found in the project', () => {
    const root = plant(scratchDirectory(), { 'bin/tool-x': '#!/bin/sh\n', 'bin/true': '#!/bin/sh\n' });
    const hostPath = `.:bin::${root}/bin`;
    expect(argvOf(root, { command: 'tool-x', hostPath })).toMatch(/^not_found/);
    expect(argvOf(root, { command: 'true', hostPath })).toEqual(['/usr/bin/true']);
  });
});

describe('scripts named as an argument of an interpreter', () => {
  test.each<[string | string[]]>([
    [['python3', './missing.py']],
    ['python3 ./missing.py'],
    ['python3 -u missing.py --flag'],
    [['sh', '-e', 'hooks/missing.sh']],
    [['node', '--', './missing.mjs']],
    [['/bin/sh', './missing']],
  ])('%j is found missing before the launch', (command) => {
    expect(argvOf(scripts(), { command })).toMatch(/^missing_script/);
  });

  test.each<[string | string[]]>([
    [['python3', '-c', 'print(1)', './missing.py']],
    [['python3', '-m', 'json.tool', './missing.json']],
    [['node', '-e', '1', './missing.mjs']],
    [['sh', '-ec', './missing']],
    [['cat', './missing.py']],
    ['python3 "$X/missing.py"'],
    ['cd sub && python3 missing.py'],
  ])('%j is left to run', (command) => {
    expect(Array.isArray(argvOf(scripts(), { command }))).toBe(true);
  });

  test('a script that is there is bound by its real path', () => {
    const project = scripts();
    symlinkSync('here.py', join(project, 'link.py'));
    const resolved = resolve(project, { command: ['python3', '-u', 'link.py', 'a'] });
    expect(resolved).toMatchObject({
      ok: true,
      program: {
        argv: [expect.stringMatching(/python3$/), '-u', join(project, 'here.py'), 'a'],
        binds: [join(project, 'here.py')],
      },
    });
  });

  test('a file that holds secrets is not a script', () => {
    const project = plant(scratchDirectory(), { '.env': 'S=1', id_rsa: 'x' });
    expect(argvOf(project, { command: ['sh', './.env'] })).toMatch(/^secret_file/);
    expect(argvOf(project, { command: 'sh ./id_rsa' })).toMatch(/^secret_file/);
  });

  test('the home directory of a person is not inside', () => {
    expect(argvOf(scripts(), { command: ['python3', '~/hook.py'] })).toMatch(/^tilde/);
    expect(argvOf(scripts(), { command: 'python3 ~/hook.py' })).toMatch(/^tilde/);
  });
});

test('a missing project is said', () => {
  expect(resolve('/nonexistent/project', { command: 'true' })).toMatchObject({ ok: false, code: 'no_project' });
});
