import { findJwts, findPemBodies } from './structured-secrets.ts';

/** A stretch of a string that holds a secret; `end` is exclusive, both are UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

type Shape = readonly [kind: string, pattern: RegExp];

/**
 * Well-known credential shapes, behind what hints at them: a text without a hint is not searched for its shapes. Hints
 * are literals where they begin with a rare character, which the engine finds fastest; else few alternatives with few
 * first letters.
 *
 * Each pattern holds to four rules: what it replaces never holds white space, quotes or shell characters, so that no
 * command can hide in it; every repetition is over one character class and its match consumes what it looked at, so
 * that matching is linear; every repetition is bounded, since the engine's stack is, and text of a stranger must not
 * make it overflow; a capture, always the end of the match, narrows what is replaced.
 */
const shapes: readonly (readonly [hints: readonly (string | RegExp)[], patterns: readonly Shape[]])[] = [
  [
    ['_pat_', /gh[pousr]_|gl[a-z]{2,6}-|hooks\.slack|hf_|hv[sb]\./],
    [
      ['github-token', /gh[pousr]_[A-Za-z0-9_]{20,8192}|github_pat_[A-Za-z0-9_]{20,8192}/g],
      ['gitlab-token', /gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent|oas)-[A-Za-z0-9_.-]{20,8192}/g],
      ['slack-webhook', /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9_/-]{10,8192})/g],
      ['huggingface-token', /hf_[A-Za-z0-9]{30,8192}/g],
      ['vault-token', /hv[sb]\.[A-Za-z0-9_-]{20,8192}/g],
      ['docker-token', /dckr_pat_[A-Za-z0-9_-]{20,8192}/g],
    ],
  ],
  [['xox', 'xapp-'], [['slack-token', /xox[a-z]-[A-Za-z0-9.-]{10,8192}|xapp-[A-Za-z0-9-]{10,8192}/g]]],
  [['AKIA', 'ASIA'], [['aws-access-key', /A(?:KI|SI)A[A-Z0-9]{16,8192}/g]]],
  [
    ['AIza', 'GOCSP', 'ya29', '1//0'],
    [
      [
        'google-key',
        /AIza[A-Za-z0-9_-]{35,8192}|GOCSPX-[A-Za-z0-9_-]{20,8192}|ya29\.[A-Za-z0-9_-]{20,8192}|1\/\/0[A-Za-z0-9_-]{30,8192}/g,
      ],
    ],
  ],
  [
    ['_live_', '_test_', /whsec_/],
    [['stripe-key', /[srp]k_(?:live|test)_[A-Za-z0-9]{10,8192}|whsec_[A-Za-z0-9+/=]{20,8192}/g]],
  ],
  [['SG.'], [['sendgrid-key', /SG\.[A-Za-z0-9_-]{16,8192}\.[A-Za-z0-9_-]{16,8192}/g]]],
  [['_v1_'], [['digitalocean-token', /do[opr]_v1_[a-f0-9]{40,8192}/g]]],
  [
    [/npm_|pypi-/],
    [
      ['npm-token', /npm_[A-Za-z0-9]{30,8192}/g],
      ['pypi-token', /pypi-[A-Za-z0-9_-]{20,8192}/g],
    ],
  ],
  [
    [/sk-/],
    [['api-key', /sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{10,8192}|(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,8192}/g]],
  ],
  [
    [/(?:bearer|basic)[ \t]/i],
    [
      [
        'authorization',
        /bearer[ \t]{1,64}([A-Za-z0-9_+-][A-Za-z0-9._~+/-]{15,8192}={0,2})|basic[ \t]{1,64}([A-Za-z0-9+/]{8,8192}={0,2})/gi,
      ],
    ],
  ],
  [
    [/authorization/i],
    [
      [
        'authorization-header',
        /authorization\\?["']?[ \t]{0,8}:[ \t]{0,8}\\?["']?(?:(?:token|api-?key|key|bot|negotiate|ssws|splunk)[ \t]{1,64}([a-z0-9_+-][a-z0-9._~+/=-]{7,8192})|([a-z0-9_+-]{16,8192}={0,2}))/gi,
      ],
    ],
  ],
  [
    [/[sn]id=/i],
    [['session-id', /(?:phpsessid|jsessionid|asp\.net_sessionid|connect\.sid)=([a-z0-9._%:+-]{8,8192})/gi]],
  ],
  [
    [/(?:ss(?:word|wd)|key|token|secret)=/i],
    [
      [
        'connection-string',
        /[?&;] ?(?:password|passwd|accountkey|sharedaccesskey|access_token|refresh_token|client_secret|api_?key)=([A-Za-z0-9+/]{40,8192}={0,2}|[^\s'"`;&|<>$(){}\\[\]?#/]{1,8192})/gi,
      ],
    ],
  ],
];

/** Goes on with a secret that reached its pattern's bound: it is longer than any known one, and hidden to its end. */
const rest = /[A-Za-z0-9._~+/=-]{1,8192}/y;
const bound = 8192;

/** `scheme://user:password@host`, up to the last `@`. Apart, since harmless URLs are everywhere. */
const userInfo = /:\/\/([^\s/?#'"`;&|<>$(){}\\[\]]{1,8192})@/g;

function hasHint(text: string, hints: readonly (string | RegExp)[]): boolean {
  return hints.some((hint) => (typeof hint === 'string' ? text.includes(hint) : hint.test(text)));
}

/** Words as long as a key, but with no digit in them, are names (`sk-loading-spinner-large`). */
function looksMade(kind: string, matched: string): boolean {
  if (kind === 'api-key') return /\d/.test(matched);
  if (kind === 'authorization') return /[\d=]|[a-z][A-Z]/.test(matched);
  // A word or a name there is code or prose about the header.
  if (kind === 'authorization-header') return /\d/.test(matched);
  return true;
}

/** Every stretch of the text that has the shape of a credential, unordered, possibly overlapping. Never throws. */
export function findCredentials(text: string): readonly Span[] {
  if (text.length < 8) return [];
  const spans: Span[] = text.includes('://') ? findUserInfo(text) : [];
  for (const [hints, patterns] of shapes) {
    if (!hasHint(text, hints)) continue;
    for (const [kind, pattern] of patterns) collect(text, kind, pattern, spans);
  }
  if (!text.includes('BEGIN') && !/\.eyJ/.test(text)) return spans;
  return [...spans, ...findJwts(text), ...findPemBodies(text)];
}

function collect(text: string, kind: string, pattern: RegExp, spans: Span[]): void {
  // `search` is several times cheaper than `matchAll` where there is nothing to find, which is the rule.
  if (text.search(pattern) === -1) return;
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index < done) continue;
    const secret = match[1] ?? match[2] ?? match[0];
    done = match.index + match[0].length;
    const start = done - secret.length;
    if (!looksMade(kind, secret)) continue;
    if (secret.length >= bound) done = endOfRest(text, done);
    spans.push({ start, end: done, kind });
  }
}

function endOfRest(text: string, from: number): number {
  const pattern = new RegExp(rest);
  pattern.lastIndex = from;
  let end = from;
  while (pattern.test(text)) end = pattern.lastIndex;
  return end;
}

/** The password, and a user's name that looks like a token (`https://token@host`); plain names (`git@`) stay. */
function findUserInfo(text: string): Span[] {
  const spans: Span[] = [];
  for (const { index, 1: found = '' } of text.matchAll(userInfo)) {
    const start = index + '://'.length;
    const colon = found.indexOf(':');
    const user = colon === -1 ? found : found.slice(0, colon);
    if (isTokenName(user)) spans.push({ start, end: start + user.length, kind: 'url-token' });
    if (colon === -1 || colon === found.length - 1) continue;
    spans.push({ start: start + colon + 1, end: start + found.length, kind: 'url-password' });
  }
  return spans;
}

/** Long, with digits, and in one piece: names have separators, or no digits. */
function isTokenName(user: string): boolean {
  return /[A-Za-z0-9]{16,8192}/.test(user) && /\d/.test(user) && /[A-Za-z]/.test(user);
}
