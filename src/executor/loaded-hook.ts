import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventDefinition, HookName, ResolvedHook } from '../protocol/index.ts';
import { eventDefinition, HookcellError } from '../protocol/index.ts';
import type { ResolvedProgram } from '../sandbox/index.ts';
import { resolveProgram } from '../sandbox/index.ts';
import type { LoadedPack } from './load-packs.ts';
import type { CompiledMatcher } from './match.ts';
import { compileMatcher } from './match.ts';
import type { EffectiveGrant } from './operator/effective-grant.ts';
import type { Grantee } from './operator/grant-sources.ts';
import { byDefault } from './operator/origin.ts';
import type { ExecutorOptions } from './options.ts';
import { policyRemedy, programRemedy } from './path-remedy.ts';
import type { Scope } from './plan.ts';
import { scopeOf } from './plan.ts';
import { listProjectFiles } from './project-files.ts';
import type { ResolvedPolicy } from './resolve-policy.ts';
import { resolvePolicy } from './resolve-policy.ts';
import type { Pinning, UnacceptedProgram } from './trust/pinning.ts';
import { isWithin } from './within.ts';

/** A hook with everything that does not depend on the event. */
export interface LoadedHook {
  readonly name: HookName;
  readonly hook: ResolvedHook;
  readonly from: LoadedPack;
  readonly scope: Scope;
  readonly definition: EventDefinition;
  readonly matcher: CompiledMatcher;
  readonly policy: ResolvedPolicy;
  /** What its pack may ask for. */
  readonly grant: EffectiveGrant;
  readonly timeoutMs: number;
  /** A program of the command line: flags say what a pack says of its hooks, and messages name those. */
  readonly byFlags: boolean;
  /** Place among all hooks as they were declared: pack after pack. */
  readonly position: number;
  /** Whether its `modify` beside a redacted value needs no person. */
  readonly mayModifyBesideSecrets: boolean;
  /** Finds the program; a problem is looked at anew each time, since the script may have been mended. */
  program(): ResolvedProgram | UnacceptedProgram;
}

export interface HookSetting {
  /** A real path. */
  readonly projectRoot: string;
  /** Where flags are read. */
  readonly start: string;
  /** Who speaks for the options. */
  readonly origin?: ExecutorOptions['origin'] | undefined;
  readonly grantOf: (pack: Grantee) => EffectiveGrant;
  /** The host's environment, for the names that are granted. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file where the operator would write a grant. */
  readonly grantFile: string | undefined;
  readonly hostPath: string | undefined;
  readonly pinning: Pinning;
  /** Where records of trust and grants lie: nothing that a hook may write to. Real paths. */
  readonly ownDirectories: readonly string[];
  readonly knownEvents: ReadonlyMap<string, EventDefinition>;
}

/** Prepares the hooks of all packs, in the order of their declaration. */
export async function loadHooks(packs: readonly LoadedPack[], setting: HookSetting): Promise<readonly LoadedHook[]> {
  const hooks: LoadedHook[] = [];
  const programs: Programs = new Map();
  for (const from of packs) {
    const grant = setting.grantOf({ name: from.pack.name, isOrganization: from.layer === 'organization' });
    const showsFiles = from.pack.hooks.some(({ sandbox }) => (sandbox.project ?? grant.project.value) === 'files');
    const projectFiles = showsFiles ? await listProjectFiles(setting.projectRoot, from.pack.files) : [];
    for (const hook of from.pack.hooks) {
      const loaded = loadHook({ from, hook, grant, projectFiles, programs }, hooks.length, setting);
      // What is there now is what runs later, and a program that is gone by then is no program that never was.
      if (from.layer !== 'organization') loaded.program();
      hooks.push(loaded);
    }
  }
  return hooks;
}

/** Programs that were found, by what names them: many hooks run the same. */
type Programs = Map<string, Extract<ResolvedProgram, { readonly ok: true }>>;

interface Draft {
  readonly from: LoadedPack;
  readonly hook: ResolvedHook;
  readonly grant: EffectiveGrant;
  readonly projectFiles: readonly string[];
  readonly programs: Programs;
}

function loadHook(
  { from, hook, grant, projectFiles, programs }: Draft,
  position: number,
  setting: HookSetting,
): LoadedHook {
  const definition = eventDefinition(hook.event, setting.knownEvents);
  // The pack reader knows the same events; a hook that slipped through must not be dropped.
  if (definition === undefined) throw new HookcellError('internal', `no definition of ${hook.event}`);
  const { projectRoot, hostPath, environment, grantFile, pinning } = setting;
  const { pack, layer, home, mayLeaveHome } = from;
  const { command, args, timeoutMs } = hook.handler;
  const path = layer === 'organization' ? ['organization', pack.name] : ['projects', projectRoot, 'packs', pack.name];
  const resolved = resolvePolicy({ ...hook.sandbox, reveal: pack.reveal, timeoutMs }, grant, {
    projectRoot,
    projectFiles,
    realPath: (name) => realPathOf(resolve(projectRoot, name)),
    environment,
    file: pack.file,
    grantor: {
      path,
      ...(grantFile === undefined ? {} : { file: grantFile }),
      ...(setting.start === projectRoot && setting.origin !== 'vector' ? {} : { projectRoot }),
      byVector: setting.origin === 'vector',
    },
  });
  const policy = withoutOwn(policyRemedy(resolved, pack.file, projectRoot), setting.ownDirectories);
  let found: ReturnType<LoadedHook['program']> | undefined;
  return {
    name: { pack: pack.name, id: hook.id },
    hook,
    from,
    scope: scopeOf(layer, hook.matcher.steps !== undefined),
    definition,
    matcher: compileMatcher(hook.matcher),
    grant,
    policy: layer === 'organization' ? withHome(policy, home) : policy,
    timeoutMs: timeoutMs ?? grant.limits.timeoutMs.value,
    byFlags: from.byCaller && setting.origin === 'flag',
    position,
    mayModifyBesideSecrets: grant.modifyWithSecrets.value,
    program() {
      const key = JSON.stringify([home, mayLeaveHome, command, args]);
      found ??= programs.get(key);
      if (found?.ok === true) return found;
      const program = resolveProgram({
        command,
        ...(args === undefined ? {} : { args }),
        projectRoot: home,
        ...(hostPath === undefined ? {} : { hostPath }),
        outsideProject: mayLeaveHome ? 'bind' : 'refuse',
        contentOf: (file) => pinning.read(file),
      });
      const named = { file: pack.file, words: [command, args ?? []].flat() };
      found = pinning.check(home === projectRoot ? programRemedy(program, named, projectRoot) : program);
      if (found.ok) programs.set(key, found);
      return found;
    },
  };
}

/** A pack of the organization sees its own directory, where its scripts are. */
function withHome(policy: ResolvedPolicy, home: string): ResolvedPolicy {
  if (!policy.ok) return policy;
  return {
    ...policy,
    policy: { ...policy.policy, readPaths: [...policy.policy.readPaths, home] },
    effective: [...policy.effective, { key: 'read', value: home, origin: byDefault }],
  };
}

/** Whoever could write there would accept and grant by himself. */
function withoutOwn(policy: ResolvedPolicy, own: readonly string[]): ResolvedPolicy {
  if (!policy.ok) return policy;
  const { writePaths } = policy.policy;
  const exposed = own.find((place) => writePaths.some((path) => isWithin(path, place) || isWithin(place, path)));
  if (exposed === undefined) return policy;
  const message = `asks to write where hookcell keeps what the operator accepted and granted (${exposed}); grant a directory beside it`;
  return { ok: false, cause: 'sandbox_setup_failed', message };
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
