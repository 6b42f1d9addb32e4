/** Names whose value makes an interpreter, a loader or git run other code. Each is refused even when it is listed. */
const refusedNames: ReadonlySet<string> = new Set([
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'PS4',
  'NODE_OPTIONS',
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  '_JAVA_OPTIONS',
  'PERLLIB',
  'GCONV_PATH',
  'GLIBC_TUNABLES',
]);

const refusedPrefixes = ['LD_', 'DYLD_', 'PYTHON', 'PERL5', 'RUBY', 'GIT_', 'BASH_FUNC_'] as const;

/** Names that the sandbox sets by itself, to fixed values: a pack cannot ask for the host's. */
export const fixedEnvironmentNames: ReadonlySet<string> = new Set(['PATH', 'HOME', 'TMPDIR', 'LANG']);

/** A portable name: letters, digits and `_`, not starting with a digit. */
export const environmentNamePattern: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/**
 * True for an environment name that never enters the sandbox: it would change what code runs there
 * (`LD_PRELOAD`, `NODE_OPTIONS`, `GIT_SSH_COMMAND`, …), or it is no portable name at all
 * (`BASH_FUNC_ls%%`, which bash reads as a function).
 */
export function refusedEnvironmentName(name: string): boolean {
  if (!environmentNamePattern.test(name)) return true;
  return refusedNames.has(name) || refusedPrefixes.some((prefix) => name.startsWith(prefix));
}
