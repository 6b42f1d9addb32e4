export { Launcher, type LaunchTracer } from './launcher.ts';
export type { LaunchOrder, LaunchResult } from './supervise.ts';
export { slotDescriptors, type Slot } from './slot.ts';
export { limitProcesses, quoteForShell, rlimitLine } from './shell-line.ts';
