import type { GroupDirectory } from './directory.ts';
import type { CgroupPlan, Controller } from './layout.ts';

/** The distinct parents of a plan: one directory can serve for several things. */
export function hierarchiesOf(plan: CgroupPlan): readonly GroupDirectory[] {
  const found = new Map<string, { version: 1 | 2; controllers: Controller[] }>();
  for (const name of ['memory', 'pids'] as const) {
    const place = plan[name];
    if (place === undefined) continue;
    const known = found.get(place.parent);
    if (known) known.controllers.push(name);
    else found.set(place.parent, { version: place.version, controllers: [name] });
  }
  if (plan.kill && !found.has(plan.kill.parent)) found.set(plan.kill.parent, { version: 2, controllers: [] });
  return [...found].map(([path, hierarchy]) => ({ path, ...hierarchy }));
}
