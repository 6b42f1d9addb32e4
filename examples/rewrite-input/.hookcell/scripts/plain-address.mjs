#!/usr/bin/env node
// Replaces the address of a request by one with https and without tracking parameters.
import { readFileSync } from 'node:fs';

const { hook, redacted } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({ decision: decide(hook.data.input) }));

function decide(input) {
  if (typeof input?.url !== 'string') return { action: 'deny', reason: 'expected the address in input.url' };
  // A string with a marker in it must come back as it is: rewriting around it could carry the credential elsewhere.
  if (redacted.some(({ pointer }) => pointer === '/hook/data/input/url')) return { action: 'allow' };
  if (!URL.canParse(input.url)) return { action: 'deny', reason: `${input.url} is no address` };
  const url = new URL(input.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { action: 'deny', reason: `expected http or https, got ${url.protocol}` };
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  // A port that was written down is meant for http.
  if (url.protocol === 'http:' && !isLocal && url.port === '') url.protocol = 'https:';
  for (const name of [...url.searchParams.keys()]) {
    if (/^utm_|^(?:fbclid|gclid|msclkid|mc_eid)$/.test(name)) url.searchParams.delete(name);
  }
  // Writing an address anew may change how it looks; only a real change is an answer.
  if (url.href === new URL(input.url).href) return { action: 'allow' };
  return { action: 'modify', data: { input: { ...input, url: url.href } } };
}
