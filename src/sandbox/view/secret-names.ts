import { basename } from 'node:path';

/** Whole names, in lower case, of files that hold credentials by convention. */
const names = new Set([
  '.env',
  '.envrc',
  '.npmrc',
  '.netrc',
  '_netrc',
  '.pypirc',
  '.git-credentials',
  '.dockercfg',
  '.htpasswd',
  '.pgpass',
  '.my.cnf',
  '.s3cfg',
  '.boto',
  '.vault-token',
  '.terraformrc',
  'kubeconfig',
  'credentials.json',
  'secrets.json',
  'secrets.yaml',
  'secrets.yml',
  'secrets.toml',
]);

/** File names below a directory of this name. */
const nested: Readonly<Record<string, readonly string[]>> = {
  '.aws': ['credentials', 'config'],
  '.docker': ['config.json'],
  '.kube': ['config'],
  '.cargo': ['credentials', 'credentials.toml'],
  '.gem': ['credentials'],
  gh: ['hosts.yml'],
};

const directories = new Set(['.ssh', '.gnupg']);
const examples = /\.(?:example|sample|template|dist|defaults?|schema)$/;
const patterns = [
  /^\.env\./,
  /\.env$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|tfvars|tfstate|tfstate\.backup)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)/,
  /^service[-_]account.*\.json$/,
];

/**
 * Whether a file of this name is covered under `project: read`. Public keys, the bundle `cacert.pem` and examples of
 * `.env` files are not.
 * @param parent name of the directory that holds it
 */
export function isSecretName(name: string, parent = ''): boolean {
  const lower = name.toLowerCase();
  if (lower === 'cacert.pem' || lower.endsWith('.pub') || examples.test(lower)) return false;
  if (names.has(lower) || patterns.some((pattern) => pattern.test(lower))) return true;
  return nested[parent.toLowerCase()]?.includes(lower) === true;
}

/** Whether a directory of this name is covered as a whole. */
export function isSecretDirectory(name: string): boolean {
  return directories.has(name.toLowerCase());
}

/**
 * Whether a covered name lies on the way from a directory down to a path, the path's own included: who may see the directory
 * does not see that. Bare repositories are known by a name that ends in `.git`.
 * @param path absolute, in `directory` or equal to it
 */
export function isCoveredBelow(directory: string, path: string): boolean {
  const steps = path
    .slice(directory.length)
    .split('/')
    .filter((step) => step !== '');
  const last = steps.at(-1);
  if (last === undefined) return false;
  if (steps.some((step) => isSecretDirectory(step))) return true;
  const above = [basename(directory), ...steps.slice(0, -1)];
  if (isSecretName(last, above.at(-1))) return true;
  const isInGit = directory.split('/').includes('.git') || above.some((step) => step.endsWith('.git'));
  return isInGit && /^config(?:\.worktree)?$/.test(last);
}
