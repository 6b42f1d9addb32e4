/** Sections that tell about the repository itself; every other one may hold credentials or only matters to a person. */
const keptSections = new Set([
  'core',
  'remote',
  'branch',
  'user',
  'submodule',
  'extensions',
  'init',
  'merge',
  'diff',
  'pull',
]);

const credentialKey = /header|pass|token|secret|cookie|credential|proxy|askpass|sshcommand|key$/i;
const userInfo = /([A-Za-z][\w+.-]*:\/\/)[^/@\s"]*@/g;
const queryCredential = /([?&](?:access_token|private_token|token|key|password)=)[^&\s"]*/gi;

/**
 * A `.git/config` without what could be a credential: only known sections, no keys that carry one, no user-info in URLs.
 * @example withoutCredentials('[remote "origin"]\n\turl = https://me:t0ken@host/x.git\n') // '…url = https://host/x.git\n'
 */
export function withoutCredentials(text: string): string {
  const kept: string[] = [];
  let isKept = false;
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line);
    if (header !== null) {
      isKept = keptSections.has((header[1] ?? '').split('.')[0]?.toLowerCase() ?? '');
      if (!isKept) continue;
      const rest = header[3]?.trim() ?? '';
      kept.push(clean(line.slice(0, line.length - (header[3]?.length ?? 0))));
      if (isSetting(rest)) kept.push(`\t${clean(rest)}`);
    } else if (/^\s*\[/.test(line)) {
      isKept = false;
    } else if (isKept && isSetting(line.trim())) {
      kept.push(clean(line));
    }
  }
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}

function isSetting(line: string): boolean {
  const key = /^([A-Za-z][\w-]*)\s*(?:=|$)/.exec(line)?.[1];
  return key !== undefined && !credentialKey.test(key);
}

function clean(line: string): string {
  return line.replace(userInfo, '$1').replace(queryCredential, '$1');
}
