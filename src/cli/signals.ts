/**
 * Every signal that would end this process by itself and can be caught: its code, 128 and more, reads as "go on" in agent
 * hosts. SIGUSR1 is among them since Node would open a debugger's port at it. Not those by which the kernel reports an error
 * of this process (SIGSEGV and the like: no code may run after one), nor SIGKILL.
 */
export const endingSignals = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGABRT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGPROF', 'SIGXCPU', 'SIGXFSZ', 'SIGIO', 'SIGPWR', 'SIGSYS', 'SIGTRAP', 'SIGSTKFLT'] as const),
] as const;
