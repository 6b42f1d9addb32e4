import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import path from 'node:path';
import { cleanForPeople } from '../../protocol/index.ts';
import type { Capabilities } from '../../sandbox/index.ts';
import type { Io } from '../io.ts';
import { packageVersion } from '../package-files.ts';
import { capabilitiesText } from '../report-capabilities.ts';
import type { Identity } from './anonymise.ts';
import { anonymise } from './anonymise.ts';

/** A report for an issue, in Markdown: what this machine is like, without who it belongs to. */
export function issueReport(io: Io, capabilities: Capabilities, problems: readonly string[]): string {
  const sections: readonly [string, string][] = [
    ['hookcell', `version ${packageVersion()}`],
    ['machine', machineText()],
    ['sandbox', capabilitiesText(capabilities, (_, text) => text, problems)],
    ['kernel settings', kernelText()],
    ['configuration', configurationText(io)],
  ];
  const text = sections.map(([title, body]) => `### ${title}\n\n\`\`\`text\n${body.replaceAll('```', "'''")}\n\`\`\``);
  return anonymise(cleanForPeople(text.join('\n\n')), identityOf(io));
}

function identityOf({ env }: Io): Identity {
  const user = known(() => userInfo());
  const host = hostname();
  return {
    homes: present(user?.homedir, known(homedir), env['HOME'], env['SUDO_HOME']),
    users: present(user?.username, env['USER'], env['LOGNAME'], env['SUDO_USER']),
    hosts: [...new Set([host, host.split('.')[0] ?? host, ...present(env['HOSTNAME'])])],
  };
}

/** Node throws for a user that is in no database. */
function known<Value>(find: () => Value): Value | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function present(...names: readonly (string | undefined)[]): string[] {
  return names.filter((name) => name !== undefined);
}

function machineText(): string {
  const release = read('/etc/os-release') ?? '';
  const name = /^PRETTY_NAME="?([^"\n]*)/mu.exec(release)?.[1] ?? 'unknown';
  const inContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  const user = process.getuid?.() === 0 ? 'root' : 'an ordinary user';
  return [`system: ${name}`, `container: ${inContainer ? 'yes' : 'no sign of one'}`, `run by: ${user}`].join('\n');
}

const settings = [
  'user/max_user_namespaces',
  'kernel/unprivileged_userns_clone',
  'kernel/apparmor_restrict_unprivileged_userns',
  'kernel/yama/ptrace_scope',
  'kernel/seccomp/actions_avail',
];

function kernelText(): string {
  const lines = settings.map(
    (name) => `${name.replaceAll('/', '.')} = ${read(`/proc/sys/${name}`)?.trim() ?? 'absent'}`,
  );
  const mounts = (read('/proc/mounts') ?? '').split('\n').filter((line) => /^\S+ \S+ cgroup2? /u.test(line));
  const tools = ['bwrap', 'strace'].map((tool) => `${tool}: ${toolText(tool)}`);
  return [...lines, ...mounts, ...tools].join('\n');
}

/** Whether a tool is there, and set-user-ID, which changes what it can do. */
function toolText(name: string): string {
  const file = ['/usr/bin', '/bin', '/usr/local/bin']
    .map((place) => path.join(place, name))
    .find((one) => existsSync(one));
  if (file === undefined) return 'not found';
  return (statSync(file).mode & 0o4000) === 0 ? file : `${file}, set-user-ID`;
}

/** Names of variables and whether files are there; no value and no content. */
function configurationText({ env, systemDirectory }: Io): string {
  const variables = Object.keys(env).filter((name) =>
    /^(?:HOOKCELL_\w+|XDG_(?:CONFIG|STATE)_HOME|NO_COLOR)$/u.test(name),
  );
  const base = env['XDG_CONFIG_HOME'];
  const [shown, directory] =
    base === undefined ? ['~/.config', path.join(known(homedir) ?? '/no home', '.config')] : ['$XDG_CONFIG_HOME', base];
  return [
    `variables: ${variables.length === 0 ? 'none' : variables.toSorted().join(', ')}`,
    `${systemDirectory}/config.json: ${isThere(path.join(systemDirectory, 'config.json'))}`,
    `${shown}/hookcell/config.json: ${isThere(path.join(directory, 'hookcell', 'config.json'))}`,
  ].join('\n');
}

function isThere(file: string): string {
  return existsSync(file) ? 'there' : 'not there';
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
