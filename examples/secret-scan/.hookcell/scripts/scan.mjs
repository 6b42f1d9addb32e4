#!/usr/bin/env node
// Decides about credentials without seeing one: hookcell replaced each by a marker, and `redacted` says where and of what
// kind. Arguments are rules "ACTION:KIND,KIND"; the last that names the kind decides, "*" is every kind, and a kind that
// no rule names is denied.
import { readFileSync } from 'node:fs';

const order = ['allow', 'ask', 'deny'];
const rules = process.argv.slice(2).map((rule) => {
  const [action, kinds = ''] = rule.split(':');
  if (!order.includes(action)) throw new Error(`expected allow:, ask: or deny: with kinds, got ${rule}`);
  return { action, kinds: new Set(kinds.split(',')) };
});

const { redacted } = JSON.parse(readFileSync(0, 'utf8'));
const found = redacted
  // The rest of the envelope, the context, goes nowhere.
  .filter(({ pointer }) => pointer.startsWith('/hook/data/'))
  .map(({ pointer, kind }) => ({
    action: actionFor(kind),
    text: `${pointer.slice('/hook/data'.length)} holds ${kind}`,
  }));
const action = order.findLast((one) => found.some((finding) => finding.action === one)) ?? 'allow';
const texts = found.filter((finding) => finding.action === action).map(({ text }) => text);
const reason = texts.slice(0, 5).join('; ') + (texts.length > 5 ? `; and ${texts.length - 5} more` : '');
console.log(JSON.stringify({ decision: action === 'allow' ? { action } : { action, reason } }));

function actionFor(kind) {
  return rules.findLast(({ kinds }) => kinds.has(kind) || kinds.has('*'))?.action ?? 'deny';
}
