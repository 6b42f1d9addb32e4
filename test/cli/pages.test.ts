import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { liveTest, program } from '../support/capability.ts';
import { scratchDirectory } from '../support/view.ts';
import { root, runCli } from './cli.ts';
import { blocksOf, Reader } from './page.ts';

const vector = (name: string): string => `.hookcell/vectors/tickets-${name}.vector.json`;
const tools = [program('python3'), program('strace')];

liveTest(tools, 'docs/guide.md: every block does what stands there', () => {
  const top = scratchDirectory();
  const door = path.join(top, 'home/me/door');
  mkdirSync(door, { recursive: true });
  const reader = new Reader(top, door, [
    ['/home/me', path.join(top, 'home/me')],
    ['/srv/tickets', path.join(top, 'tickets')],
  ]);
  const pack = '.hookcell/hooks/tickets.json';
  /** Where the page says that its blocks of files go, in their order. */
  const saves: readonly ((text: string) => void)[] = [
    (text) => reader.write(pack, text),
    (text) => reader.write('.hookcell/scripts/tickets.py', text),
    (text) => reader.write('.hookcell/events/tickets.json', text),
    (text) => {
      const before = readFileSync(path.join(door, pack), 'utf8');
      reader.write(
        pack,
        before.replace(/"sandbox": .*/u, () => text.trim()),
      );
    },
    (text) => reader.write('../.config/hookcell/config.json', text),
    (text) => {
      reader.write(vector('deny'), text);
      const { description: _, ...rest }: { description: string; expect: object } = JSON.parse(text);
      const other = (name: string, message: string, description: string, expected: object): void => {
        const document = JSON.stringify({ ...rest, description, expect: expected });
        reader.write(vector(name), document.replace('Mend the hinge', message));
      };
      other('allow', 'DOOR-17 Mend the hinge', 'a commit with an open ticket goes on', { action: 'allow' });
      other('closed', 'DOOR-3 Mend the hinge', 'a closed ticket does not count', {});
    },
  ];
  let saved = 0;
  for (const block of blocksOf('docs/guide.md')) {
    if (block.language === 'console') reader.follow(block);
    else if (block.language === 'bash') expect(reader.run(block.text)).toMatchObject({ code: 0 });
    else saves[saved++]?.(block.text);
  }
  expect(saved).toBe(saves.length);
});

liveTest(tools, 'docs/authoring.md: from a script to a refusal to a grant', () => {
  const top = scratchDirectory();
  const tickets = path.join(top, 'tickets');
  const reader = new Reader(top, path.join(top, 'door'), [['/srv/tickets', tickets]]);
  const files = blocksOf('docs/guide.md').filter(({ language }) => ['json', 'python'].includes(language));
  const [pack, script, ticketEvent] = files.map(({ text }) => text);
  reader.write('.hookcell/hooks/tickets.json', pack ?? '');
  reader.write('.hookcell/scripts/tickets.py', script ?? '');
  reader.write('event.json', ticketEvent ?? '');
  reader.write('/srv/tickets/open.txt', 'DOOR-17 The hinge is loose\nDOOR-21 Paint it green\n');
  const [refused, granted] = blocksOf('docs/authoring.md').filter(({ language }) => language === 'console');
  reader.follow(refused ?? { language: '', text: '' });
  const request = '"network": "none", "read": ["/srv/tickets/open.txt"]';
  reader.write('.hookcell/hooks/tickets.json', (pack ?? '').replace('"network": "none"', request));
  reader.follow(granted ?? { language: '', text: '' });
  expect(granted?.text).toContain('refused  nothing');
});

test('docs/testing-hooks.md: its lines for a shell run in a new project', () => {
  const top = scratchDirectory();
  const cwd = path.join(top, 'project');
  mkdirSync(cwd);
  const reader = new Reader(top, cwd);
  const lines = scriptsOf('docs/testing-hooks.md', 'sh').flatMap((text) => text.trim().split('\n'));
  // What a machine may lack, or must not get from a test.
  const own = lines.filter((line) => !/^apt-get |\| jq /u.test(line));
  expect(own.length).toBeGreaterThan(5);
  for (const line of own) expect({ line, ...reader.run(line) }).toMatchObject({ line, code: 0 });
  expect(readFileSync(path.join(cwd, 'hookcell.xml'), 'utf8')).toContain('tests="2" failures="0" errors="0"');
});

liveTest(program('python3'), 'examples/README.md: examples fit together in a project of its own hooks', async () => {
  const cwd = scratchDirectory();
  expect(await runCli(['init'], { cwd })).toMatchObject({ code: 0 });
  const page = readFileSync(path.join(root, 'examples/README.md'), 'utf8');
  const [, apart = ''] = /lies beside `\.hookcell`: ([^]*?) look at sample files/u.exec(page) ?? [];
  const names = readdirSync(path.join(root, 'examples')).filter((name) => !name.includes('.') && !apart.includes(name));
  expect(names).toContain('protect-files');
  for (const name of names) {
    const own = path.join(root, 'examples', name, '.hookcell');
    cpSync(own, path.join(cwd, '.hookcell'), { recursive: true, errorOnExist: true, force: false });
  }
  expect(await runCli(['validate'], { cwd })).toMatchObject({ code: 0 });
  const { code, stdout } = await runCli(['test'], { cwd });
  expect(stdout.split('\n').filter((line) => !line.startsWith('✓'))).toEqual(['']);
  expect(code).toBe(0);
});

