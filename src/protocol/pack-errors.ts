import { fixedEnvironmentNames, refusedEnvironmentName, environmentNamePattern } from './environment-names.ts';
import { unknownEventMessage } from './event-name-remark.ts';
import type { EventDefinition } from './events.ts';
import type { JsonPath, Remark } from './json-document.ts';
import { getOwn } from './json-object.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { isJsonObject } from './json-value.ts';
import { laterHandlerTypes, Pack } from './pack.ts';
import { quote, remarksOfResult } from './schema-remarks.ts';
import { secretRemarks } from './secret-lint.ts';

/**
 * Everything for which a pack is refused. It looks at the raw document, so that one mistake hides no other.
 *
 * @param parsed what the schema makes of the value
 */
export function packErrors(
  value: JsonValue,
  parsed: ReturnType<typeof Pack.safeParse>,
  knownEvents: ReadonlyMap<string, EventDefinition> | undefined,
): Remark[] {
  if (isJsonObject(value) && isSchema(getOwn(value, '$schema'))) {
    const message =
      'this is a JSON Schema, not a pack; keep it outside of the directory of packs, where every *.json is one';
    return [{ code: 'not_a_pack', message, path: ['$schema'] }];
  }
  const remarks: Remark[] = secretRemarks(value);
  const later: string[] = [];
  if (isJsonObject(value)) {
    remarks.push(...environmentErrors(getOwn(value, 'sandbox'), ['sandbox']));
    const ids = new Map<string, number>();
    const hooks = getOwn(value, 'hooks');
    (Array.isArray(hooks) ? (hooks as readonly JsonValue[]) : []).forEach((hook, index) => {
      if (!isJsonObject(hook)) return;
      const path = ['hooks', index];
      remarks.push(...hookErrors(hook, path, ids, index, knownEvents));
      const type = laterType(hook);
      if (type === undefined) return;
      later.push(`hooks/${index}/handler`);
      const message = `handler type "${type}" is not available in this version; available: command`;
      remarks.push({ code: 'handler_unavailable', message, path: [...path, 'handler', 'type'] });
    });
  }
  // The keys of a handler type that cannot run yet are not judged by those of `command`.
  const shape = remarksOfResult(parsed, Pack, value).filter(({ path }) => !later.includes(path.slice(0, 3).join('/')));
  return [...remarks, ...shape];
}

/** What `hookcell schema pack` prints, say. A pack that names its schema names a file of the editor's. */
function isSchema(dialect: JsonValue | undefined): boolean {
  return typeof dialect === 'string' && /^https?:\/\/json-schema\.org\//u.test(dialect);
}

function hookErrors(
  hook: JsonObject,
  path: JsonPath,
  ids: Map<string, number>,
  index: number,
  knownEvents: ReadonlyMap<string, EventDefinition> | undefined,
): Remark[] {
  const remarks: Remark[] = environmentErrors(getOwn(hook, 'sandbox'), [...path, 'sandbox']);
  const id = getOwn(hook, 'id');
  if (typeof id === 'string') {
    const first = ids.get(id);
    if (first === undefined) ids.set(id, index);
    else {
      const message = `expected every id once in a pack, got ${quote(id)} again (first in /hooks/${first}); rename one`;
      remarks.push({ code: 'duplicate_hook', message, path: [...path, 'id'] });
    }
  }
  const event = getOwn(hook, 'event');
  const unknown = typeof event === 'string' && event !== '' ? unknownEventMessage(event, knownEvents) : undefined;
  if (unknown !== undefined) remarks.push({ code: 'unknown_event', message: unknown, path: [...path, 'event'] });
  if (Object.hasOwn(hook, 'terminationGate')) {
    const message = 'termination gates are not available yet: this pack does not load with one; remove the key';
    remarks.push({ code: 'gate_unavailable', message, path: [...path, 'terminationGate'], atKey: true });
  }
  const handler = getOwn(hook, 'handler');
  if (isJsonObject(handler)) remarks.push(...commandErrors(handler, [...path, 'handler']));
  return remarks;
}

function commandErrors(handler: JsonObject, path: JsonPath): Remark[] {
  const command = getOwn(handler, 'command');
  if (Array.isArray(command) && Object.hasOwn(handler, 'args')) {
    const message =
      'expected either an array in "command" or a program with "args", got both; append the arguments to the array';
    return [{ code: 'invalid_value', message, path: [...path, 'args'], atKey: true }];
  }
  const program: unknown = Array.isArray(command) ? command[0] : command;
  if (Array.isArray(command) && typeof program === 'string' && program.trim() === '') {
    const message = `expected a program as the first entry, got ${quote(program)}`;
    return [{ code: 'invalid_value', message, path: [...path, 'command', 0] }];
  }
  if (typeof program !== 'string' || !/(?:^|[\s"'=])[A-Za-z]:\\|(?:^|\s)\.{1,2}\\|(?:^|\s)\\\\\w/u.test(program))
    return [];
  const message =
    `expected a path of this system, got the Windows path in ${quote(program)} (a shell drops its backslashes); ` +
    'write it with "/", best as an array: ["./scripts/check.py", "argument"]';
  return [{ code: 'windows_path', message, path: [...path, 'command', ...(Array.isArray(command) ? [0] : [])] }];
}

function environmentErrors(sandbox: JsonValue | undefined, path: JsonPath): Remark[] {
  const names = isJsonObject(sandbox) ? getOwn(sandbox, 'env') : undefined;
  if (!Array.isArray(names)) return [];
  return (names as readonly JsonValue[]).flatMap((name, index): Remark[] => {
    // A name out of form is the schema's finding.
    if (typeof name !== 'string' || !environmentNamePattern.test(name)) return [];
    const message = environmentError(name);
    if (message === undefined) return [];
    return [{ code: 'refused_environment_name', message, path: [...path, 'env', index] }];
  });
}

function environmentError(name: string): string | undefined {
  if (refusedEnvironmentName(name)) {
    return `the environment variable ${quote(name)} never enters the sandbox: it can change what code runs there; remove it`;
  }
  if (fixedEnvironmentNames.has(name) || name.startsWith('HOOKCELL_')) {
    return `the environment variable ${quote(name)} is set by hookcell itself and cannot be asked for; remove it`;
  }
  return undefined;
}

function laterType(hook: JsonObject): string | undefined {
  const handler = getOwn(hook, 'handler');
  const type = isJsonObject(handler) ? getOwn(handler, 'type') : undefined;
  return typeof type === 'string' && laterHandlerTypes.has(type) ? type : undefined;
}
