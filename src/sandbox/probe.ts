import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { promisify } from 'node:util';
import type { Enforced } from '../protocol/index.ts';
import type { BackendCapability, Capabilities, Unavailable } from './capabilities.ts';
import type { CgroupPlan } from './cgroup/layout.ts';
import type { LaunchOrder, LaunchResult } from './launch/index.ts';
import type { Policy, Program } from './policy.ts';
import { classifySetupFailure, type SetupFacts } from './setup-failure.ts';
import { BubblewrapWall } from './walls/bubblewrap.ts';

export interface ProbeContext {
  readonly backend: 'bubblewrap' | 'none';
  readonly wall: BubblewrapWall | Unavailable | undefined;
  readonly layout: CgroupPlan['layout'];
  readonly notes: readonly string[];
  readonly enforced: Enforced;
  readonly plainEnforced: Enforced;
  readonly launch: (order: LaunchOrder) => Promise<LaunchResult>;
}

/** A probe that hangs is an answer too: some mount of this machine does not respond. */
const PROBE_TIMEOUT_MS = 10_000;

const execFileAsync = promisify(execFile);

const program: Program = { argv: ['/bin/sh', '-c', ':'], cwd: '/', binds: [] };
const policy: Policy = {
  project: 'none',
  projectFiles: [],
  readPaths: [],
  writePaths: [],
  network: 'none',
  env: {},
  limits: {
    timeoutMs: PROBE_TIMEOUT_MS,
    maxOutputBytes: 65_536,
    keepStderrBytes: 4_096,
    maxStderrBytes: 65_536,
    memoryBytes: 64 * 1024 * 1024,
    maxProcesses: 8,
    maxOpenFiles: 64,
    maxFileBytes: 1024 * 1024,
    tmpBytes: 1024 * 1024,
  },
  require: [],
};

/** Finds out what this machine enforces by building the real wall around a program that does nothing. */
export async function probeCapabilities(context: ProbeContext): Promise<Capabilities> {
  const walled = context.wall === undefined ? undefined : await probeBubblewrap(context, context.wall);
  const plain: BackendCapability = { backend: 'none', available: true, enforced: context.plainEnforced };
  const selected = context.backend === 'none' ? 'none' : walled?.available ? 'bubblewrap' : undefined;
  return {
    version: 1,
    platform: platform(),
    arch: arch(),
    kernel: release(),
    node: process.version,
    ...(selected === undefined ? {} : { selected }),
    backends: walled ? [walled, plain] : [plain],
    cgroup: { layout: context.layout, notes: context.notes },
  };
}

async function probeBubblewrap(context: ProbeContext, wall: BubblewrapWall | Unavailable): Promise<BackendCapability> {
  if (!(wall instanceof BubblewrapWall)) return { backend: 'bubblewrap', available: false, unavailable: wall };
  const path = wall.bubblewrapPath;
  const version = await versionOf(path);
  const known = { backend: 'bubblewrap' as const, path, ...(version === undefined ? {} : { version }) };
  const prepared = await wall.order({ program, policy, stdin: new Uint8Array() }, context.enforced);
  const result = prepared.ok ? await context.launch(prepared.order) : undefined;
  if (result?.kind === 'ran' && result.exit.code === 0)
    return { ...known, available: true, enforced: context.enforced };
  const said = !prepared.ok ? prepared.message : (result?.detail ?? Buffer.from(result?.stderr ?? []).toString('utf8'));
  return {
    ...known,
    available: false,
    unavailable: classifySetupFailure(setupFacts(said, result?.killed === 'timeout')),
  };
}

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await execFileAsync(path, ['--version'], { timeout: PROBE_TIMEOUT_MS, env: {} });
    return /[\d.]+/u.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

function setupFacts(said: string, timedOut: boolean): SetupFacts {
  return {
    said,
    timedOut,
    isRoot: process.getuid?.() === 0,
    maxUserNamespaces: read('/proc/sys/user/max_user_namespaces'),
    unprivilegedUsernsClone: read('/proc/sys/kernel/unprivileged_userns_clone'),
    apparmorRestrictsUserns: read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    insideContainer: read('/.dockerenv') !== undefined || read('/run/.containerenv') !== undefined,
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