describe.each(readdirSync(path.join(root, 'examples')).filter((name) => !name.includes('.')))('examples/%s', (name) => {
  liveTest(
    program('python3'),
    'passes by the line of its README.md, which the page of all examples has, too',
    async () => {
      const line = /^hookcell (test.*)$/mu.exec(
        readFileSync(path.join(root, 'examples', name, 'README.md'), 'utf8'),
      )?.[1];
      const cwd = path.join(scratchDirectory(), name);
      cpSync(path.join(root, 'examples', name), cwd, { recursive: true, verbatimSymlinks: true });
      const { code, stderr } = await runCli((line ?? '').split(' '), { cwd });
      expect(stderr).toMatch(/^(\d+) vectors: \1 passed$/mu);
      expect(code).toBe(0);
      const page = readFileSync(path.join(root, 'examples/README.md'), 'utf8');
      if (line !== 'test') expect(page).toContain(`(${name} by \`hookcell ${line}\``);
    },
  );
});

describe('README.md', () => {
  test('its commands print what stands there, from the root of a checkout', () => {
    const top = scratchDirectory();
    cpSync(path.join(root, 'examples/quality'), path.join(top, 'hookcell/examples/quality'), { recursive: true });
    const reader = new Reader(top, path.join(top, 'hookcell'));
    const blocks = blocksOf('README.md').filter(({ language }) => language === 'console');
    expect(blocks).toHaveLength(2);
    for (const block of blocks) reader.follow(block);
  });

  test('npm pack, which it advises, leaves nothing for git', () => {
    const ignored = readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n');
    expect(ignored).toContain('hookcell-*.tgz');
  });

  test('its pack is the one of examples/quality', () => {
    const packs = blocksOf('README.md').filter(({ language }) => language === 'json');
    const shipped = readFileSync(path.join(root, 'examples/quality/.hookcell/hooks/quality.json'), 'utf8');
    expect(packs.map(({ text }) => text)).toEqual([shipped]);
  });

  test('names commands and files for the first steps that are there', () => {
    const [first, install] = blocksOf('README.md').filter(({ language }) => language === 'bash');
    const { bin }: { bin: { hookcell: string } } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(first?.text).toContain(`node $PWD/${bin.hookcell}`);
    expect(readFileSync(path.join(root, 'scripts/quickstart'), 'utf8')).toMatch(/^#!/u);
    expect(install?.text).toMatch(/^npm install .*\nnpx hookcell init /u);
  });
});

/** A project that was made as the pages say: the package is installed, and `init` was called. */
async function installed(): Promise<Reader> {
  const top = scratchDirectory();
  const cwd = path.join(top, 'project');
  mkdirSync(path.join(cwd, 'node_modules'), { recursive: true });
  symlinkSync(root, path.join(cwd, 'node_modules/hookcell'));
  expect(await runCli(['init'], { cwd })).toMatchObject({ code: 0 });
  return new Reader(top, cwd);
}

function scriptsOf(page: string, language: string): readonly string[] {
  return blocksOf(page).flatMap((block) => (block.language === language ? [block.text] : []));
}

test('README.md: the example in TypeScript runs after the lines above it', async () => {
  const reader = await installed();
  const [example = ''] = scriptsOf('README.md', 'ts');
  reader.write('host.mjs', `${example}console.log(verdict.decision.action);\n`);
  expect(reader.run('node host.mjs')).toEqual({ code: 0, stdout: 'allow\n', stderr: '' });
});

describe('docs/embedding.md', () => {
  test('its examples run', async () => {
    const reader = await installed();
    const [first = '', ...rest] = scriptsOf('docs/embedding.md', 'ts');
    expect(rest).toHaveLength(3);
    reader.write('first.mjs', `${first}console.log(verdict.decision.action);\n`);
    expect(reader.run('node first.mjs')).toEqual({ code: 0, stdout: 'allow\n', stderr: '' });
    for (const name of ['catalogue/list.txt', 'build/out.txt']) reader.write(name, '');
    reader.write('agent.json', '{ "name": "coder", "hooks": ["guard"] }');
    const setting = `
      import { homedir } from 'node:os';
      import { join } from 'node:path';
      import { createExecutor } from 'hookcell';
      const organisationPack = { version: 1, name: 'ours', hooks: [] };
      const catalogue = 'catalogue';
      const event = { event: 'tool:before', data: { tool: 'write', input: { path: 'a.txt' } } };
      const executor = await createExecutor({ packs: '.hookcell/hooks' });
    `;
    reader.write('rest.mjs', `${setting}${rest.join('')}console.log('ran'); process.exit();\n`);
    expect(reader.run('node rest.mjs')).toEqual({ code: 0, stdout: 'ran\n', stderr: '' });
  });
});
