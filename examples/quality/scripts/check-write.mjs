#!/usr/bin/env node
// Reads one envelope from stdin and answers with one decision: may the agent write to this file?
import { readFileSync } from 'node:fs';
import path from 'node:path';

const { hook } = JSON.parse(readFileSync(0, 'utf8'));
const target = hook.data.input?.path;

const guarded = [
  [/(^|\/)\.env($|\.)/, 'environment files hold secrets'],
  [/(^|\/)\.git($|\/)/, 'the history is changed by git alone'],
  [/\.(pem|key)$/, 'keys are written by people'],
  [/(^|\/)package-lock\.json$/, 'the lock file is written by npm alone'],
];

function decide() {
  if (typeof target !== 'string') return deny('the call names no path');
  const file = path.normalize(target);
  if (path.isAbsolute(file) || file.split('/').includes('..')) return deny(`${target} is outside the project`);
  const hit = guarded.find(([pattern]) => pattern.test(file));
  return hit ? deny(`${target}: ${hit[1]}`) : { action: 'allow' };
}

function deny(reason) {
  return { action: 'deny', reason };
}

console.log(JSON.stringify({ decision: decide() }));
