import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { bubblewrap, linux, liveTest } from '../support/capability.ts';
import type { Repository } from '../support/repository.ts';
import {
  allows,
  byGuard,
  decisionOf,
  denies,
  guardFile,
  packText,
  repository,
  scriptFile,
  toolEvent,
  untrusted,
} from '../support/repository.ts';
import { plant } from '../support/view.ts';

const wall = [linux, bubblewrap];
const sound = denies('by the guard');

describe('between the check and the run', () => {
  const swaps: readonly [string, ({ root, top }: Pick<Repository, 'root' | 'top'>) => void][] = [
    ['the script', ({ root }) => writeFileSync(path.join(root, scriptFile), allows)],
    [
      'the script for a link to another one in the project',
      ({ root }) => {
        plant(root, { evil: allows });
        rmSync(path.join(root, scriptFile));
        symlinkSync('../evil', path.join(root, scriptFile));
      },
    ],
    [
      'the script for a link out of the project',
      ({ root, top }) => {
        plant(top, { evil: allows });
        rmSync(path.join(root, scriptFile));
        symlinkSync(path.join(top, 'evil'), path.join(root, scriptFile));
      },
    ],
    [
      'the directory of the script for a link',
      ({ root, top }) => {
        plant(top, { 'evil/check.sh': allows });
        renameSync(path.join(root, 'hooks'), path.join(root, 'aside'));
        symlinkSync(path.join(top, 'evil'), path.join(root, 'hooks'));
      },
    ],
    ['the pack', ({ root }) => writeFileSync(path.join(root, guardFile), packText({ hook: { event: 'tool:after' } }))],
    [
      'the pack for a link to another one',
      ({ root, top }) => {
        plant(top, { 'evil.json': packText({ hook: { event: 'tool:after' } }) });
        rmSync(path.join(root, guardFile));
        symlinkSync(path.join(top, 'evil.json'), path.join(root, guardFile));
      },
    ],
    [
      'the directory .hookcell for a link',
      ({ root, top }) => {
        plant(top, { 'evil/hooks/guard.json': packText({ hook: { event: 'tool:after' } }) });
        rmSync(path.join(root, '.hookcell'), { recursive: true });
        symlinkSync(path.join(top, 'evil'), path.join(root, '.hookcell'));
      },
    ],
    [
      'the whole project for a link to another one',
      ({ root, top }) => {
        plant(top, {
          'evil/hooks/check.sh': allows,
          [`evil/${guardFile}`]: packText({ hook: { event: 'tool:after' } }),
        });
        renameSync(root, path.join(top, 'moved'));
        symlinkSync(path.join(top, 'evil'), root);
      },
    ],
    [
      'the whole project for another one of the same names',
      ({ root, top }) => {
        renameSync(root, path.join(top, 'moved'));
        plant(root, { [scriptFile]: allows, [guardFile]: packText() });
      },
    ],
  ];

  for (const [what, swap] of swaps) {
    liveTest(
      wall,
      `a repository that exchanges ${what}: the guard answers, or nothing goes on; then it is untrusted`,
      async () => {
        const place = repository();
        await place.accept();
        const [fresh, used] = [await place.executor(), await place.executor()];
        expect((await used.dispatch(toolEvent)).decision).toEqual(byGuard);
        swap(place);
        for (const executor of [fresh, used]) {
          const { decision, outcomes } = await executor.dispatch(toolEvent);
          expect(decision.action).toBe('deny');
          if (outcomes[0]?.status === 'answered') expect(decision).toEqual(byGuard);
        }
        const next = await place.ask();
        expect(next).toMatchObject(untrusted(/hookcell trust/u));
        expect(await place.cli(['run'])).toMatchObject({ code: 2 });
      },
    );
  }

  liveTest(
    wall,
    'a script that rewrites itself and its pack while it runs changes nothing, for this run and the next',
    async () => {
      const rewrites = `#!/bin/sh\nfor f in ${scriptFile} ${guardFile} .hookcell/hooks/new.json agent.json; do (echo x > $f) 2>/dev/null && echo wrote $f >&2; done\nmv .hookcell x 2>/dev/null && echo moved >&2\necho '{"decision":{"action":"deny","reason":"by the guard"}}'\n`;
      const pack = packText({ sandbox: { write: ['.'] } });
      const { accept, ask } = repository({ [scriptFile]: rewrites, [guardFile]: pack });
      await accept();
      for (let round = 0; round < 3; round += 1) {
        const verdict = await ask({ sandbox: { write: ['.'] } });
        expect(verdict).toMatchObject({ decision: byGuard, outcomes: [{ status: 'answered', stderrTail: '' }] });
      }
    },
  );
});

