import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * Waits on a socket whose other end only this process holds. A word means a regular end; end-of-file without one means that this process was killed:
 * then its runtime directory goes, and everything that it had launched dies. `--die-with-parent` alone does not do that: bubblewrap
 * asks for it a few milliseconds after its start, and a parent that dies before leaves a live sandbox behind.
 *
 * The directory goes first: a slot that had its order and is late finds no filter there and does not start a sandbox. What had opened
 * the filter by then shows up in one of the rounds.
 */
const script = `
trap '' HUP INT TERM
read -r word && exit 0
rm -rf -- "$RUNTIME_DIRECTORY" "$PIPE_DIRECTORY"
for round in 1 2 3 4 5 6 7 8 9 10; do
  if [ -n "$KILL_FILE" ]; then
    echo 1 > "$KILL_FILE"
  else
    for file in $(grep -alsF -e "$MARKER" /proc/[0-9]*/cmdline); do pid=\${file#/proc/}; kill -9 "\${pid%/cmdline}"; done
  fi
  sleep 0.1
done
rm -rf -- "$RUNTIME_DIRECTORY" "$PIPE_DIRECTORY"
`;

export interface Guardian {
  /** Sends it home; to be called when nothing is running any more. */
  dismiss(): void;
}

export interface GuardianOptions {
  /** `cgroup.kill` of the group above all invocations, where there is one. */
  readonly killFile: string | undefined;
  /** Text in the command line of every sandbox of this process and of nothing else. */
  readonly marker: string;
  readonly runtimeDirectory: string;
  readonly pipeDirectory: string;
}

export function startGuardian(options: GuardianOptions): Guardian {
  const child = spawn('/bin/sh', ['-c', script, 'hookcell-guardian'], {
    cwd: '/',
    // Not as arguments: the guardian looks for the marker in command lines and must not find itself.
    env: {
      PATH: '/usr/bin:/bin',
      KILL_FILE: options.killFile ?? '',
      MARKER: options.marker,
      RUNTIME_DIRECTORY: options.runtimeDirectory,
      PIPE_DIRECTORY: options.pipeDirectory,
    },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.on('error', () => undefined);
  child.unref();
  const lifeline = child.stdin;
  lifeline.on('error', () => lifeline.destroy());
  if (lifeline instanceof Socket) lifeline.unref();
  return { dismiss: () => void lifeline.end('done\n') };
}
