import type { BackendCapability, Capabilities } from '../sandbox/index.ts';
import type { Paint } from './colour.ts';

/**
 * What this machine can enforce, why not, and the remedy, for people.
 *
 * @param problems what else keeps hooks from running
 */
export function capabilitiesText(capabilities: Capabilities, paint: Paint, problems: readonly string[] = []): string {
  const { platform, arch, kernel, node, backends, cgroup } = capabilities;
  const lines = [`${platform} ${arch}, kernel ${kernel}, Node.js ${node}`, ''];
  for (const backend of backends) lines.push(...backendLines(backend, paint), '');
  lines.push(`cgroups: ${cgroup.layout}`, ...cgroup.notes.map((note) => `  ${note}`), '');
  if (problems.length > 0) return [...lines, ...problems.map((problem) => paint('red', problem))].join('\n');
  return [...lines, ...conclusion(capabilities, paint)].join('\n');
}

/** The same judgement as the exit code of `doctor`. */
function conclusion(capabilities: Capabilities, paint: Paint): string[] {
  const { selected } = capabilities;
  if (selected === undefined) return [paint('red', 'No sandbox: every controlling hook would block.')];
  const hooks = `hooks run with the backend ${paint('bold', selected)}`;
  const weak = shortcomings(capabilities);
  if (weak.length === 0) return [`${paint('green', 'Ready')}: ${hooks}.`];
  return [
    `${paint('yellow', 'Ready, with weaker limits')}: ${hooks}, but`,
    ...weak.map((line) => `  ${line}`),
    'The reasons and remedies stand under "cgroups". Until they are mended, doctor exits 1.',
  ];
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

/** What the selected backend holds with something weaker than a cgroup, and what comes of it, each in a sentence. */
export function shortcomings({ selected, backends }: Capabilities): readonly string[] {
  const enforced = backends.find(({ backend }) => backend === selected)?.enforced;
  if (enforced === undefined) return [];
  const { memory, processes } = enforced;
  const found: string[] = [];
  if (memory === 'none') found.push('memory is not bounded, and a hook that names memoryMb is refused');
  else if (!memory.startsWith('cgroup'))
    found.push(`memory is bounded by ${memory}: each process by itself, and a hook that names memoryMb is refused`);
  if (processes === 'none') found.push('processes are not bounded, and a hook that names maxProcesses is refused');
  else if (!processes.startsWith('cgroup')) found.push(`processes are bounded by ${processes}, not by a cgroup`);
  return found;
}
