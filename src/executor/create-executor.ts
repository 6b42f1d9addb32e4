import { resolve } from 'node:path';
import type { EventDefinition } from '../protocol/index.ts';
import { createSandbox } from '../sandbox/index.ts';
import type { Project } from './discover.ts';
import { discoverProject } from './discover.ts';
import { Executor } from './executor.ts';
import { createIdempotency } from './idempotency.ts';
import { readInstallationKey } from './installation-key.ts';
import { loadHooks } from './loaded-hook.ts';
import { parsePacks } from './load-packs.ts';
import { createLog } from './log.ts';
import { defaultLimits, eventLimits, valuesOf } from './operator/default-limits.ts';
import { existingPath } from './operator/granted-path.ts';
import { gatherGrants } from './operator/grant-sources.ts';
import { readOrganizationPacks } from './operator/organization-packs.ts';
import { originText } from './operator/origin.ts';
import { readOperator } from './operator/read-operator.ts';
import { settingValues } from './operator/setting-values.ts';
import { decideSettings } from './operator/settings.ts';
import type { ExecutorOptions, ResolvedOptions } from './options.ts';
import { resolveOptions } from './options.ts';
import { orderHooks } from './plan.ts';
import { createQueue } from './queue.ts';
import { createRateGuard } from './rate-guard.ts';
import { sandboxOnDemand } from './sandbox-on-demand.ts';
import { selectPacks } from './select-packs.ts';
import { acceptedPacks, agentPath, agentText } from './trust/accepted-packs.ts';
import { createOverlay } from './trust/overlays.ts';
import { acceptedPinning, loadedPinning } from './trust/pinning.ts';
import type { TrustStore } from './trust/trust-store.ts';
import { openTrustStore } from './trust/trust-store.ts';
import { nearestReal } from './within.ts';

/**
 * Reads the packs, prepares their hooks and the sandbox. A missing sandbox does not reject: events are then blocked, with
 * the cause and the remedy in the verdict.
 *
 * @throws {HookcellError} `invalid_options`, `invalid_configuration`, `invalid_pack` or `invalid_agent`, with every finding;
 * `sandbox_unavailable` when there is no usable directory for temporary files.
 * @example
 * const executor = await createExecutor({ packs: '.hookcell/hooks' });
 * try {
 *   assertAllowed(await executor.dispatch({ event: 'tool:before', data: { tool: 'write', input } }));
 * } finally {
 *   await executor.close();
 * }
 */
export async function createExecutor(options: ExecutorOptions = {}): Promise<Executor> {
  return openExecutor(options, createSandbox);
}

/** The same for whoever only looks: `list` and `explain` need no sandbox, so none is prepared ahead of need. */
export async function createIdleExecutor(options: ExecutorOptions): Promise<Executor> {
  return openExecutor(options, sandboxOnDemand);
}

async function openExecutor(options: ExecutorOptions, makeSandbox: typeof createSandbox): Promise<Executor> {
  const resolved = resolveOptions(options);
  const { configuration = {}, hostEnvironment = {} } = resolved;
  const store = openTrustStore(resolve(resolved.stateDirectory));
  const project = await findProject(resolved, store);
  const operator = await readOperator(configuration, project.root);
  const settings = decideSettings(operator.files, resolved);
  const organization = await readOrganizationPacks(
    settings.organizationPacks,
    configuration.systemDirectory,
    project.root,
  );
  const knownEvents = new Map((resolved.events ?? []).map((event): [string, EventDefinition] => [event.name, event]));
  const { texts, findings, set, untrusted } = await acceptedPacks(resolved, project, store, knownEvents);
  const packs = selectPacks(
    parsePacks([...organization, ...texts], project.root, knownEvents, findings),
    // Without accepted packs there is nothing to select from; events are blocked in any case.
    resolved.agent === undefined || untrusted !== undefined ? undefined : agentPath(resolved.agent, project),
    project.root,
    (file) => agentText(set, file),
  );
  const pinning = set === undefined ? await loadedPinning(packs, project.root) : acceptedPinning(set);
  const grants = gatherGrants(operator.files, resolved, project.root, defaultLimits(settings.profile.value));
  const hooks = await loadHooks(packs, {
    projectRoot: project.root,
    start: project.start,
    origin: resolved.origin,
    grantOf: grants.of,
    environment: { ...hostEnvironment, ...resolved.sandbox?.env },
    grantFile: operator.grantFile,
    hostPath: resolved.hostPath,
    pinning,
    ownDirectories: [resolved.stateDirectory, configuration.systemDirectory, configuration.userDirectory]
      .flatMap((directory) => directory ?? [])
      .map((directory) => nearestReal(resolve(directory))),
    knownEvents,
  });
  const limits = eventLimits(resolved, settings.profile, grants.longestTimeoutMs);
  const installationKey = resolved.installationKey ?? (await readInstallationKey(resolve(resolved.stateDirectory)));
  const log = createLog(resolved.logger);
  const { killSwitch } = settings;
  const sandbox = makeSandbox({ backend: settings.backend.value });
  if (killSwitch.state === 'on') log.killSwitch();
  if (killSwitch.ignored) log.killSwitchForbidden(originText(killSwitch.origin));
  return new Executor({
    hooks: orderHooks(hooks),
    knownEvents,
    untrusted,
    killSwitch: killSwitch.state === 'on',
    limits: valuesOf(limits),
    surroundings: {
      project: { root: project.root, foundBy: project.foundBy },
      configuration: operator.places,
      settings: settingValues(settings, limits),
    },
    workshop: {
      sandbox,
      overlay: createOverlay(pinning, sandbox),
      queue: createQueue(resolved.concurrency),
      rateGuard: createRateGuard(limits.maxPerMinute.value),
      idempotency: createIdempotency(installationKey, project.root),
      log,
      secretValues: [
        ...Object.values(resolved.secrets ?? {}).flatMap((value) => value ?? []),
        ...settings.secrets.flatMap(({ value }) => ownValue(hostEnvironment, value) ?? []),
      ],
      limits: valuesOf(limits),
    },
  });
}

function ownValue(values: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Packs that were named make their caller's place the project; otherwise it is looked for. */
async function findProject({ packs, projectRoot }: ResolvedOptions, store: TrustStore): Promise<Project> {
  const start = existingPath(projectRoot, '/projectRoot');
  if (packs !== undefined) return { root: start, start, foundBy: 'given', packs: [], strays: [] };
  return discoverProject(start, (path) => store.has(path));
}
