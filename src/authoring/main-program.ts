import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** True when `callee` was called by the program that Node was started with, and not by a module that it imported. */
export function isCalledByMainProgram(callee: (...given: never[]) => unknown): boolean {
  const program = mainProgram();
  return program !== undefined && callerOf(callee) === program;
}

function mainProgram(): string | undefined {
  const [, named] = process.argv;
  if (named === undefined) return undefined;
  try {
    // As Node looks for it: `node hook` finds hook.js.
    return realpathSync(createRequire(named).resolve(named));
  } catch {
    return undefined;
  }
}

/** The file that a function was called from. Call sites, not the text of the stack, which source maps change. */
function callerOf(callee: (...given: never[]) => unknown): string | undefined {
  const { stackTraceLimit } = Error;
  const prepare = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const holder: { stack?: readonly NodeJS.CallSite[] } = {};
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_, sites) => sites;
    Error.captureStackTrace(holder, callee);
    // The stack is prepared when it is first read.
    const name = holder.stack?.[0]?.getFileName();
    return typeof name === 'string' ? realpathSync(name.startsWith('file:') ? fileURLToPath(name) : name) : undefined;
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (prepare === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', prepare);
  }
}
