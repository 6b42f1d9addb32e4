import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Granted } from '../../executor/index.ts';
import { bounds, shellWord } from '../../protocol/index.ts';
import type { FileRefusal, Refusal } from '../../sandbox/index.ts';

/** What was refused, and what lets it through, as lines without markup. Texts in it are the handler's. */
export interface RefusalText {
  readonly what: string;
  readonly advice: readonly string[];
}

export interface RefusalSetting {
  /** Programs without a pack ask for what the flags grant. */
  readonly hasPack: boolean;
  readonly granted: Granted;
  /** A pack names what lies in it from there, for it is shared. */
  readonly projectRoot: string;
  /** The `PATH` of who reads this. */
  readonly hostPath: string;
}

/** Says one refusal in words, with the flag that would grant it. */
export function refusalText(refusal: Refusal, setting: RefusalSetting): RefusalText {
  const { what, advice } = described(refusal, setting);
  return { what: refusal.times > 1 ? `${what} (${refusal.times} times)` : what, advice };
}

function described(refusal: Refusal, setting: RefusalSetting): RefusalText {
  switch (refusal.kind) {
    case 'file':
      return fileText(refusal, setting);
    case 'program':
      return programText(refusal.name, setting);
    case 'socket':
      return socketText(refusal.family, setting);
    case 'syscall':
      return {
        what: `system call ${refusal.name}`,
        advice: ['no grant lets it through: the filter refuses it to every hook'],
      };
    default:
      return limitText(refusal, setting);
  }
}

const whyFile: Readonly<Record<FileRefusal['why'], string>> = {
  'not-in-view': 'it exists on this machine, and is not in the sandbox’s view',
  'no-place': 'its directory exists on this machine, and is not in the sandbox’s view',
  link: 'it is reached through a symbolic link, which is not in the sandbox’s view',
  masked: 'it looks like a secret, so an empty one was shown in its place',
  'read-only': 'it is read-only in the sandbox',
  permissions: 'its own mode or owner forbids it',
};

function fileText({ path: file, tried, why, grant, remedy }: FileRefusal, setting: RefusalSetting): RefusalText {
  const what = `${tried} ${file}: ${whyFile[why]}`;
  if (grant === undefined) return { what, advice: remedy === undefined ? [] : [remedy] };
  const flag = isGranted(grant, why, setting.granted) ? undefined : `--${grant.access} ${shellWord(grant.path)}`;
  return { what, advice: granted({ [grant.access]: [grant.path] }, flag, setting) };
}

/** What may be changed may be read. A file of secrets is granted by its own path alone. */
function isGranted(
  { access, path: wanted }: NonNullable<FileRefusal['grant']>,
  why: FileRefusal['why'],
  { read, write }: Granted,
): boolean {
  const roots = access === 'write' ? write : [...read, ...write];
  if (why === 'masked') return roots.includes(wanted);
  return roots.some((root) => wanted === root || wanted.startsWith(root === '/' ? root : `${root}/`));
}

function programText(name: string, setting: RefusalSetting): RefusalText {
  const what = `program ${name}: no directory of the sandbox’s PATH holds it`;
  const found = setting.hostPath
    .split(':')
    .map((directory) => path.join(directory, name))
    .find((file) => path.isAbsolute(file) && isExecutable(file));
  if (found === undefined) return { what, advice: ['it is not on your PATH either: install it below /usr'] };
  const isIn = isGranted({ access: 'read', path: found }, 'not-in-view', setting.granted);
  const grant = granted({ read: [found] }, isIn ? undefined : `--read ${shellWord(found)}`, setting);
  return { what, advice: [`it is ${found} here: install it below /usr, or call it by that path`, ...grant] };
}

function socketText(family: string, setting: RefusalSetting): RefusalText {
  const what = `socket ${family}`;
  if (family === 'AF_INET' || family === 'AF_INET6')
    return { what: `${what}: it has no network`, advice: granted({ network: 'host' }, networkFlag(setting), setting) };
  return { what, advice: ['no grant lets it through: of sockets, only those of the internet can be granted'] };
}

function networkFlag({ granted: { network } }: RefusalSetting): string | undefined {
  return network === 'host' ? undefined : '--network host';
}

type LimitRefusal = Extract<Refusal, { kind: 'limit' }>;

const limitWords: Readonly<Record<LimitRefusal['limit'], string>> = {
  maxProcesses: 'limit of processes: a new one was refused',
  maxOpenFiles: 'limit of open files: one more was refused',
  maxFileBytes: 'limit of a file’s size: a write was refused',
  tmpBytes: 'limit of space in /tmp and HOME: a write was refused',
};

function limitText({ limit, path: file }: LimitRefusal, setting: RefusalSetting): RefusalText {
  const what = `${limitWords[limit]}${file === undefined ? '' : `, ${file}`}`;
  if (limit === 'maxProcesses') {
    const more = Math.min(setting.granted.maxProcesses * 2, bounds.maxProcesses.ceiling);
    return { what, advice: granted({ maxProcesses: more }, `--max-processes ${more}`, setting) };
  }
  return { what, advice: [`use less; only a host that embeds hookcell can raise it (sandbox.limits.${limit})`] };
}

/**
 * A pack has to ask for what the operator grants; what one of them said already is not said again.
 *
 * @param flag absent when it is granted
 */
function granted(
  request: Readonly<Record<string, string | number | readonly string[]>>,
  flag: string | undefined,
  { hasPack, projectRoot }: RefusalSetting,
): string[] {
  const keys = Object.entries(request).map(([key, value]) => {
    const shared = typeof value === 'object' ? value.map((file) => fromProject(file, projectRoot)) : value;
    return `${JSON.stringify(key)}: ${JSON.stringify(shared)}`;
  });
  const ask = `the pack has to ask for it, in its "sandbox": ${keys.join(', ')}`;
  if (flag === undefined)
    return [hasPack ? `it is granted; ${ask}` : 'it is granted, and yet the sandbox does not show it'];
  return [`to grant it: ${flag}`, ...(hasPack ? [`and ${ask}`] : [])];
}

function fromProject(file: string, projectRoot: string): string {
  if (file === projectRoot) return '.';
  return file.startsWith(`${projectRoot}/`) ? file.slice(projectRoot.length + 1) : file;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