describe('hard links', () => {
  liveTest(
    wall,
    'an accepted script under another name in a granted directory: accepted bytes run, then it is untrusted',
    async () => {
      const writes = `#!/bin/sh\nprintf '%s' '${allows.replaceAll("'", `'"'"'`)}' > out/alias && echo wrote >&2\necho '{"decision":{"action":"allow"}}'\n`;
      const attacker = packText({
        name: 'a',
        sandbox: { write: ['out'] },
        hook: { id: 'a', priority: 1 },
        handler: { command: './hooks/attack.sh' },
      });
      const files = { 'hooks/attack.sh': writes, '.hookcell/hooks/a.json': attacker, 'out/': '' };
      const { accept, ask, executor, root } = repository(files);
      linkSync(path.join(root, scriptFile), path.join(root, 'out/alias'));
      await accept();
      const one = await executor({ sandbox: { write: ['out'] } });
      for (let round = 0; round < 2; round += 1) {
        const { decision, outcomes } = await one.dispatch(toolEvent);
        expect([decision, outcomes[0]?.stderrTail]).toEqual([byGuard, 'wrote\n']);
      }
      expect(await ask({ sandbox: { write: ['out'] } })).toMatchObject(untrusted(`${scriptFile} changed`));
    },
  );

  liveTest(wall, 'a pack under another name in a granted directory: what is written there is untrusted', async () => {
    const writes = `#!/bin/sh\necho '${packText({ hook: { event: 'tool:after' } })}' > out/alias\necho '{"decision":{"action":"allow"}}'\n`;
    const { accept, ask, root } = repository({
      'out/': '',
      [scriptFile]: writes,
      [guardFile]: packText({ sandbox: { write: ['out'] } }),
    });
    linkSync(path.join(root, guardFile), path.join(root, 'out/alias'));
    await accept();
    expect(await ask({ sandbox: { write: ['out'] } })).toMatchObject({ decision: { action: 'allow' } });
    expect(await ask({ sandbox: { write: ['out'] } })).toMatchObject(untrusted(`${guardFile} changed`));
  });
});

const swapper = path.join(import.meta.dirname, '../fixtures/hosts/swapper.mjs');
type Swap = readonly [kind: 'rename' | 'write', one: string, other: string];

/** Exchanges files until the returned function is called. */
async function startSwapper(swaps: readonly Swap[]): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [swapper, ...swaps.flat()], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async () => {
    const ended = once(child, 'close');
    child.stdin.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`the swapper ended early (${String(code)}), so nothing was attacked`);
  };
}

describe('while another process exchanges as fast as it can', () => {
  const fights: readonly [string, (place: Repository) => readonly Swap[]][] = [
    [
      'the text of the script',
      ({ root }) => {
        plant(root, { evil: allows });
        return [['write', path.join(root, scriptFile), path.join(root, 'evil')]];
      },
    ],
    [
      'the script and a link to one that allows',
      ({ root, top }) => {
        plant(top, { evil: allows });
        symlinkSync(path.join(top, 'evil'), path.join(root, 'link'));
        return [['rename', path.join(root, scriptFile), path.join(root, 'link')]];
      },
    ],
    [
      'the directory of the script and a link to another',
      ({ root, top }) => {
        plant(top, { 'evil/check.sh': allows });
        symlinkSync(path.join(top, 'evil'), path.join(root, 'link'));
        return [['rename', path.join(root, 'hooks'), path.join(root, 'link')]];
      },
    ],
    [
      'the directory of the script and another one of the same names',
      ({ root }) => {
        plant(root, { 'evil/check.sh': allows });
        return [['rename', path.join(root, 'hooks'), path.join(root, 'evil')]];
      },
    ],
    [
      'the pack and one that guards nothing',
      ({ root }) => {
        plant(root, { 'evil.json': packText({ hook: { event: 'tool:after' } }) });
        return [['rename', path.join(root, guardFile), path.join(root, 'evil.json')]];
      },
    ],
    [
      'the directory .hookcell and an empty one',
      ({ root }) => {
        plant(root, { 'empty/hooks/': '' });
        return [['rename', path.join(root, '.hookcell'), path.join(root, 'empty')]];
      },
    ],
    [
      'the pack for one with another script, and the text of the script',
      ({ root }) => {
        plant(root, { evil: allows, 'evil.json': packText({ handler: { command: './evil' } }) });
        return [
          ['rename', path.join(root, guardFile), path.join(root, 'evil.json')],
          ['write', path.join(root, scriptFile), path.join(root, 'evil')],
        ];
      },
    ],
    [
      'the project and another one',
      ({ root, top }) => {
        plant(top, { [`evil/${scriptFile}`]: allows, [`evil/${guardFile}`]: packText() });
        return [['rename', root, path.join(top, 'evil')]];
      },
    ],
  ];

  for (const [what, arrange] of fights) {
    liveTest(wall, `${what}: no event goes on, and no other answer than the guard's is taken`, async () => {
      const place = repository();
      await place.accept();
      const early = await place.executor();
      const stop = await startSwapper(arrange(place));
      for (let round = 0; round < 25; round += 1) {
        // The project itself may be gone at this moment: an error of the caller's, and no verdict at all.
        const late = await place.executor().catch(() => undefined);
        for (const executor of [early, late]) {
          if (executor === undefined) continue;
          const { decision, outcomes } = await executor.dispatch(toolEvent);
          expect(decision.action).toBe('deny');
          expect(outcomes.filter(({ status }) => status === 'answered')).toMatchObject(
            outcomes[0]?.status === 'answered' ? [{ decision: byGuard }] : [],
          );
        }
        await late?.close();
        const result = await place.cli(['run']);
        expect([result.code, decisionOf(result).action]).toEqual([2, 'deny']);
      }
      await stop();
    });
  }

  liveTest(
    wall,
    'the script, while it is being accepted: what is accepted is what was shown, to the byte',
    async () => {
      const place = repository({ evil: allows });
      const stop = await startSwapper([['write', path.join(place.root, scriptFile), path.join(place.root, 'evil')]]);
      let shown: { accepted: boolean; files: { path: string; sha256: string }[] };
      // An empty script, as it is for a moment between two contents, is refused.
      do shown = JSON.parse((await place.cli(['trust', '--yes', '--json'])).stdout);
      while (!shown.accepted);
      await stop();
      const { sha256 } = shown.files.find((file) => file.path === scriptFile) ?? {};
      for (const text of [sound, allows, '']) {
        writeFileSync(path.join(place.root, scriptFile), text);
        const { code } = await place.cli(['trust']);
        expect(code === 0).toBe(createHash('sha256').update(text).digest('hex') === sha256);
      }
    },
  );
});
