import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Io } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import type { CliResult } from './cli.ts';

/** Runs a command line in this process, where the system's configuration can be elsewhere. */
export async function runMain(
  argv: readonly string[],
  {
    stdin = '',
    isTTY = false,
    ...place
  }: Pick<Io, 'cwd' | 'env' | 'systemDirectory'> & { readonly stdin?: string; readonly isTTY?: boolean },
): Promise<CliResult> {
  const streams = {
    stdin: Object.assign(new PassThrough(), { isTTY }),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  const output = Promise.all([text(streams.stdout), text(streams.stderr)]);
  streams.stdin.end(stdin);
  const code = await main({ argv, ...place, ...streams, signal: new AbortController().signal });
  streams.stdout.end();
  streams.stderr.end();
  const [stdout, stderr] = await output;
  return { code, signal: null, stdout, stderr };
}
