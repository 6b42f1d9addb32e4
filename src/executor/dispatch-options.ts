import { z } from 'zod';
import { invalidOptions, readOptions } from './option-findings.ts';

export interface DispatchOptions {
  /** Aborts running and queued invocations of this event; they end with the cause `canceled`, which blocks. */
  readonly signal?: AbortSignal | undefined;
  /** 0 for an event of the host itself, the handler's depth + 1 for one that a handler set off. */
  readonly depth?: number | undefined;
}

const depthError = 'expected a whole number from 0';
const Depth = z.int({ error: depthError }).min(0, { error: depthError });

/** By what it can do: signals of another realm are signals as well. */
const Signal = z.custom<AbortSignal>(isSignal, {
  error: 'expected an AbortSignal, such as AbortSignal.timeout(60_000) or the signal of an AbortController',
});

const DispatchOptions: z.ZodType<DispatchOptions> = z.strictObject({
  signal: Signal.optional(),
  depth: Depth.optional(),
});

const TryOptions: z.ZodType<TryOptions> = z.strictObject({
  signal: Signal.optional(),
  depth: Depth.optional(),
  trace: z.boolean().optional(),
});

export interface TryOptions extends DispatchOptions {
  /** Also says what the wall refused. */
  readonly trace?: boolean | undefined;
}

/** @throws {HookcellError} `invalid_options`, with every finding. */
export function readDispatchOptions(options: unknown): DispatchOptions {
  if (isSignal(options)) {
    const message = 'expected an object such as { signal }, got the signal itself';
    throw invalidOptions(
      [{ code: 'invalid_value', message, file: 'dispatch options', pointer: '' }],
      'dispatch options',
    );
  }
  return readOptions(DispatchOptions, options, 'dispatch options');
}

/** @throws {HookcellError} `invalid_options`, with every finding. */
export function readTryOptions(options: unknown): TryOptions {
  return readOptions(TryOptions, options, 'options of tryHook');
}

function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const method = (name: string): boolean => typeof Reflect.get(value, name) === 'function';
  return (
    typeof Reflect.get(value, 'aborted') === 'boolean' && method('addEventListener') && method('removeEventListener')
  );
}
