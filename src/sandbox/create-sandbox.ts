import { randomUUID } from 'node:crypto';
import { availableParallelism, release } from 'node:os';
import type { SandboxReport } from '../protocol/index.ts';
import { probeCapabilities, type ProbeContext } from './probe.ts';
import type { BackendCapability, Capabilities, Unavailable } from './capabilities.ts';
import { enforcedBy, readKernel } from './enforced.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { Launcher } from './launch/index.ts';
import { currentOwner } from './cgroup/owner.ts';
import { limitRefusal, notRun, type Refusal } from './not-run.ts';
import { makeOwnDevices, type OwnDevices } from './own-devices.ts';
import { changedOverlay, displacedFile } from './pinned-files.ts';
import type { Policy } from './policy.ts';
import type { RawResult } from './raw-result.ts';
import type { RunRequest, Sandbox } from './sandbox.ts';
import { bubblewrapMissing, devicesExposed } from './setup-failure.ts';
import type { Trace } from './trace/refusal.ts';
import { RunTrace } from './trace/run-trace.ts';
import type { Untraceable } from './trace/strace.ts';
import { plantedNotes, setAsidePlanted, uncheckedDetail } from './view/planted.ts';
import { keepFile } from './view/static-files.ts';
import { judgeExchange } from './view/expected-mounts.ts';
import { BubblewrapWall, type OrderProblem, type WalledOrder } from './walls/bubblewrap.ts';
import { plainOrder } from './walls/plain.ts';

export interface SandboxOptions {
  /** `auto` takes bubblewrap; `none` is a plain child process with limits and must be named. */
  readonly backend: 'auto' | 'bubblewrap' | 'none';
  /** Launch slots kept armed ahead of need: a process of about 1 MB each. Default 2. */
  readonly armedSlots?: number;
  /** `none` does without cgroups: weaker bounds, reported as such. Default `auto`. */
  readonly cgroups?: 'auto' | 'none';
  /** A bwrap at an unusual place; it must belong to root. */
  readonly bubblewrapPath?: string;
  /** Where the private runtime directory is made. Default: the system's temporary directory. */
  readonly runtimeBase?: string;
}

