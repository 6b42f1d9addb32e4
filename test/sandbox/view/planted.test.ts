import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import { setAsidePlanted } from '../../../src/sandbox/view/planted.ts';
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
    const { setAside, unchecked } = await setAsidePlanted(ran.facts.writes);
    expect([setAside.length, unchecked]).toEqual([3, []]);
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
    const { strays, setAside, unchecked } = await setAsidePlanted(ran.facts.writes);
    expect(unchecked).toEqual([]);
    expect(setAside).toEqual([expect.stringContaining('out/x/.claude.set-aside-')]);
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
