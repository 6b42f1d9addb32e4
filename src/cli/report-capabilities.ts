import type { BackendCapability, Capabilities } from '../sandbox/index.ts';
import type { Paint } from './colour.ts';

/** What this machine can enforce, why not, and the remedy, for people. */
export function capabilitiesText(capabilities: Capabilities, paint: Paint): string {
  const { platform, arch, kernel, node, selected, backends, cgroup } = capabilities;
  const lines = [`${platform} ${arch}, kernel ${kernel}, Node.js ${node}`, ''];
  for (const backend of backends) lines.push(...backendLines(backend, paint), '');
  lines.push(`cgroups: ${cgroup.layout}`, ...cgroup.notes.map((note) => `  ${note}`), '');
  lines.push(
    selected === undefined
      ? paint('red', 'No sandbox: every controlling hook would block.')
      : `${paint('green', 'Ready')}: hooks run with the backend ${paint('bold', selected)}.`,
  );
  return lines.join('\n');
}

function backendLines(capability: BackendCapability, paint: Paint): string[] {
  const { backend, available, version, path, enforced, unavailable } = capability;
  const name = paint('bold', backend);
  if (!available) {
    const { code = 'unknown', message = 'not available', remedy = '' } = unavailable ?? {};
    return [`${paint('red', '✗')} ${name}: ${message} (${code})`, ...(remedy === '' ? [] : [`  remedy: ${remedy}`])];
  }
  const what = [version, path].filter((part) => part !== undefined).join(', ');
  const title = `${paint('green', '✓')} ${name}${what === '' ? '' : ` ${paint('dim', what)}`}`;
  return [
    title,
    ...Object.entries(enforced ?? {}).map(([part, by]) => `  ${part.padEnd(10)} ${shown(String(by), paint)}`),
  ];
}

function shown(by: string, paint: Paint): string {
  return by === 'none' || by === 'host' ? paint('yellow', `${by} (not enforced)`) : by;
}

/** True when the selected backend stands, but a limit is held by something weaker than a cgroup. */
export function shortcomings({ selected, backends }: Capabilities): boolean {
  const enforced = backends.find(({ backend }) => backend === selected)?.enforced;
  if (enforced === undefined) return true;
  return [enforced.memory, enforced.processes].some((by) => !by.startsWith('cgroup'));
}
