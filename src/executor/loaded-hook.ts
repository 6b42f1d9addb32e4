import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventDefinition, HookName, ResolvedHook } from '../protocol/index.ts';
import { eventDefinition, HookcellError } from '../protocol/index.ts';
import type { ResolvedProgram } from '../sandbox/index.ts';
import { resolveProgram } from '../sandbox/index.ts';
import type { LoadedPack } from './load-packs.ts';
import type { CompiledMatcher } from './match.ts';
import { compileMatcher } from './match.ts';
import { listProjectFiles } from './project-files.ts';
import type { Grant, ResolvedPolicy } from './resolve-policy.ts';
import { resolvePolicy } from './resolve-policy.ts';

/** A hook with everything that does not depend on the event. */
export interface LoadedHook {
  readonly name: HookName;
  readonly hook: ResolvedHook;
  readonly from: LoadedPack;
  readonly definition: EventDefinition;
  readonly matcher: CompiledMatcher;
  readonly policy: ResolvedPolicy;
  readonly timeoutMs: number;
  /** Place among all hooks as they were declared: pack after pack. */
  readonly position: number;
  /** Whether its `modify` beside a redacted value needs no person. */
  readonly mayModifyBesideSecrets: boolean;
  /** Finds the program; a problem is looked at anew each time, since the script may have been mended. */
  program(): ResolvedProgram;
}

export interface HookSetting {
  /** A real path. */
  readonly projectRoot: string;
  readonly grant: Grant;
  readonly reveal: readonly string[];
  readonly modifyWithSecrets: readonly string[];
  readonly hostPath: string | undefined;
  readonly knownEvents: ReadonlyMap<string, EventDefinition>;
}

/** Prepares the hooks of all packs, in the order of their declaration. */
export async function loadHooks(packs: readonly LoadedPack[], setting: HookSetting): Promise<readonly LoadedHook[]> {
  const hooks: LoadedHook[] = [];
  for (const from of packs) {
    const showsFiles = from.pack.hooks.some(({ sandbox }) => (sandbox.project ?? setting.grant.project) === 'files');
    const projectFiles = showsFiles ? await listProjectFiles(setting.projectRoot, from.pack.files) : [];
    for (const hook of from.pack.hooks) hooks.push(loadHook(from, hook, projectFiles, hooks.length, setting));
  }
  return hooks;
}

function loadHook(
  from: LoadedPack,
  hook: ResolvedHook,
  projectFiles: readonly string[],
  position: number,
  setting: HookSetting,
): LoadedHook {
  const definition = eventDefinition(hook.event, setting.knownEvents);
  // The pack reader knows the same events; a hook that slipped through must not be dropped.
  if (definition === undefined) throw new HookcellError('internal', `no definition of ${hook.event}`);
  const { projectRoot, grant, hostPath } = setting;
  const realPath = (path: string): string | undefined => realPathOf(resolve(projectRoot, path));
  const policy = withReveal(
    resolvePolicy(hook.sandbox, grant, { projectRoot, projectFiles, realPath }),
    from,
    setting.reveal,
  );
  const { command, args } = hook.handler;
  let found: ResolvedProgram | undefined;
  return {
    name: { pack: from.pack.name, id: hook.id },
    hook,
    from,
    definition,
    matcher: compileMatcher(hook.matcher),
    policy,
    timeoutMs: hook.handler.timeoutMs ?? grant.limits.timeoutMs,
    position,
    mayModifyBesideSecrets: setting.modifyWithSecrets.includes(from.pack.name),
    program() {
      if (found?.ok !== true) {
        found = resolveProgram({
          command,
          ...(args === undefined ? {} : { args }),
          projectRoot,
          ...(hostPath === undefined ? {} : { hostPath }),
          outsideProject: from.source === 'caller' ? 'bind' : 'refuse',
        });
      }
      return found;
    },
  };
}

function withReveal(policy: ResolvedPolicy, { pack }: LoadedPack, granted: readonly string[]): ResolvedPolicy {
  const beyond = pack.reveal.filter(
    (pointer) => !granted.some((root) => pointer === root || pointer.startsWith(`${root}/`)),
  );
  if (beyond.length === 0) return policy;
  const message = `asks to see ${beyond.join(', ')} in clear, which the operator does not grant; to grant it: grants.reveal`;
  return { ok: false, cause: 'untrusted', message };
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
