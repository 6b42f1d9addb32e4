/* What a sandboxed command handler costs, beside bare bubblewrap with the same flags and a plain spawn, in one interleaved run. */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bubblewrapArguments } from '../../src/sandbox/bubblewrap-arguments.ts';
import { sandboxEnvironment } from '../../src/sandbox/environment.ts';
import { findBubblewrap } from '../../src/sandbox/find-bubblewrap.ts';
import { createSandbox, type Policy, type Program } from '../../src/sandbox/index.ts';
import { seccompProgram } from '../../src/sandbox/seccomp/program.ts';
import { viewFacts } from '../../src/sandbox/view/facts.ts';
import { viewMounts } from '../../src/sandbox/view/mounts.ts';
import { writeStaticFiles } from '../../src/sandbox/view/static-files.ts';
import { systemFacts } from '../../src/sandbox/view/system-facts.ts';
import { interleave, print, figures, type Variant } from './lib/rounds.ts';
import { staticProgram } from './lib/static-program.ts';
import { dispatchVariants } from './lib/dispatch.ts';

const rounds = Number(process.argv[2] ?? 40);
const project = realpathSync(mkdtempSync(join(tmpdir(), 'hookcell-bench-')));
const event = `${JSON.stringify({ version: 1, hook: { data: { input: 'x'.repeat(4_000) } } })}\n`;
const nativeEvent = JSON.stringify({ event: 'tool:before', data: { tool: 'write', input: { path: 'a.txt' } } });
const answer = '{"decision":{"action":"allow"}}';

writeFileSync(join(project, 'hook.sh'), `cat >/dev/null; echo '${answer}'\n`);
writeFileSync(join(project, 'hook.py'), `import sys\nsys.stdin.read()\nprint('${answer}')\n`);
writeFileSync(
  join(project, 'hook.mjs'),
  `for await (const chunk of process.stdin) void chunk;\nconsole.log('${answer}');\n`,
);
const tiny = staticProgram(project) ?? '/usr/bin/true';
const handlers: Record<string, [string, ...string[]]> = {
  static: [tiny],
  sh: ['/bin/sh', join(project, 'hook.sh')],
  python: ['/usr/bin/python3', join(project, 'hook.py')],
  node: [realpathSync(process.execPath), join(project, 'hook.mjs')],
};

const policy: Policy = {
  project: 'read',
  projectRoot: project,
  projectFiles: [],
  readPaths: [],
  writePaths: [],
  network: 'none',
  env: {},
  limits: {
    timeoutMs: 10_000,
    maxOutputBytes: 1_048_576,
    keepStderrBytes: 16_384,
    maxStderrBytes: 1_048_576,
    memoryBytes: 536_870_912,
    maxProcesses: 64,
    maxOpenFiles: 256,
    maxFileBytes: 67_108_864,
    tmpBytes: 67_108_864,
  },
  require: [],
};

const bubblewrap = findBubblewrap();
if (!bubblewrap.ok) throw new Error(bubblewrap.message);
const bubblewrapPath = bubblewrap.path;
const files = writeStaticFiles(mkdtempSync(join(project, 'static-')));
const system = systemFacts();
const filter = join(project, 'filter');
writeFileSync(filter, seccompProgram({ arch: process.arch === 'arm64' ? 'arm64' : 'x64', network: 'none' }));

/** bubblewrap with the very flags that the sandbox uses, spawned straight from Node. */
async function bareArguments(program: Program): Promise<string[]> {
  const facts = await viewFacts(policy, program, system, files);
  if ('ok' in facts) throw new Error(facts.message);
  return bubblewrapArguments({
    mounts: viewMounts(policy, program, facts),
    env: sandboxEnvironment({}).env,
    cwd: project,
    network: 'none',
    descriptors: { seccomp: 3 },
  });
}

function runPlain(
  command: string,
  args: readonly string[],
  extra: readonly number[] = [],
  env: Readonly<Record<string, string>> = {},
  input: string = event,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd: project, stdio: ['pipe', 'pipe', 'ignore', ...extra] });
    // A handler may leave its input unread.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.stdout?.resume();
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}

const withCgroups = createSandbox({ backend: 'bubblewrap' });
const withoutCgroups = createSandbox({ backend: 'bubblewrap', cgroups: 'none' });
const dispatching = await dispatchVariants(project, handlers, event);

for (const [name, argv] of Object.entries(handlers)) {
  const program: Program = { argv, cwd: project, binds: [] };
  const bare = await bareArguments(program);
  const request = { program, policy, stdin: new TextEncoder().encode(event) };
  const sandboxed = (sandbox: typeof withCgroups) => async () => {
    const result = await sandbox.run(request);
    if (result.kind !== 'ran' || result.exit.code !== 0) throw new Error(`${name}: ${JSON.stringify(result)}`);
  };
  const variants: Variant[] = [
    {
      name: 'bare bwrap',
      run: async () => {
        const descriptor = openSync(filter, 'r');
        await runPlain(bubblewrapPath, [...bare, '--', ...argv], [descriptor]);
        closeSync(descriptor);
      },
    },
    { name: 'plain spawn', run: () => runPlain(argv[0], argv.slice(1)) },
    { name: 'hookcell sandbox, cgroup joined in advance', run: sandboxed(withCgroups) },
    { name: 'hookcell sandbox, no cgroups', run: sandboxed(withoutCgroups) },
    dispatching.variant(name),
  ];
  print(`${name} handler, ${rounds} rounds`, await interleave(variants, { rounds }), 'bare bwrap');
}

const bin = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url));
const empty = join(project, 'empty.mjs');
writeFileSync(empty, '');
const cli = (args: readonly string[], input: string) => () =>
  runPlain(process.execPath, args, [], { PATH: '/usr/bin:/bin', HOME: project }, input);
print(
  `the command line's own start, ${rounds} rounds`,
  await interleave(
    [
      { name: 'node empty.mjs', run: cli([empty], '') },
      { name: 'hookcell --version', run: cli([bin, '--version'], '') },
      { name: 'hookcell exec -- static', run: cli([bin, 'exec', '--', tiny], nativeEvent) },
    ],
    { rounds, pauseMs: 10 },
  ),
  'node empty.mjs',
);

const tree = [
  '/bin/sh',
  '-c',
  'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 60 & done; wait',
] as const;
const killed: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const limits = { ...policy.limits, timeoutMs: 150 };
  const result = await withCgroups.run({
    program: { argv: [...tree], cwd: '/', binds: [] },
    policy: { ...policy, limits },
    stdin: new Uint8Array(),
  });
  if (result.killed !== 'timeout') throw new Error('the tree was not cut off');
  killed.push(result.durationMs - limits.timeoutMs);
  await new Promise((resolve) => setTimeout(resolve, 60));
}
const { p50, p95 } = figures('kill', killed);
console.log(
  `\ndeadline to everything closed, tree of 20: p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms (${rounds} runs)`,
);

await dispatching.close();
await withCgroups.close();
await withoutCgroups.close();
rmSync(project, { recursive: true, force: true });
