import { z } from 'zod';
import type { EventDefinition, Finding } from '../protocol/index.ts';
import { expectation, HookcellError, pointerOf } from '../protocol/index.ts';

const text = z.string().min(1);

const Options = z.strictObject({
  cwd: text.exactOptional(),
  grant: z
    .strictObject({
      backend: z.enum(['auto', 'bubblewrap', 'none']).exactOptional(),
      network: z.enum(['none', 'host']).exactOptional(),
      read: z.array(text).readonly().exactOptional(),
      write: z.array(text).readonly().exactOptional(),
    })
    .exactOptional(),
  hostPath: z.string().exactOptional(),
  events: z.array(z.custom<EventDefinition>()).readonly().exactOptional(),
  concurrency: z.int().min(1).max(256).exactOptional(),
  update: z.boolean().exactOptional(),
  signal: z.instanceof(AbortSignal).exactOptional(),
});

/**
 * How vectors are run. Everything is optional.
 *
 * - `cwd`: what file names are relative to; vectors may name packs and projects inside of it. Default: the process's.
 * - `grant`: what vectors may ask for beyond the default: network access, paths to write, paths to read outside of the
 *   project. A vector comes from the repository, so it cannot grant these to itself. `backend` as for an executor.
 * - `hostPath`: a `PATH` for interpreters outside `/usr`, such as `process.env.PATH`.
 * - `events`: further events, from `defineEvent`.
 * - `concurrency`: invocations at a time. Default: twice the number of cores.
 * - `update`: writes what came into `expect` of vectors that do not pass, and touches nothing else of the file.
 * - `signal`: ends what is running; vectors that are cut off do not pass.
 */
export type VectorRunOptions = Readonly<z.infer<typeof Options>>;

/** @throws {HookcellError} `invalid_options`, with every finding. */
export function readOptions(options: VectorRunOptions): VectorRunOptions {
  const parsed = Options.safeParse(options, { error: expectation });
  if (parsed.success) return parsed.data;
  const findings = parsed.error.issues.map(({ code, message, path }): Finding => ({
    code,
    message,
    file: 'options',
    pointer: pointerOf(path.map(String)),
  }));
  const [first] = findings;
  const place = first?.pointer ?? '/';
  throw new HookcellError('invalid_options', `invalid options: ${first?.message ?? ''} at ${place}`, { findings });
}
