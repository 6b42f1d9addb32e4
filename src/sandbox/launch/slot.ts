import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Group } from '../cgroup/group.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';
import { closeAll, type InputPipe, type OutputPipe, type PipeSource } from './pipes.ts';
import { quoteForShell } from './shell-line.ts';

/** Descriptors of a slot's process beyond stdio. */
export const slotDescriptors = { order: 3, options: 4, status: 5 } as const;

const firstForeign = 6;

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

/** Starts one slot. Runs on the main thread only: the sandbox dies with the *thread* that started it. */
export function armSlot(pipes: PipeSource, group: Group, killsAtOnce: boolean): Slot {
  const stdin = pipes.input();
  const order = pipes.input();
  const options = pipes.input();
  const stdout = pipes.output();
  const stderr = pipes.output();
  const status = pipes.output();
  const devNull = openSync('/dev/null', 'r');

  const stdio: ('ignore' | number)[] = [
    stdin.child,
    stdout.child,
    stderr.child,
    order.child,
    options.child,
    status.child,
  ];
  for (const descriptor of inheritedDescriptors(firstForeign)) {
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] = devNull;
  }
  const child = spawn('/bin/sh', ['-c', slotScript(group)], { cwd: '/', env: {}, stdio, detached: true });
  const ended = new Promise<SlotEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  closeAll([
    ...[stdin, order, options, stdout, stderr, status].map((pipe) => pipe.child),
    order.readEnd,
    options.readEnd,
  ]);
  closeSync(devNull);
  // A waiting slot must not keep the host alive; `supervise` holds it again.
  child.unref();
  return { process: child, stdin, stdout, stderr, order, options, status, group, killsAtOnce, ended };
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
