import type { EffectiveValue } from '../asked.ts';
import type { EventLimits } from './default-limits.ts';
import type { Settings } from './settings.ts';

/** What holds for all hooks, for `list`. */
export function settingValues(settings: Settings, limits: EventLimits): readonly EffectiveValue[] {
  const { profile, backend, killSwitch, secrets, organizationPacks } = settings;
  return [
    { key: 'profile', ...profile },
    { key: 'backend', ...backend },
    { key: 'killSwitch', value: killSwitch.state, origin: killSwitch.origin },
    ...secrets.map((secret) => ({ key: 'secret', ...secret })),
    ...organizationPacks.map((place) => ({ key: 'organizationPacks', ...place })),
    ...Object.entries(limits).map(([key, limit]) => ({ key, ...limit })),
  ];
}
