import { findJwts, findPemBodies } from './structured-secrets.ts';

/** A stretch of a string that holds a secret; `end` is exclusive, both are UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/**
 * Well-known credential shapes. Each pattern holds to three rules: it never matches white space, quotes or shell
 * characters, so that no command can hide in a match; every repetition is over one character class and its match
 * consumes what it looked at, so that matching is linear; a capture, always the end of the match, narrows what is replaced.
 */
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['github-token', /gh[pousr]_[A-Za-z0-9_]{20,}|github_pat_[A-Za-z0-9_]{20,}/g],
  ['gitlab-token', /gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent|oas)-[A-Za-z0-9_.-]{20,}/g],
  ['slack-token', /xox[a-z]-[A-Za-z0-9.-]{10,}|xapp-[A-Za-z0-9-]{10,}/g],
  ['slack-webhook', /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9_/-]{10,})/g],
  ['aws-access-key', /A(?:KI|SI)A[A-Z0-9]{16,}/g],
  ['google-key', /AIza[A-Za-z0-9_-]{35,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}|1\/\/0[A-Za-z0-9_-]{30,}/g],
  ['stripe-key', /[srp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,}/g],
  ['npm-token', /npm_[A-Za-z0-9]{30,}/g],
  ['pypi-token', /pypi-[A-Za-z0-9_-]{20,}/g],
  ['api-key', /sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{10,}|(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}/g],
  ['sendgrid-key', /SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g],
  ['huggingface-token', /hf_[A-Za-z0-9]{30,}/g],
  ['vault-token', /hv[sb]\.[A-Za-z0-9_-]{20,}/g],
  ['docker-token', /dckr_pat_[A-Za-z0-9_-]{20,}/g],
  ['digitalocean-token', /do[opr]_v1_[a-f0-9]{40,}/g],
  ['authorization', /(?:[Bb]earer|BEARER) ([A-Za-z0-9._~+-]{16,}={0,2})|[Bb]asic ([A-Za-z0-9+/]{8,}={0,2})/g],
  [
    'connection-string',
    /[?&;] ?(?:password|passwd|accountkey|sharedaccesskey|access_token|refresh_token|client_secret|api_?key)=([A-Za-z0-9+/]{40,}={0,2}|[^\s'"`;&|<>$(){}\\[\]?#/]+)/gi,
  ],
];

/** The password of `scheme://user:password@host`, up to the last `@`. Apart, since harmless URLs are everywhere. */
const urlPassword = /:\/\/[^\s/?#@:'"`;&|<>$(){}\\[\]]*:([^\s/?#'"`;&|<>$(){}\\[\]]+)(?=@)/g;

/**
 * One cheap look: a string that holds none of these holds none of the shapes. Literals where they begin with a rare character, which the
 * engine finds fastest; else few alternatives at a time with few first letters between them, so that it can skip ahead.
 */
const hints = [
  '_pat_',
  '_live_',
  '_test_',
  '_v1_',
  'AKIA',
  'ASIA',
  'AIza',
  'GOCSPX-',
  'SG.',
  'BEGIN',
  'EARER ',
  'xox',
  'xapp-',
  'ya29',
  'eyJ',
];
const hintPatterns: readonly RegExp[] = [
  /gh[pousr]_|gl[a-z]{2,6}-|hooks\.slack|hf_|hv[sb]\./,
  /whsec_|npm_|pypi-/,
  /sk-/,
  /1\/\/0/,
  /earer |asic /,
  /(?:ss(?:word|wd)|key|token|secret)=/i,
];

function mayHoldCredential(text: string): boolean {
  return hints.some((hint) => text.includes(hint)) || hintPatterns.some((hint) => hint.test(text));
}

/** Words as long as a key, but with no digit in them, are names (`sk-loading-spinner-large`). */
function looksMade(kind: string, matched: string): boolean {
  if (kind === 'api-key') return /\d/.test(matched);
  if (kind === 'authorization') return /[\d=]|[a-z][A-Z]/.test(matched);
  return true;
}

/** Every stretch of the text that has the shape of a credential, unordered, possibly overlapping. */
export function findCredentials(text: string): Span[] {
  const spans: Span[] = [];
  if (text.length < 8) return spans;
  if (text.includes('://')) collect(text, 'url-password', urlPassword, spans);
  if (!mayHoldCredential(text)) return spans;
  for (const [kind, pattern] of patterns) collect(text, kind, pattern, spans);
  spans.push(...findJwts(text), ...findPemBodies(text));
  return spans;
}

function collect(text: string, kind: string, pattern: RegExp, spans: Span[]): void {
  // `search` is several times cheaper than `matchAll` where there is nothing to find, which is the rule.
  if (text.search(pattern) === -1) return;
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] ?? match[2] ?? match[0];
    const end = match.index + match[0].length;
    if (looksMade(kind, secret)) spans.push({ start: end - secret.length, end, kind });
  }
}
