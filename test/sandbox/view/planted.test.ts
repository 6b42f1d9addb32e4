import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import { plantedNotes, setAsidePlanted } from '../../../src/sandbox/view/planted.ts';
import { nameUndecodable, setAside } from '../../../src/sandbox/view/rename-inside.ts';
import { bubblewrap, linux, liveTest, program } from '../../support/capability.ts';
import { factsOf, plant, policyOf, scratchDirectory, shellInView } from '../../support/view.ts';

const wall = [linux, bubblewrap];

liveTest(
  wall,
  'a granted directory takes new files; configuration in it stays as it is, missing one is set aside',
  async () => {
    const root = plant(scratchDirectory(), { 'out/old.txt': 'old', '.git/HEAD': 'x' });
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
    const ran = await shellInView(
      policy,
      `echo new > out/new.txt; echo changed > out/old.txt; mkdir -p out/x/.claude out/.git/hooks; echo evil > out/x/.claude/settings.json
     (echo evil > .git/HEAD) 2>/dev/null && echo WROTE; (echo evil > agent.json) 2>/dev/null && echo WROTE; true`,
    );
    expect(ran.stdout).toBe('');
    const planted = await setAsidePlanted(ran.facts.writes);
    expect(planted.unchecked).toEqual([]);
    expect(planted.setAside).toHaveLength(2);
    expect(existsSync(join(root, 'out/x/.claude'))).toBe(false);
    expect(existsSync(join(root, 'out/.git'))).toBe(false);
    expect(readFileSync(join(root, 'out/new.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(root, 'out/old.txt'), 'utf8')).toBe('changed\n');
  },
);

liveTest(
  [...wall, program('git')],
  'a repository that a handler makes without the name .git runs nothing afterwards',
  async () => {
    const root = plant(scratchDirectory(), { 'out/': '', 'top/': '' });
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out'), join(root, 'top')] });
    const evil = `touch ${root}/out/obeyed`;
    const ran = await shellInView(
      policy,
      `make() { mkdir -p $1/objects $1/refs; echo 'ref: refs/heads/main' > $1/HEAD; printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = "${evil};"\\n' > $1/config; }
     make out/deep/innocent; make top; mkdir -p out/far; mv out/deep/innocent/objects out/deep/innocent/refs out/far
     make out/far; echo ../../far > out/deep/innocent/commondir; cp out/far/config out/deep/innocent/`,
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const obey = (name: string) => spawnSync('git', ['-C', join(root, name), 'status'], { encoding: 'utf8' });
    const repositories = ['out/deep/innocent', 'out/far', 'top'];
    expect(repositories.map((name) => obey(name).stderr).join('')).not.toContain('not a git repository');
    expect(existsSync(join(root, 'out/obeyed'))).toBe(true);
    const { setAside: aside, unchecked } = await setAsidePlanted(ran.facts.writes);
    expect([aside.length, unchecked]).toEqual([3, []]);
    for (const name of repositories) expect(obey(name).stderr).toContain('not a git repository');
  },
);

liveTest(
  wall,
  'a repository of another name stays as it is in a granted directory, and is granted by no path',
  async () => {
    const root = plant(scratchDirectory(), {
      'out/fixture/HEAD': 'ref: refs/heads/main',
      'out/fixture/objects/': '',
      'out/fixture/refs/': '',
      'out/fixture/hooks/post-checkout': 'mine',
      'out/x': '',
    });
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
    const ran = await shellInView(
      policy,
      `for file in config HEAD hooks/post-checkout hooks/new; do (echo evil > out/fixture/$file) 2>/dev/null && echo WROTE $file; done
     mv out/fixture out/y 2>/dev/null && echo MOVED; echo fine > out/x; cat out/x`,
    );
    expect(ran.stdout).toBe('fine\n');
    expect(await setAsidePlanted(ran.facts.writes)).toEqual({ setAside: [], strays: [], unchecked: [] });
    for (const path of ['out/fixture', 'out/fixture/hooks', 'out/fixture/hooks/post-checkout']) {
      const writing = factsOf({ ...policy, writePaths: [join(root, path)] });
      await expect(writing).rejects.toThrow('write_configuration');
    }
  },
);

liveTest(
  wall,
  'a link out of the write paths, or a pipe, that a handler leaves is not under its name afterwards',
  async () => {
    const home = plant(scratchDirectory(), {
      'keys/authorized_keys': 'mine',
      'project/.git/hooks/': '',
      'project/out/a/b/c': '',
      'project/also/': '',
    });
    const root = join(home, 'project');
    for (const name of ['out/old', 'also/old']) symlinkSync('../../keys', join(root, name));
    execFileSync('mkfifo', [join(root, 'out/old-pipe')]);
    const policy = policyOf({
      project: 'read',
      projectRoot: root,
      writePaths: [join(root, 'out'), join(root, 'also')],
    });
    const ran = await shellInView(
      policy,
      `cd out; ln -s ${home}/keys/authorized_keys report.txt; ln -s ../../keys/new new.txt; ln -s ../.git/hooks/pre-commit hook; ln -s ../../../../../keys a/up
     ln -s . d; ln -s d/d/d/../../../keys detour; mkdir -p x/.claude; ln -s x/.claude/y inner; ln -s old/authorized_keys through
     rm ../also/old; ln -s ../../keys/x ../also/old; mkfifo pipe a/pipe
     ln -s a/b inside; ln -s ../also other; ln -s /usr/bin/env env; ln -s /bin/sh sh; ln -s /dev/null null; ln -s nowhere dangling; ln -s loop loop`,
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const { strays, setAside: aside, unchecked } = await setAsidePlanted(ran.facts.writes);
    expect(unchecked).toEqual([]);
    expect(aside).toEqual([expect.stringContaining('out/x/.claude.set-aside-')]);
    const names = strays.map((path) => path.slice(root.length + 1).replace(/\.set-aside-[0-9a-f]{8}$/, ''));
    expect(new Set(names)).toEqual(
      new Set(
        'report.txt new.txt hook detour a/up inner through pipe a/pipe'.split(' ').map((name) => `out/${name}`),
      ).add('also/old'),
    );
    const left = ['old', 'old-pipe', 'd', 'inside', 'other', 'env', 'sh', 'null', 'dangling', 'loop', 'a', 'x'];
    expect(new Set(readdirSync(join(root, 'out')).filter((name) => !name.includes('set-aside')))).toEqual(
      new Set(left),
    );
  },
);

liveTest(
  wall,
  'with the project root granted, missing configuration cannot be created, nor existing one changed',
  async () => {
    const root = plant(scratchDirectory(), {
      'src/a.txt': 'a',
      '.git/config': '[core]\n',
      'AGENTS.md': 'mine',
      'plain.txt': 'p',
    });
    symlinkSync('src', join(root, 'link'));
    const before = readdirSync(root).toSorted();
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [root] });
    const ran = await shellInView(
      policy,
      `for name in .claude .hookcell .husky .vscode; do mkdir $name 2>/dev/null && echo MADE $name; done
     for name in .mcp.json agent.json CLAUDE.md AGENTS.md .git/config .git/hooks; do (echo evil > $name) 2>/dev/null && echo WROTE $name; done
     mv .git .git2 2>/dev/null && echo MOVED; mv src src2 2>/dev/null && echo MOVED; rm -f AGENTS.md 2>/dev/null
     ln -s /tmp .cursor 2>/dev/null && echo LINKED; ln .git/config src/hard 2>/dev/null && echo HARD
     echo new > src/new.txt; echo q > plain.txt; cat link/new.txt`,
    );
    expect(ran.stdout).toBe('new\n');
    expect(readdirSync(root).toSorted()).toEqual(before);
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe('mine');
    expect(readFileSync(join(root, 'plain.txt'), 'utf8')).toBe('q\n');
    expect((await setAsidePlanted(ran.facts.writes)).setAside).toEqual([]);
  },
);

liveTest(
  linux,
  'nothing outside of a grant is renamed when a directory in it is exchanged for a link after the search',
  () => {
    const root = plant(scratchDirectory(), { 'out/d/.claude/x': '', 'victim/.claude/x': '', 'victim/f': '' });
    const out = join(root, 'out');
    renameSync(join(out, 'd'), join(out, 'd2'));
    symlinkSync(join(root, 'victim'), join(out, 'd'));
    expect(() => setAside(out, join(out, 'd/f'))).toThrow(/ENOTDIR|ELOOP/u);
    expect(() => nameUndecodable(out, join(out, 'd'))).toThrow(/ENOTDIR|ELOOP/u);
    expect(() => setAside(out, join(out, 'd2/.claude'), '1:1')).toThrow('exchanged');
    expect(readdirSync(join(root, 'victim')).toSorted()).toEqual(['.claude', 'f']);
    expect(setAside(out, join(out, 'd2/.claude'))).toMatch(/d2\/\.claude\.set-aside-/u);
  },
);

/** What lies in a tree, by its raw names. */
function rawNames(directory: string): string[] {
  return execFileSync('find', ['.'], { cwd: directory, encoding: 'latin1' }).trim().split('\n');
}

liveTest(wall, 'names that are not UTF-8 hide nothing that a handler leaves', async () => {
  const root = plant(scratchDirectory(), { 'out/old.txt': 'old' });
  const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
  const ran = await shellInView(
    policy,
    `cd out && x=$(printf '\\377') && ln -s /outside/file "$x" && ln -s "$x" notes.txt && mkdir -p "d$x/e$x/.claude" && mkfifo "d$x/p$x"; ls | wc -l`,
  );
  expect(ran).toMatchObject({ code: 0, stdout: '4\n' });
  const planted = await setAsidePlanted(ran.facts.writes);
  expect(planted.unchecked).toEqual([]);
  expect(planted.setAside).toHaveLength(1);
  const names = rawNames(join(root, 'out'));
  expect(names.filter((name) => name.includes('\u00ff') || /(?:notes\.txt|\.claude)$/u.test(name))).toEqual([]);
  expect(names).toContain('./old.txt');
});

liveTest(wall, 'a grant that holds a name which is not UTF-8 is refused, since nobody can look below it', async () => {
  const root = plant(scratchDirectory(), { 'out/old.txt': 'old' });
  mkdirSync(Buffer.concat([Buffer.from(join(root, 'out/d')), Buffer.from([0xff])]));
  const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
  await expect(factsOf(policy)).rejects.toThrow('write_undecodable');
});

liveTest(
  wall,
  'a name as long as a name can be, and a directory without its write bit, keep nothing in place',
  async () => {
    const root = plant(scratchDirectory(), { 'out/': '' });
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
    const long = `${'a'.repeat(240)}.code-workspace`;
    const ran = await shellInView(policy, `cd out && echo x > ${long} && mkdir -p d/.claude && chmod 555 d`);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const planted = await setAsidePlanted(ran.facts.writes);
    expect(planted.unchecked).toEqual([]);
    expect(planted.setAside).toHaveLength(2);
    expect(
      rawNames(join(root, 'out')).filter((name) => name.endsWith('.code-workspace') || name.endsWith('.claude')),
    ).toEqual([]);
  },
);

liveTest(
  wall,
  'links whose ways are as long as can be cost no more than the budget of all ways, and each is set aside',
  async () => {
    const root = plant(scratchDirectory(), { 'out/': '' });
    const policy = policyOf({ project: 'read', projectRoot: root, writePaths: [join(root, 'out')] });
    const ran = await shellInView(
      policy,
      `cd out && way=$(printf './%.0s' $(seq 2046))b && i=0; while [ $i -lt 300 ]; do ln -s "$way" l$i; i=$((i+1)); done`,
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const planted = await setAsidePlanted(ran.facts.writes);
    expect(planted.unchecked).toEqual([]);
    // The budget lasts for about a hundred of them, which lead nowhere harmful.
    expect(planted.strays.length).toBeGreaterThan(100);
    expect(plantedNotes(planted)).toHaveLength(51);
  },
);
