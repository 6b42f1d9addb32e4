import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Enforced } from '../../protocol/index.ts';
import { bubblewrapArguments } from '../bubblewrap-arguments.ts';
import { sandboxEnvironment } from '../environment.ts';
import { limitProcesses, quoteForShell, rlimitLine, slotDescriptors, type LaunchOrder } from '../launch/index.ts';
import type { OwnDevices } from '../own-devices.ts';
import { displacedFile } from '../pinned-files.ts';
import type { Policy } from '../policy.ts';
import { pipePlaces } from '../runtime-directory.ts';
import type { RunRequest } from '../sandbox.ts';
import { seccompProgram } from '../seccomp/program.ts';
import { checkMounts, expectedMounts, type ExpectedMount } from '../view/expected-mounts.ts';
import { viewFacts } from '../view/facts.ts';
import { viewMounts } from '../view/mounts.ts';
import { isInside } from '../view/paths.ts';
import { writeStaticFiles, type StaticFiles } from '../view/static-files.ts';
import { systemFacts, type SystemFacts } from '../view/system-facts.ts';
import type { WriteGrant } from '../view/write-grant.ts';

export interface BubblewrapWallOptions {
  readonly bubblewrapPath: string;
  readonly marker: string;
  readonly runtimeDirectory: string;
  readonly pipeDirectory: string;
  readonly cores: number;
  /** Shown in place of the machine's devices; removed by `close`. */
  readonly devices: OwnDevices | undefined;
}

/** One launch inside bubblewrap, and the write grants to look after when it is over. */
export interface WalledOrder {
  readonly ok: true;
  readonly order: LaunchOrder;
  readonly writes: readonly WriteGrant[];
  readonly notes: readonly string[];
  /** Paths in whose place something empty is shown. */
  readonly covered: readonly string[];
  /** What is said on stderr when a mount was led elsewhere, and the program not started. */
  readonly complaint?: string;
}

/** A view that cannot be made as the policy asks. */
export interface OrderProblem {
  readonly ok: false;
  readonly message: string;
  readonly remedy: string;
}

interface MountCheck {
  readonly expected: readonly ExpectedMount[];
  readonly complaint: string;
}

const filterDescriptor = 6;
/** A project that is shown entry by entry has a mount in the way of git's search for the repository. */
const ownVariables = { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' };

/** Turns a policy and a program into an order for bubblewrap. */
export class BubblewrapWall {
  readonly bubblewrapPath: string;
  readonly #options: BubblewrapWallOptions;
  readonly #files: StaticFiles;
  readonly #system: SystemFacts;

  /** Throws on a processor that the system call filter is not written for. */
  constructor(options: BubblewrapWallOptions) {
    const { arch } = process;
    if (arch !== 'x64' && arch !== 'arm64')
      throw new Error(`no system call filter for ${arch}: x64 and arm64 have one`);
    this.bubblewrapPath = options.bubblewrapPath;
    this.#options = options;
    this.#files = writeStaticFiles(options.runtimeDirectory);
    this.#system = { ...systemFacts(), ...(options.devices && { ownDevices: options.devices.directory }) };
    for (const network of ['none', 'host'] as const) {
      writeFileSync(this.#filterPath(network), seccompProgram({ arch, network }), { mode: 0o400 });
    }
  }

  async order(request: RunRequest, enforced: Enforced): Promise<WalledOrder | OrderProblem> {
    const { policy, program } = request;
    const exposed = policy.writePaths.find((path) => isInside(path, this.#options.runtimeDirectory));
    if (exposed !== undefined) {
      return {
        ok: false,
        message: `the write path ${exposed} holds hookcell's own runtime directory`,
        remedy: 'grant a directory in it instead',
      };
    }
    const shown = [
      ...(policy.project === 'read' ? [policy.projectRoot ?? '/'] : []),
      ...policy.readPaths,
      ...policy.writePaths,
    ];
    // Other executors of this user may have found another place than this one did.
    const places = new Set([dirname(this.#options.pipeDirectory), ...pipePlaces()]);
    for (const place of places) {
      const holder = shown.find((path) => isInside(path, place));
      if (holder === undefined) continue;
      return {
        ok: false,
        message: `${holder} holds ${place}, where hookcell makes its pipes: a handler that sees them could speak for others`,
        remedy: 'work or grant in a directory below it',
      };
    }
    const displaced = displacedFile(program);
    if (displaced !== undefined) return { ok: false, message: displaced, remedy: 'load the packs again' };
    const facts = await viewFacts(policy, program, this.#system, this.#files);
    if ('ok' in facts) return facts;
    const mounts = viewMounts(policy, program, facts);
    const writePaths = facts.writes.map(({ path }) => path);
    const expected = expectedMounts(mounts, writePaths);
    if ('ok' in expected) return expected;
    const check = { expected, complaint: `hookcell: exchanged ${randomUUID()}` };
    const options = bubblewrapArguments({
      mounts,
      env: sandboxEnvironment(policy.env, ownVariables, program.path).env,
      cwd: program.cwd,
      network: policy.network,
      descriptors: { seccomp: filterDescriptor, jsonStatus: slotDescriptors.status },
    });
    // The check takes a second process for a moment.
    const maxProcesses = Math.max(policy.limits.maxProcesses, check.expected.length === 0 ? 1 : 2);
    const limits = { ...policy.limits, maxProcesses };
    const order = {
      wall: 'bubblewrap',
      line: this.#line(request, enforced, check),
      options,
      stdin: request.stdin,
      limits,
    } as const;
    const { emptyFile, emptyDirectory } = this.#files;
    const covered = facts.covers.filter(({ source }) => source === emptyFile || source === emptyDirectory);
    const targets = covered.map(({ target }) => target);
    return { ok: true, order, writes: facts.writes, notes: facts.notes, covered: targets, complaint: check.complaint };
  }

  /** The operator's home directory. */
  get home(): string {
    return this.#system.home;
  }

  close(): void {
    this.#options.devices?.remove();
  }

  #line({ policy, program }: RunRequest, enforced: Enforced, { expected, complaint }: MountCheck): string {
    const { limits, network } = policy;
    const limited = enforced.processes === 'rlimit' ? limitProcesses(program.argv, limits.maxProcesses) : program.argv;
    const argv = expected.length === 0 ? limited : checkMounts(limited, expected, complaint);
    const command = [
      'exec',
      quoteForShell(this.bubblewrapPath),
      // Marks the command line as ours; the options clear the environment afterwards.
      `--setenv HOOKCELL_CELL ${this.#options.marker}`,
      `--args ${slotDescriptors.options}`,
      '--',
      ...argv.map(quoteForShell),
      `${slotDescriptors.order}<&-`,
      `${filterDescriptor}<${quoteForShell(this.#filterPath(network))}`,
    ];
    return `${rlimitLine(limits, { cores: this.#options.cores, data: enforced.memory === 'rlimit' })} && ${command.join(' ')}`;
  }

  #filterPath(network: Policy['network']): string {
    return join(this.#options.runtimeDirectory, `filter-${network}`);
  }
}
