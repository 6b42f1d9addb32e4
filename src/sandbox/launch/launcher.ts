import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createExecutorGroup, type ExecutorGroup } from '../cgroup/executor-group.ts';
import { findCgroups, type CgroupPlan } from '../cgroup/layout.ts';
import { liveTree } from '../cgroup/live-tree.ts';
import { currentOwner } from '../cgroup/owner.ts';
import { sweepGroups } from '../cgroup/sweep.ts';
import { makeRuntimeDirectory, pipeBase, sweepRuntimeDirectories } from '../runtime-directory.ts';
import { endTree } from './end-tree.ts';
import { followSignal, type Cancel } from './follow-signal.ts';
import { startGuardian, type Guardian } from './guardian.ts';
import { PipeSource } from './pipes.ts';
import { armSlot, disarmSlot, type Slot } from './slot.ts';
import { StatusChannel } from './status-channel.ts';
import { supervise, type LaunchOrder, type LaunchResult } from './supervise.ts';

/** bubblewrap's monitor and its process 1 are counted with the program's own. */
const WALL_PROCESSES = 2;

export interface LauncherOptions {
  /** Slots kept armed ahead of need. */
  readonly armedSlots: number;
  /** `none` does without cgroups, as on a machine that offers none to this user. */
  readonly cgroups: 'auto' | 'none';
  /** Where the runtime directory is made; the system's temporary directory by default. */
  readonly runtimeBase?: string;
}

/** Something that traces the process of one launch, from before it gets its order. */
export interface LaunchTracer {
  /** Goes in front of the process's own command line; the process keeps its number. */
  readonly command: readonly string[];
  /** Waits, bounded, until the process is traced; `false` when it is not going to be. */
  attached(slot: Slot): Promise<boolean>;
}

/**
 * Owns everything that outlives one launch: the runtime directory, the cgroup above all invocations, the guardian, the armed slots.
 * Knows no policy and no hook: orders are plain data, so this can run in a process of its own.
 */
export class Launcher {
  readonly runtimeDirectory: string;
  /** Holds pipes that have a name for a moment: no sandbox may show it. */
  readonly pipeDirectory: string;
  readonly plan: CgroupPlan;
  readonly executorGroup: ExecutorGroup;
  /** In the command line of every sandbox of this launcher and of nothing else. */
  readonly marker: string;
  /** Left-overs of dead executors are gone when this settles. */
  readonly swept: Promise<unknown>;
  readonly #pipes: PipeSource;
  readonly #guardian: Guardian;
  readonly #armedSlots: number;
  readonly #removals = new Set<Promise<unknown>>();
  readonly #running = new Set<Promise<unknown>>();
  #armed: Slot[] = [];
  #made = 0;
  #closing: Promise<void> | undefined;

