import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

import { bubblewrapArguments, encodeArguments } from '../../src/sandbox/bubblewrap-arguments.ts';
import { sandboxEnvironment } from '../../src/sandbox/environment.ts';
import type { Policy, Program } from '../../src/sandbox/policy.ts';
import { viewFacts, type ViewFacts } from '../../src/sandbox/view/facts.ts';
import { viewMounts } from '../../src/sandbox/view/mounts.ts';
import { writeStaticFiles } from '../../src/sandbox/view/static-files.ts';
import { systemFacts } from '../../src/sandbox/view/system-facts.ts';
import { bubblewrap } from './capability.ts';

/** A real path that is gone after the test. */
export function scratchDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hookcell-test-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes files by path; a path that ends in a slash is a directory. Modes are 0755, so that scripts can run. */
export function plant(root: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(path.endsWith('/') ? full : dirname(full), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(full, text, { mode: 0o755 });
  }
  return root;
}

export function policyOf(overrides: Partial<Policy> = {}): Policy {
  return {
    project: 'none',
    projectFiles: [],
    readPaths: [],
    writePaths: [],
    network: 'none',
    env: {},
    limits: {
      timeoutMs: 5_000,
      maxOutputBytes: 1_048_576,
      keepStderrBytes: 16_384,
      maxStderrBytes: 1_048_576,
      memoryBytes: 536_870_912,
      maxProcesses: 64,
      maxOpenFiles: 256,
      maxFileBytes: 67_108_864,
      tmpBytes: 1_048_576,
    },
    require: [],
    ...overrides,
  };
}

export async function factsOf(
  policy: Policy,
  home?: string,
  program: Pick<Program, 'overlays'> = {},
): Promise<ViewFacts> {
  const facts = await viewFacts(policy, program, systemFacts('/', home), writeStaticFiles(scratchDirectory()));
  if ('ok' in facts) throw new Error(`${facts.code}: ${facts.message}`);
  return facts;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly facts: ViewFacts;
}

/** Runs a program behind the real wall, with options by descriptor as the launcher does it; no limits, no filter. */
export async function runInView(policy: Policy, program: Program): Promise<Ran> {
  const facts = await factsOf(policy, undefined, program);
  const options = bubblewrapArguments({
    mounts: viewMounts(policy, program, facts),
    env: sandboxEnvironment(policy.env, {}, program.path).env,
    cwd: program.cwd,
    network: policy.network,
    descriptors: {},
  });
  const file = join(scratchDirectory(), 'options');
  writeFileSync(file, encodeArguments(options));
  const descriptor = openSync(file, 'r');
  try {
    const child = spawnSync(bubblewrap.path, ['--args', '3', '--', ...program.argv], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', descriptor],
      encoding: 'utf8',
      timeout: 30_000,
    });
    return { code: child.status, stdout: child.stdout, stderr: child.stderr, facts };
  } finally {
    closeSync(descriptor);
  }
}

/** A shell line behind the wall, in the project. */
export async function shellInView(policy: Policy, line: string): Promise<Ran> {
  return runInView(policy, { argv: ['/bin/sh', '-c', line], cwd: policy.projectRoot ?? '/', binds: [] });
}
