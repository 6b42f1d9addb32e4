import type { Profile } from '../../protocol/index.ts';
import { HookcellError } from '../../protocol/index.ts';
import type { ExecutorOptions } from '../options.ts';
import { invocationOrigin } from './grant-sources.ts';
import type { OperatorFile } from './operator-file.ts';
import type { Origin, Sourced } from './origin.ts';
import { byDefault, originText } from './origin.ts';

type Backend = 'auto' | 'bubblewrap' | 'none';

/** What the operator decided for all packs, each with who decided it. */
export interface Settings {
  readonly profile: Sourced<Profile>;
  readonly backend: Sourced<Backend>;
  /** Whether hooks are off (`on`), or may not be switched off (`forbidden`), and who said so. */
  readonly killSwitch: {
    readonly state: 'off' | 'on' | 'forbidden';
    readonly origin: Origin;
    /** Somebody wanted hooks off, though it is forbidden. */
    readonly ignored: boolean;
  };
  /** Names of environment variables whose values are redacted. */
  readonly secrets: readonly Sourced<string>[];
  readonly organizationPacks: readonly Sourced<string>[];
}

/**
 * Decides between the speakers: the invocation, then the user's file, then the system's; but a kill switch that one of
 * them forbids is off, and what the system's file says of the wall is not loosened. Pure.
 *
 * @param files the system's first
 * @throws {HookcellError} `invalid_configuration` when somebody asks for no wall against the system's file.
 */
export function decideSettings(
  files: readonly OperatorFile[],
  options: Pick<ExecutorOptions, 'profile' | 'sandbox' | 'killSwitch' | 'origin'>,
): Settings {
  const nearest = files.toReversed();
  const list = (key: 'secrets' | 'organizationPacks'): Sourced<string>[] =>
    files.flatMap((file) =>
      (file.configuration[key] ?? []).map((value, index) => ({ value, origin: file.originAt([key, index]) })),
    );
  const profiles: Sourced<Profile>[] = nearest.flatMap((file) => said(file, 'profile', file.configuration.profile));
  if (options.profile !== undefined)
    profiles.unshift({ value: options.profile, origin: invocationOrigin(options, 'profile') });
  return {
    profile: profiles[0] ?? { value: 'oss', origin: byDefault },
    backend: decideBackend(files, options),
    killSwitch: decideKillSwitch(files, options),
    secrets: list('secrets'),
    organizationPacks: list('organizationPacks'),
  };
}

function decideKillSwitch(
  files: readonly OperatorFile[],
  options: Pick<ExecutorOptions, 'killSwitch' | 'origin'>,
): Settings['killSwitch'] {
  const asked = options.killSwitch === true;
  const forbidding = files.find(({ configuration }) => configuration.killSwitch === 'forbid');
  if (forbidding !== undefined)
    return { state: 'forbidden', origin: forbidding.originAt(['killSwitch']), ignored: asked };
  if (!asked) return { state: 'off', origin: byDefault, ignored: false };
  return { state: 'on', origin: invocationOrigin(options, 'killSwitch'), ignored: false };
}

function decideBackend(
  files: readonly OperatorFile[],
  options: Pick<ExecutorOptions, 'sandbox' | 'origin'>,
): Sourced<Backend> {
  const named: Sourced<Backend>[] = files
    .toReversed()
    .flatMap((file) => said(file, 'backend', file.configuration.backend));
  const { backend } = options.sandbox ?? {};
  if (backend !== undefined) named.unshift({ value: backend, origin: invocationOrigin(options, 'sandbox.backend') });
  // "auto" is no opinion: it must not undo what another speaker asks for.
  const chosen = named.find(({ value }) => value !== 'auto') ?? named[0] ?? { value: 'auto', origin: byDefault };
  const system = files.find(({ level }) => level === 'system');
  const fixed = system?.configuration.backend ?? 'auto';
  if (system === undefined || fixed === 'auto' || fixed === 'none' || chosen.value !== 'none') return chosen;
  const message = `expected the backend ${fixed}, which ${originText(system.originAt(['backend']))} sets, got none from ${originText(chosen.origin)}; remove that`;
  throw new HookcellError('invalid_configuration', message, {
    findings: [{ code: 'backend_loosened', message }],
  });
}

function said<Value>(file: OperatorFile, key: string, value: Value | undefined): Sourced<Value>[] {
  return value === undefined ? [] : [{ value, origin: file.originAt([key]) }];
}
