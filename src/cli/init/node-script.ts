import type { Policy } from './starter.ts';

/** JSON is read as JSON; Node.js is always there, since hookcell runs on it. */
export function nodeScript(policy: Policy, reason: string): string {
  return `#!/usr/bin/env node
// A hook: one envelope comes on stdin, one answer goes to stdout. Whatever else happens counts as a failure, and blocks.
import { readFileSync } from 'node:fs';

const { hook } = JSON.parse(readFileSync(0, 'utf8'));

${policies[policy](reason)}

console.log(JSON.stringify({ decision: decide(hook.data) }));
`;
}

const policies: Readonly<Record<Policy, (reason: string) => string>> = {
  paths: (reason) => `function decide({ input }) {
  const file = input?.path ?? input?.file_path;
  if (typeof file !== 'string') return { action: 'deny', reason: 'the call names no path' };
  const guarded = file.split('/').some((part) => part === '.env' || part.startsWith('.env.'));
  return guarded ? { action: 'deny', reason: \`\${file}: ${reason}\` } : { action: 'allow' };
}`,
  words: (reason) => `function decide(data) {
  const guarded = textsOf(data).some((text) => /[Pp]roduction/.test(text));
  return guarded ? { action: 'deny', reason: '${reason}' } : { action: 'allow' };
}

function textsOf(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}`,
};
