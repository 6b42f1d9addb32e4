export { Launcher, type LauncherOptions } from './launcher.ts';
export type { LaunchOrder, LaunchResult } from './supervise.ts';
export { slotDescriptors } from './slot.ts';
export { limitProcesses, quoteForShell, rlimitLine } from './shell-line.ts';
