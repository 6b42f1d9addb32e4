import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Group } from '../cgroup/group.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';
import { closeAll, type InputPipe, type OutputPipe, type PipeSource } from './pipes.ts';
import { quoteForShell } from './shell-line.ts';

/** Descriptors of a slot's process beyond stdio. */
export const slotDescriptors = { order: 3, options: 4, status: 5 } as const;

/**
 * A process that already sits in its own cgroup, holds its pipes and waits for its order: one shell line, read from a pipe,
 * that replaces it by the sandbox. Joining a cgroup takes up to 20 ms (the kernel waits for RCU), so that happens ahead of need.
 * Used once. It ends by itself when the order pipe closes, so it never outlives this process.
 */
export interface Slot {
  readonly process: ChildProcess;
  readonly stdin: InputPipe;
  readonly stdout: OutputPipe;
  readonly stderr: OutputPipe;
  readonly order: InputPipe;
  readonly options: InputPipe;
  readonly status: OutputPipe;
  readonly group: Group;
  /** `group.kill()` ends every process at once, wherever it is in its start. */
  readonly killsAtOnce: boolean;
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<SlotEnd>;
}

export interface SlotEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The process could not be started at all. */
  readonly error?: Error;
}

/**
 * Starts one slot. Runs on the main thread only: the sandbox dies with the *thread* that started it.
 * @param before a command line that becomes the slot's shell, such as that of a tracer which stays beside it
 */
export function armSlot(pipes: PipeSource, group: Group, killsAtOnce: boolean, before: readonly string[] = []): Slot {
  const made: (InputPipe | OutputPipe)[] = [];
  const keep = <Pipe extends InputPipe | OutputPipe>(pipe: Pipe): Pipe => {
    made.push(pipe);
    return pipe;
  };
  try {
    const stdin = keep(pipes.input());
    const order = keep(pipes.input());
    const options = keep(pipes.input());
    const stdout = keep(pipes.output());
    const stderr = keep(pipes.output());
    const status = keep(pipes.output());
    return startSlot({ stdin, stdout, stderr, order, options, status, group, killsAtOnce }, before);
  } catch (error) {
    closeAll(made.flatMap((pipe) => [pipe.child, pipe.readEnd, ...('writeEnd' in pipe ? [pipe.writeEnd] : [])]));
    throw error;
  }
}

function startSlot(parts: Omit<Slot, 'process' | 'ended'>, before: readonly string[]): Slot {
  const { stdin, stdout, stderr, order, options, status, group } = parts;
  const ends = [stdin, stdout, stderr, order, options, status].map((pipe) => pipe.child);
  const child = spawnShell(before, slotScript(group), ends);
  const ended = new Promise<SlotEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  closeAll([...ends, order.readEnd, options.readEnd]);
  // A waiting slot must not keep the host alive; `supervise` holds it again.
  child.unref();
  return { ...parts, process: child, ended };
}

/** A shell with these descriptors from 0 on; every other one that it would inherit is `/dev/null`. */
function spawnShell(before: readonly string[], script: string, descriptors: readonly number[]): ChildProcess {
  const devNull = openSync('/dev/null', 'r');
  try {
    const stdio: ('ignore' | number)[] = [...descriptors];
    for (const descriptor of inheritedDescriptors(stdio.length)) {
      while (stdio.length < descriptor) stdio.push('ignore');
      stdio[descriptor] = devNull;
    }
    const [file, ...words] = [...before, '/bin/sh', '-c', script] as const;
    return spawn(file, words, { cwd: '/', env: {}, stdio, detached: true });
  } finally {
    closeSync(devNull);
  }
}

/** Gives up a slot that got no order. */
export async function disarmSlot(slot: Slot): Promise<void> {
  closeAll([slot.order.writeEnd, slot.options.writeEnd, slot.stdin.writeEnd, slot.stdin.readEnd]);
  closeAll([slot.stdout.readEnd, slot.stderr.readEnd, slot.status.readEnd]);
  // A slot that has not opened its order pipe yet would wait for a writer for ever; and whoever awaits this needs the loop.
  slot.process.ref();
  slot.process.kill('SIGKILL');
  await slot.ended;
  await slot.group.remove();
}

/** `$n` stands for a newline in an order, which is one line. The end of the pipe without an order ends the process. */
function slotScript(group: Group): string {
  const join = group.procsFiles.map((file) => `echo $$ > ${quoteForShell(file)} || exit 125; `).join('');
  return `unset PWD OLDPWD; n='\n'; ${join}IFS= read -r line <&${slotDescriptors.order} || exit 0; eval "$line"`;
}
