import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Group } from '../cgroup/group.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';
import { closeAll, type InputPipe, type OutputPipe, type PipeSource } from './pipes.ts';
import { quoteForShell } from './shell-line.ts';

/** Descriptors of a slot's process beyond stdio. */
export const slotDescriptors = { order: 3, options: 4, status: 5 } as const;

/**
 * A process that already sits in its own cgroup, holds its pipes and waits for its order: one shell line, read from a socket,
 * that replaces it by the sandbox. Joining a cgroup takes up to 20 ms (the kernel waits for RCU), so that happens ahead of need.
 * Used once. It ends by itself when the order socket closes, so it never outlives this process.
 */
export interface Slot {
  readonly process: ChildProcess;
  readonly stdin: InputPipe;
  readonly stdout: OutputPipe;
  readonly stderr: OutputPipe;
  /** Sockets without a name: whoever could open one would say what the slot's shell executes. */
  readonly order: Socket;
  readonly options: Socket;
  readonly status: Socket;
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
    const stdout = keep(pipes.output());
    const stderr = keep(pipes.output());
    return startSlot({ stdin, stdout, stderr, group, killsAtOnce }, before);
  } catch (error) {
    closeAll(made.flatMap((pipe) => [pipe.child, pipe.readEnd, ...('writeEnd' in pipe ? [pipe.writeEnd] : [])]));
    throw error;
  }
}

type SlotParts = Omit<Slot, 'process' | 'order' | 'options' | 'status' | 'ended'>;

function startSlot(parts: SlotParts, before: readonly string[]): Slot {
  const { stdin, stdout, stderr, group } = parts;
  const ends = [stdin.child, stdout.child, stderr.child];
  const child = spawnShell(before, slotScript(group), ends);
  const ended = new Promise<SlotEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const { order, options, status } = slotDescriptors;
  const sockets = { order: socketOf(child, order), options: socketOf(child, options), status: socketOf(child, status) };
  closeAll(ends);
  // A waiting slot must not keep the host alive; `supervise` holds it again.
  child.unref();
  return { ...parts, ...sockets, process: child, ended };
}

/** Our end of a socket pair. The process at the other end may be dead, which its end then tells: no error of its own. */
function socketOf(child: ChildProcess, descriptor: number): Socket {
  // Typed as always there, but a spawn that finds no free descriptor makes none.
  const socket = (child.stdio as ChildProcess['stdio'] | undefined)?.[descriptor];
  if (!(socket instanceof Socket)) throw new Error('a process to launch from could not be started');
  socket.on('error', () => socket.destroy());
  socket.unref();
  return socket;
}

/** A shell with these descriptors from 0 on, then the slot's sockets; every other one that it would inherit is `/dev/null`. */
function spawnShell(before: readonly string[], script: string, stdio: readonly number[]): ChildProcess {
  const devNull = openSync('/dev/null', 'r');
  try {
    const descriptors: ('ignore' | 'pipe' | number)[] = [...stdio, 'pipe', 'pipe', 'pipe'];
    for (const descriptor of inheritedDescriptors(descriptors.length)) {
      while (descriptors.length < descriptor) descriptors.push('ignore');
      descriptors[descriptor] = devNull;
    }
    const [file, ...words] = [...before, '/bin/sh', '-c', script] as const;
    return spawn(file, words, { cwd: '/', env: {}, stdio: descriptors, detached: true });
  } finally {
    closeSync(devNull);
  }
}

/** Gives up a slot that got no order. */
export async function disarmSlot(slot: Slot): Promise<void> {
  for (const socket of [slot.order, slot.options, slot.status]) socket.destroy();
  closeAll([slot.stdin.writeEnd, slot.stdin.readEnd, slot.stdout.readEnd, slot.stderr.readEnd]);
  // Whoever awaits this needs the loop.
  slot.process.ref();
  slot.process.kill('SIGKILL');
  await slot.ended;
  await slot.group.remove();
}

/** `$n` stands for a newline in an order, which is one line. The end of the socket without an order ends the process. */
function slotScript(group: Group): string {
  const join = group.procsFiles.map((file) => `echo $$ > ${quoteForShell(file)} || exit 125; `).join('');
  return `unset PWD OLDPWD; n='\n'; ${join}IFS= read -r line <&${slotDescriptors.order} || exit 0; eval "$line"`;
}
