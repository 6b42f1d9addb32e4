import path from 'node:path';
import { isCalledByMainProgram } from './main-program.ts';
import { fail, runHook } from './run-hook.ts';
import type { EventName, HookHandler } from './types.ts';

/** On the process, so that two copies of the package see each other. */
const served = Symbol.for('hookcell.hook');

/**
 * Makes a handler a hook, typed by the name of its event. It returns the handler. In the program that hookcell runs as a
 * `command` handler it also serves that program's one event: the envelope comes on stdin, the answer goes to stdout. An
 * event of another name, an error and an answer that JSON cannot say end the program with exit code 1, which blocks. In a
 * module that is only imported, as by a test, nothing happens.
 *
 * Run without hookcell, the program says on stderr how to try it, and ends with exit code 2. A second call in one program ends it with exit code 1: there is one answer.
 *
 * @example
 * export default defineHook('tool:before', ({ hook }) => {
 *   const drops = /\bdrop\s+table\b/i.test(JSON.stringify(hook.data.input ?? null));
 *   return { decision: drops ? { action: 'deny', reason: 'tables are not dropped here' } : { action: 'allow' } };
 * });
 * @throws {TypeError} when there is no handler.
 */
export function defineHook<const Event extends EventName>(
  event: Event,
  handler: HookHandler<Event>,
): HookHandler<Event>;
/** Without a name: a hook for whatever event the pack gives it, as one that the host defined. */
export function defineHook(handler: HookHandler): HookHandler;
export function defineHook(first: string | HookHandler, second?: HookHandler): HookHandler {
  const [event, handler] = typeof first === 'string' ? [first, second] : [undefined, first];
  if (typeof handler !== 'function') throw new TypeError('defineHook: expected a handler, (envelope) => answer');
  if (isCalledByMainProgram(defineHook)) serve(event, handler);
  return handler;
}

function serve(event: string | undefined, handler: HookHandler): void {
  const depth = process.env['HOOKCELL_DEPTH'];
  if (depth === undefined || depth === '') {
    const file = path.relative('', process.argv[1] ?? '');
    process.stderr.write(
      `${file} is a hook, and hookcell runs it. To try it: hookcell try --event event.json -- node ${file}\n`,
    );
    process.exit(2);
  }
  if (Object.hasOwn(process, served)) {
    fail(new TypeError('defineHook: expected one call in a program, got another; a hook gives one answer'));
  }
  Object.defineProperty(process, served, { value: true });
  void runHook(event, handler);
}