  constructor(options: LauncherOptions) {
    const owner = currentOwner();
    this.runtimeDirectory = makeRuntimeDirectory(owner, options.runtimeBase);
    const base = pipeBase(dirname(this.runtimeDirectory));
    this.pipeDirectory = makeRuntimeDirectory(owner, base);
    this.marker = `hookcell-cell-${owner.pid}-${owner.startTime}-${this.runtimeDirectory.slice(-6)}`;
    this.plan =
      options.cgroups === 'none'
        ? { layout: 'none', notes: ['cgroups are switched off by configuration'] }
        : findCgroups(liveTree);
    this.executorGroup = createExecutorGroup(this.plan, owner);
    this.#pipes = new PipeSource(this.pipeDirectory);
    this.#armedSlots = options.armedSlots;
    this.#guardian = startGuardian({
      killFile: this.executorGroup.killFile,
      marker: this.marker,
      runtimeDirectory: this.runtimeDirectory,
      pipeDirectory: this.pipeDirectory,
    });
    this.swept = sweepGroups(this.plan)
      .then(() => {
        sweepRuntimeDirectories(owner, options.runtimeBase);
        return sweepRuntimeDirectories(owner, base);
      })
      .catch(() => undefined);
    this.#refill();
  }

  /** Carries out one order. Never rejects; resolves when no process of it lives. A tracer that fails is done without. */
  async launch(order: LaunchOrder, signal?: AbortSignal, tracer?: LaunchTracer): Promise<LaunchResult> {
    if (this.#closing) return notLaunched(order, 'the launcher is closed');
    let slot: Slot | undefined;
    // A signal is the caller's object: whatever it does, it does it before anything runs.
    let cancel: Cancel | undefined;
    try {
      cancel = followSignal(signal);
      slot = (tracer && (await this.#tracedSlot(tracer))) ?? this.#takeSlot();
      const maxProcesses = order.limits.maxProcesses + WALL_PROCESSES;
      slot.group.setLimits({ memoryBytes: order.limits.memoryBytes, maxProcesses });
    } catch (error) {
      cancel?.forget();
      if (slot) this.#remember(disarmSlot(slot));
      return notLaunched(order, `the launch could not be prepared: ${messageOf(error)}`);
    }
    const taken = slot;
    const running = supervise(slot, order, cancel.signal).catch(async (error: unknown) => {
      await endTree(taken, order.wall, new StatusChannel());
      return notLaunched(order, `the launch could not be seen through: ${messageOf(error)}`);
    });
    this.#running.add(running);
    setImmediate(() => this.#refill());
    const result = await running;
    cancel.forget();
    this.#running.delete(running);
    this.#remember(slot.group.remove());
    return result;
  }

  /** Waits for what runs, then removes everything that it made. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([this.swept, ...this.#running]);
    await Promise.all(this.#armed.splice(0).map((slot) => disarmSlot(slot)));
    await Promise.all(this.#removals);
    this.executorGroup.killAll();
    await this.executorGroup.remove();
    this.#guardian.dismiss();
    for (const directory of [this.runtimeDirectory, this.pipeDirectory])
      rmSync(directory, { recursive: true, force: true });
  }

  async #tracedSlot(tracer: LaunchTracer): Promise<Slot | undefined> {
    const slot = this.#arm(tracer.command);
    if (await tracer.attached(slot)) return slot;
    this.#remember(disarmSlot(slot));
    return undefined;
  }

  #takeSlot(): Slot {
    for (let slot = this.#armed.shift(); slot; slot = this.#armed.shift()) {
      if (slot.process.exitCode === null && slot.process.signalCode === null) return slot;
      this.#remember(disarmSlot(slot));
    }
    return this.#arm();
  }

  #arm(before?: readonly string[]): Slot {
    this.#made += 1;
    const group = this.executorGroup.createGroup(this.#made);
    try {
      return armSlot(this.#pipes, group, this.executorGroup.killFile !== undefined, before);
    } catch (error) {
      this.#remember(group.remove());
      throw error;
    }
  }

  #refill(): void {
    if (this.#closing || this.#armed.length >= this.#armedSlots) return;
    try {
      this.#armed.push(this.#arm());
    } catch {
      // The next launch arms its own slot and reports what stands in the way.
      return;
    }
    this.#remember(this.#pipes.prepare().catch(() => undefined));
    setImmediate(() => this.#refill());
  }

  #remember(removal: Promise<unknown>): void {
    this.#removals.add(removal);
    void removal.finally(() => this.#removals.delete(removal));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function notLaunched(order: LaunchOrder, detail: string): LaunchResult {
  return {
    kind: 'not-built',
    memoryLimitHit: false,
    processLimitHit: false,
    exit: { code: null, signal: null },
    stdout: new Uint8Array(),
    stderr: new Uint8Array(),
    bytes: { stdin: order.stdin.length, stdinUnread: order.stdin.length, stdout: 0, stderr: 0 },
    durationMs: 0,
    detail,
  };
}