/**
 * Makes a sandbox. Never rejects for what the machine lacks: runs then come back `unavailable`, with the remedy.
 *
 * @throws {HookcellError} `sandbox_unavailable` when there is no usable directory for temporary files.
 * @example
 * const sandbox = createSandbox({ backend: 'auto' });
 * const result = await sandbox.run({ program, policy, stdin });
 * await sandbox.close();
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  return new LocalSandbox(options);
}

class LocalSandbox implements Sandbox {
  readonly #launcher: Launcher;
  readonly #backend: 'bubblewrap' | 'none';
  readonly #wall: BubblewrapWall | Unavailable | undefined;
  readonly #cores = availableParallelism();
  #capabilities: Promise<Capabilities> | undefined;

  constructor(options: SandboxOptions) {
    this.#backend = options.backend === 'none' ? 'none' : 'bubblewrap';
    this.#launcher = new Launcher({
      armedSlots: options.armedSlots ?? 2,
      cgroups: options.cgroups ?? 'auto',
      ...(options.runtimeBase === undefined ? {} : { runtimeBase: options.runtimeBase }),
    });
    this.#wall = this.#backend === 'none' ? undefined : this.#makeWall(options.bubblewrapPath);
  }

  async run(request: RunRequest): Promise<RawResult> {
    const { policy } = request;
    const report = this.#report(policy.network);
    const refusal = this.#refusal(policy, report);
    if (refusal) return notRun('unavailable', request, report, refusal);
    if (request.signal?.aborted) return { ...notRun('ran', request, report), killed: 'canceled' };

    const prepared = await this.#prepare(request, report).catch(problemOf);
    if (!prepared.ok) {
      return notRun('not-built', request, report, { detail: prepared.message, remedy: prepared.remedy });
    }
    const tracing = request.trace === true ? await this.#trace(request, prepared) : undefined;
    const tracer = tracing instanceof RunTrace ? tracing : undefined;
    const ended = await this.#launcher.launch(prepared.order, request.signal, tracer);
    const launched = judgeExchange(ended, prepared.complaint);
    const trace: Trace | undefined =
      tracing instanceof RunTrace ? await tracing.result() : tracing && { state: 'untraced', ...tracing };
    const planted = await setAsidePlanted(prepared.writes);
    const notes = [...prepared.notes, ...plantedNotes(planted)];
    const result: RawResult = {
      ...launched,
      sandbox: report,
      ...(notes.length === 0 ? {} : { notes }),
      ...(trace && { trace }),
    };
    const detail = uncheckedDetail(planted);
    if (detail !== undefined) {
      return { ...result, kind: 'not-built', detail, remedy: 'look there before an agent runs in it, and grant less' };
    }
    return result.kind === 'not-built' && result.remedy === undefined ? await this.#explain(result) : result;
  }

  capabilities(): Promise<Capabilities> {
    this.#capabilities ??= this.#probe();
    return this.#capabilities;
  }

  async #probe(): Promise<Capabilities> {
    const found = await probeCapabilities(this.#probeContext());
    // What is missing may be mended, or may have been a moment's want (of descriptors, of memory): the next one asks again.
    if (found.selected === undefined) this.#capabilities = undefined;
    return found;
  }

  keep(bytes: Uint8Array, executable: boolean): string {
    return keepFile(this.#launcher.runtimeDirectory, bytes, executable);
  }

  async close(): Promise<void> {
    await this.#launcher.close();
    if (this.#wall instanceof BubblewrapWall) this.#wall.close();
  }

  #makeWall(named: string | undefined): BubblewrapWall | Unavailable {
    const found = findBubblewrap(named);
    if (!found.ok) return bubblewrapMissing(found.message);
    let devices: OwnDevices | undefined;
    try {
      devices = makeOwnDevices(currentOwner());
    } catch (error) {
      return devicesExposed(error instanceof Error ? error.message : String(error));
    }
    return new BubblewrapWall({
      bubblewrapPath: found.path,
      marker: this.#launcher.marker,
      runtimeDirectory: this.#launcher.runtimeDirectory,
      pipeDirectory: this.#launcher.pipeDirectory,
      cores: this.#cores,
      devices,
    });
  }

  async #prepare(request: RunRequest, { enforced }: SandboxReport): Promise<WalledOrder | OrderProblem> {
    if (this.#wall instanceof BubblewrapWall) return await this.#wall.order(request, enforced);
    const { program } = request;
    const changed = displacedFile(program) ?? changedOverlay(program);
    if (changed !== undefined) return { ok: false, message: changed, remedy: 'load the packs again' };
    const order = plainOrder(request, this.#cores, enforced.memory === 'rlimit');
    return { ok: true, order, writes: [], notes: [], covered: [] };
  }

  async #trace({ program, policy }: RunRequest, { covered }: WalledOrder): Promise<RunTrace | Untraceable> {
    if (!(this.#wall instanceof BubblewrapWall))
      return { why: 'there is no wall that could refuse anything', remedy: 'use the backend bubblewrap' };
    const { runtimeDirectory: directory } = this.#launcher;
    return await RunTrace.start({ program, policy, covered, home: this.#wall.home, directory, name: randomUUID() });
  }

  #report(network: Policy['network']): SandboxReport {
    const enforced = enforcedBy({
      wall: this.#backend,
      controls: this.#launcher.executorGroup.controls,
      network,
      isRoot: process.getuid?.() === 0,
      kernel: readKernel(release()),
    });
    return { backend: this.#backend, enforced };
  }

  /** What the policy asks for and this machine cannot enforce is refused before anything is launched. */
  #refusal(policy: Policy, report: SandboxReport): Refusal | undefined {
    if (this.#wall !== undefined && !(this.#wall instanceof BubblewrapWall)) {
      return { detail: this.#wall.message, remedy: this.#wall.remedy };
    }
    const { plan, executorGroup } = this.#launcher;
    return limitRefusal(policy, report, [...plan.notes, ...executorGroup.notes]);
  }

  /** A wall that could not be built: is it this machine, or this policy? The probe tells. */
  async #explain(result: RawResult): Promise<RawResult> {
    // A probe that itself cannot run (no descriptor left) tells nothing: the failure stands as it is.
    const found = await this.capabilities().catch(() => undefined);
    const unavailable = found?.backends.find(
      (entry: BackendCapability) => entry.backend === this.#backend,
    )?.unavailable;
    if (!unavailable) return result;
    return { ...result, kind: 'unavailable', detail: unavailable.message, remedy: unavailable.remedy };
  }

  #probeContext(): ProbeContext {
    const { plan, executorGroup } = this.#launcher;
    return {
      backend: this.#backend,
      wall: this.#wall,
      layout: plan.layout,
      notes: [...plan.notes, ...executorGroup.notes],
      enforced: this.#report('none').enforced,
      launch: (order) => this.#launcher.launch(order),
      plainEnforced: enforcedBy({
        wall: 'none',
        controls: executorGroup.controls,
        network: 'host',
        isRoot: process.getuid?.() === 0,
        kernel: readKernel(release()),
      }),
    };
  }
}

/** What a policy or a program holds that no launch can be made of, such as a NUL in an argument. */
function problemOf(error: unknown): OrderProblem {
  return {
    ok: false,
    message: error instanceof Error ? error.message : String(error),
    remedy: 'mend the program or the policy',
  };
}
