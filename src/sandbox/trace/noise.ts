import { basename } from 'node:path';
import type { Access } from './refusal.ts';

/** Trees that loaders, libraries and interpreters look into by themselves. */
const probed = [
  '/proc',
  '/sys',
  '/dev',
  '/run/nscd',
  '/var/run/nscd',
  '/run/systemd',
  '/var/lib/sss',
  '/usr',
  '/lib',
  '/lib64',
  '/etc/ssl',
  '/etc/pki',
  '/etc/crypto-policies',
  '/etc/gnutls',
  '/etc/selinux',
  '/etc/terminfo',
  '/etc/perl',
  '/etc/bash_completion.d',
];
const probedFiles =
  /^\/etc\/(?:ld\.so\.[\w.]+|nsswitch\.conf|resolv\.conf|host\.conf|hosts|gai\.conf|locale[\w.]*|localtime|inputrc|mtab|fstab|gitconfig|environment|profile|bash\.bashrc|shells|services|protocols|mailcap|mime\.types|apache2\/mime\.types|python[\w./-]*|node[\w./-]*|ruby[\w./-]*)$/u;
/** What Python and Node.js look for, or leave behind, beside every script. */
const probedNames = /^(?:__pycache__|.+\.pyc(?:\.\d+)?|pyvenv\.cfg|package\.json|node_modules|locale-archive)$/u;

/** Where the C library looks up names itself, after it has asked for a name service by a socket. */
export const nameFiles: ReadonlySet<string> = new Set(
  ['nsswitch.conf', 'passwd', 'group', 'hosts', 'host.conf', 'resolv.conf', 'services'].map((name) => `/etc/${name}`),
);

/**
 * Whether a path is one that interpreters and libraries look for on their own account. They change nothing but what they
 * keep beside scripts.
 */
export function isNoise(path: string, tried: Access): boolean {
  if (probedNames.test(basename(path))) return true;
  if (tried === 'write' || tried === 'create') return false;
  if (probedFiles.test(path)) return true;
  return probed.some((tree) => path === tree || path.startsWith(`${tree}/`));
}
