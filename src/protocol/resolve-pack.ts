import { defaultMode, eventDefinition } from './events.ts';
import type { EventDefinition } from './events.ts';
import type { JsonDocument, Position } from './json-document.ts';
import type { Hook, Matcher, Pack, SandboxRequest } from './pack.ts';

/** Priority of a hook that names none; lower runs first. */
export const defaultPriority = 100;

/** A command handler with its defaults applied. */
export interface ResolvedHandler {
  readonly type: 'command';
  readonly command: string | readonly string[];
  /** Present only beside a `command` string, which is then a program and never a shell line. */
  readonly args?: readonly string[];
  /** Absent: the profile's default. */
  readonly timeoutMs?: number;
  readonly decide: 'json' | 'exit-code';
  readonly onEmpty: 'fail' | 'no-opinion';
  readonly stdin: 'utf8' | 'ascii';
}

/** A hook with its defaults applied. */
export interface ResolvedHook {
  readonly id: string;
  readonly event: string;
  readonly mode: 'control' | 'observe';
  readonly priority: number;
  /** Empty: every event of that name. */
  readonly matcher: Matcher;
  readonly onFailure: 'block' | 'continue';
  /** The pack's request with the hook's own keys in place of the pack's of the same name. */
  readonly sandbox: SandboxRequest;
  readonly handler: ResolvedHandler;
  /** Where the hook stands in the pack's file, for findings of its program. */
  readonly at: Position & { readonly pointer: string };
}

/** A pack with its defaults applied; plain and readonly. */
export interface ResolvedPack {
  readonly version: 1;
  readonly name: string;
  /** The file as it was named to the reader. */
  readonly file: string;
  readonly description?: string;
  readonly required: boolean;
  readonly files: readonly string[];
  readonly sandbox: SandboxRequest;
  readonly reveal: readonly string[];
  readonly hooks: readonly ResolvedHook[];
}

/** Applies the defaults of PROTOCOL section 6 to a pack that is known to be sound. */
export function resolvePack(
  pack: Pack,
  file: string,
  { positionOf }: Pick<JsonDocument, 'positionOf'>,
  knownEvents: ReadonlyMap<string, EventDefinition> | undefined,
): ResolvedPack {
  const sandbox = pack.sandbox ?? {};
  return {
    version: 1,
    name: pack.name,
    file,
    ...(pack.description === undefined ? {} : { description: pack.description }),
    required: pack.required ?? false,
    files: pack.files ?? [],
    sandbox,
    reveal: pack.reveal ?? [],
    hooks: pack.hooks.map((hook, index) => {
      const at = () => ({ pointer: `/hooks/${index}`, ...positionOf(['hooks', index]) });
      return resolveHook(hook, sandbox, at, knownEvents);
    }),
  };
}

function resolveHook(
  hook: Hook,
  sandbox: SandboxRequest,
  at: () => ResolvedHook['at'],
  knownEvents: ReadonlyMap<string, EventDefinition> | undefined,
): ResolvedHook {
  const definition = eventDefinition(hook.event, knownEvents);
  return {
    id: hook.id,
    event: hook.event,
    mode: hook.mode ?? (definition === undefined ? 'control' : defaultMode(definition)),
    priority: hook.priority ?? defaultPriority,
    matcher: hook.matcher ?? {},
    onFailure: hook.onFailure ?? 'block',
    sandbox: { ...sandbox, ...hook.sandbox },
    handler: {
      ...hook.handler,
      decide: hook.handler.decide ?? 'json',
      onEmpty: hook.handler.onEmpty ?? 'fail',
      stdin: hook.handler.stdin ?? 'utf8',
    },
    get at() {
      return at();
    },
  };
}
