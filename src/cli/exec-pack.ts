import type { Pack } from '../protocol/index.ts';
import { badFlag } from './cli-error.ts';
import type { DispatchFlags } from './flags.ts';
import { given } from './given.ts';

/** Flags of `exec` alone. */
export interface ExecFlags extends DispatchFlags {
  readonly mode?: 'control' | 'observe';
  readonly decide?: 'json' | 'exit-code';
  readonly onEmpty?: 'fail' | 'no-opinion';
  readonly onFailure?: 'block' | 'continue';
  readonly shell?: boolean;
}

/** The one program of `exec` as a pack. It asks for exactly what the flags grant. */
export function execPack(event: string, argv: readonly string[], flags: ExecFlags): Pack {
  const { mode, decide, onEmpty, onFailure, timeoutMs } = flags;
  const handler = {
    type: 'command',
    command: commandOf(argv, flags),
    ...given({ decide, onEmpty, timeoutMs }),
  } as const;
  const hook = { id: 'program', event, ...given({ mode, onFailure }), handler };
  return { version: 1, name: 'exec', sandbox: requestOf(flags), ...given({ reveal: flags.reveal }), hooks: [hook] };
}

function commandOf(argv: readonly string[], flags: ExecFlags): readonly string[] {
  if (flags.shell !== true) return argv;
  const [line, ...rest] = argv;
  if (line === undefined || rest.length > 0) {
    throw badFlag('--shell', `expected one argument, a shell line, got ${argv.length}. Quote the line`);
  }
  return ['/bin/sh', '-c', line];
}

function requestOf(flags: ExecFlags): NonNullable<Pack['sandbox']> {
  const { project, network, env, read, write, memoryMb, maxProcesses, maxOutputBytes } = flags;
  return given({ project, network, env, read, write, memoryMb, maxProcesses, maxOutputBytes });
}
