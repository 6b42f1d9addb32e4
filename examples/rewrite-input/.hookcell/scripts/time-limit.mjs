#!/usr/bin/env node
// Lowers a time limit that is above the bound in the first argument, in milliseconds.
import { readFileSync } from 'node:fs';

const most = Number(process.argv[2]);
const { hook } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({ decision: decide(hook.data.input) }));

function decide(input) {
  const changes = {};
  for (const [key, unit] of [
    ['timeout_ms', 1],
    ['timeoutMs', 1],
    ['timeout', 1],
    ['timeout_seconds', 1000],
  ]) {
    if (typeof input?.[key] === 'number' && input[key] * unit > most) changes[key] = most / unit;
  }
  if (Object.keys(changes).length === 0) return { action: 'allow' };
  return { action: 'modify', data: { input: { ...input, ...changes } } };
}
