import { processesUnder, tryControl, type GroupDirectory } from './directory.ts';

/** Passes over version 1 groups; where forks are stopped first, a second pass finds nothing new. */
const MAX_PASSES = 50;

/**
 * Ends every process in one group's directories and below, at once. Terminal: version 1 groups take no new process
 * afterwards. The processes are dying when this returns, not yet gone.
 */
export function killDirectories(directories: readonly GroupDirectory[]): void {
  const killed = new Set(
    directories.filter(({ version, path }) => version === 2 && tryControl(path, 'cgroup.kill', '1')),
  );
  // A process that was killed while joining may stand in some of the hierarchies only: the others are swept by signal.
  const others = directories.filter((directory) => !killed.has(directory));
  for (const { path, controllers } of others) {
    // Nothing can outrun the signals by forking.
    if (controllers.includes('pids')) tryControl(path, 'pids.max', '0');
  }
  const signalled = new Set<number>();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const fresh = others.flatMap(({ path }) => processesUnder(path)).filter((pid) => !signalled.has(pid));
    if (fresh.length === 0) return;
    for (const pid of fresh) {
      signalled.add(pid);
      kill(pid);
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
