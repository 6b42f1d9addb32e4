/* Finding the hooks of an event among 1 000 packs of four: the index by event and tool names against a scan of all; and the commands that show them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { indexHooks, type Indexable } from '../../src/executor/hook-index.ts';
import { compileMatcher, type CompiledMatcher } from '../../src/executor/match.ts';
import { orderHooks, planHooks, type Plannable } from '../../src/executor/plan.ts';
import { eventDefinition, type Event } from '../../src/protocol/index.ts';
import { interleave, print } from './lib/rounds.ts';

type BenchHook = Plannable &
  Indexable & {
    readonly matcher: CompiledMatcher;
  };

const rounds = Number(process.argv[2] ?? 300);
const events = ['tool:before', 'tool:after', 'prompt:submit', 'run:start'];
const packs = Array.from({ length: 1_000 }, (_, pack) => ({
  version: 1,
  name: `pack-${pack}`,
  hooks: events.map((event, index) => ({
    id: `hook-${index}`,
    event,
    ...(event.startsWith('tool:') ? { matcher: { tools: [`tool-${pack}`, `other_${pack}_*`, '*_never'] } } : {}),
    handler: { type: 'command', command: ['/bin/true'] },
  })),
}));
const hooks = packs
  .flatMap((pack) => pack.hooks)
  .map((hook, position): BenchHook => ({
    scope: 'project',
    hook: { event: hook.event, mode: 'control', priority: 100, matcher: hook.matcher ?? {} },
    position,
    matcher: compileMatcher(hook.matcher),
  }));
const ordered = orderHooks(hooks);
const index = indexHooks(ordered);
const event: Event = { event: 'tool:before', data: { tool: 'tool-500', input: {} } };
const definition = eventDefinition(event.event, new Map());
if (definition === undefined) throw new Error('tool:before is not known');

const byIndex = (): number => planHooks(index, event, (hook) => hook.matcher(event, definition)).control.length;
const byScan = (): number =>
  planHooks(
    () => ordered,
    event,
    (hook) => (hook.hook.event === event.event ? hook.matcher(event, definition) : { matches: false, why: '' }),
  ).control.length;
const hundred = (find: () => number) => async () => {
  const startedAt = performance.now();
  for (let times = 0; times < 100; times += 1) if (find() !== 1) throw new Error('expected one hook');
  return (performance.now() - startedAt) / 100;
};
print(
  `one event among 1 000 packs of four hooks, ${rounds} rounds of 100`,
  await interleave(
    [
      { name: 'scan of all hooks', run: hundred(byScan) },
      { name: 'index by event and tool', run: hundred(byIndex) },
    ],
    { rounds, warmup: 20, pauseMs: 0 },
  ),
  'scan of all hooks',
);

const project = realpathSync(mkdtempSync(join(tmpdir(), 'hookcell-bench-')));
mkdirSync(join(project, 'packs'));
for (const pack of packs) writeFileSync(join(project, 'packs', `${pack.name}.json`), JSON.stringify(pack));
writeFileSync(join(project, 'event.json'), JSON.stringify(event));
writeFileSync(join(project, 'empty.mjs'), '');
const bin = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url));
const command = (args: readonly string[]) => async () => {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    env: { PATH: '/usr/bin:/bin', HOME: project },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
};
print(
  'commands over 1 000 packs',
  await interleave(
    [
      { name: 'node empty.mjs', run: command(['empty.mjs']) },
      { name: 'hookcell list', run: command([bin, 'list', '--packs', 'packs']) },
      { name: 'hookcell explain', run: command([bin, 'explain', '--packs', 'packs', 'event.json']) },
    ],
    { rounds: 10, warmup: 1, pauseMs: 10 },
  ),
  'node empty.mjs',
);
rmSync(project, { recursive: true, force: true });
