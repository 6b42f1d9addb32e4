import { readControl, tryControl, writeControl, type GroupDirectory } from './directory.ts';

/** Bounds of one group. A bound that is left out, or whose controller is not there, stays as it is. */
export interface GroupLimits {
  readonly memoryBytes?: number;
  readonly maxProcesses?: number;
}

/** Throws when the kernel refuses a limit. */
export function applyLimits(directory: GroupDirectory, limits: GroupLimits): void {
  const { path, version, controllers } = directory;
  if (limits.maxProcesses !== undefined && controllers.includes('pids')) {
    writeControl(path, 'pids.max', String(limits.maxProcesses));
  }
  if (limits.memoryBytes !== undefined && controllers.includes('memory')) {
    if (version === 2) limitMemory(path, limits.memoryBytes);
    else limitLegacyMemory(path, limits.memoryBytes);
  }
}

function limitMemory(path: string, bytes: number): void {
  writeControl(path, 'memory.max', String(bytes));
  // Missing where the kernel has no swap accounting, or is too old.
  tryControl(path, 'memory.swap.max', '0');
  tryControl(path, 'memory.oom.group', '1');
}

/** Memory with swap can never be less than memory alone: which of the two is written first depends on the direction. */
function limitLegacyMemory(path: string, bytes: number): void {
  const withSwap = readControl(path, 'memory.memsw.limit_in_bytes');
  const files = ['memory.limit_in_bytes', ...(withSwap === undefined ? [] : ['memory.memsw.limit_in_bytes'])];
  const raised = withSwap !== undefined && Number(withSwap) < bytes;
  for (const file of raised ? files.toReversed() : files) writeControl(path, file, String(bytes));
  tryControl(path, 'memory.swappiness', '0');
}
