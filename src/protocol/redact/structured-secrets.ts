import type { Span } from './value-patterns.ts';

const minPart = 8;

/**
 * JSON web tokens: `eyJ….eyJ….signature`. By hand, from the dot before the payload: a pattern that starts at every
 * `eyJ` would be quadratic on `eyJeyJeyJ…`, and one without a bound overflows the engine's stack.
 */
export function findJwts(text: string): Span[] {
  const spans: Span[] = [];
  let next = 0;
  for (let dot = text.indexOf('.eyJ'); dot !== -1; dot = text.indexOf('.eyJ', next)) {
    const payloadEnd = endOfBase64Url(text, dot + 1);
    next = payloadEnd;
    if (payloadEnd - dot - '.eyJ'.length < minPart) continue;
    let from = dot;
    while (from > 0 && isBase64Url(text.charCodeAt(from - 1))) from -= 1;
    const start = text.indexOf('eyJ', from);
    if (dot - start < minPart) continue;
    next = text.startsWith('.', payloadEnd) ? endOfBase64Url(text, payloadEnd + 1) : payloadEnd;
    spans.push({ start, end: next, kind: 'jwt' });
  }
  return spans;
}

function endOfBase64Url(text: string, from: number): number {
  let end = from;
  while (end < text.length && isBase64Url(text.charCodeAt(end))) end += 1;
  return end;
}

function isBase64Url(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x5f
  );
}

/** A line break, also as the two characters `\n` of JSON inside of text. */
const pemBreak = String.raw`(?:\\r\\n|\\n|\r?\n|[ \t])`;
const pemStart = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const pemHeader = new RegExp(
  `(?:${pemBreak}|(?:Proc-Type|DEK-Info|Version|Comment): [A-Za-z0-9,.-]{1,80}${pemBreak}){1,64}`,
  'y',
);
const pemBreaks = new RegExp(`${pemBreak}{1,64}`, 'y');
const pemLine = /[A-Za-z0-9+/]{1,8192}={0,2}/y;
const minPemLength = 32;

/**
 * The base64 between the lines of a PEM private key, also when its end is missing. Only real base64 counts: equal
 * lines but for the last, with capitals, small letters and digits. Anything else stays visible, since a pair of
 * BEGIN and END lines must not be able to hide a command.
 */
export function findPemBodies(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: line, index } of text.matchAll(pemStart)) {
    const from = index + line.length;
    const start = endOfAll(pemHeader, text, from);
    const end = endOfBase64(text, start);
    if (end !== undefined) spans.push({ start, end, kind: 'private-key' });
  }
  return spans;
}

function endOfBase64(text: string, start: number): number | undefined {
  const pattern = new RegExp(pemLine);
  let end = start;
  let width: number | undefined;
  for (let at = start; ;) {
    pattern.lastIndex = at;
    const line = pattern.exec(text)?.[0];
    if (line === undefined || line.length > (width ??= line.length)) break;
    const next = endOfAll(pemBreaks, text, at + line.length);
    const isLast = line.length < width || line.endsWith('=');
    // A short line is the last of a key only where the key ends: else it is the first word of a command.
    if (isLast && !endsHere(text, next)) break;
    end = at + line.length;
    if (isLast) break;
    at = next;
  }
  const body = text.slice(start, end);
  const real = body.length >= minPemLength && /[A-Z]/.test(body) && /[a-z]/.test(body) && /\d/.test(body);
  return real && (width ?? 0) >= minPemLength / 2 ? end : undefined;
}

function endsHere(text: string, at: number): boolean {
  return at === text.length || text.startsWith('-----', at) || text.charAt(at) === '"' || text.startsWith('=', at);
}

/** Where a bounded pattern, put behind itself as often as it fits, ends. */
function endOfAll(pattern: RegExp, text: string, from: number): number {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = from;
  let end = from;
  while (sticky.test(text)) end = sticky.lastIndex;
  return end;
}
