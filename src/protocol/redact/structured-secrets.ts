import type { Span } from './value-patterns.ts';

const minPart = 8;

/**
 * JSON web tokens: `eyJ….eyJ….signature`. Found from the dot before the payload, and the header looked for backwards:
 * a pattern that starts at every `eyJ` would be quadratic on `eyJeyJeyJ…`.
 */
export function findJwts(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: tail, index } of text.matchAll(/\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g)) {
    let start = index;
    while (start > 0 && isBase64Url(text.charCodeAt(start - 1))) start -= 1;
    const header = text.slice(start, index).indexOf('eyJ');
    if (header === -1 || index - start - header < minPart) continue;
    spans.push({ start: start + header, end: index + tail.length, kind: 'jwt' });
  }
  return spans;
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
  `(?:${pemBreak}|(?:Proc-Type|DEK-Info|Version|Comment): [A-Za-z0-9,.-]{1,80}${pemBreak})*`,
  'y',
);
const pemLine = new RegExp(`([A-Za-z0-9+/]{1,8192}={0,2})${pemBreak}*`, 'y');
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
    const start = from + lengthAt(pemHeader, text, from);
    const end = endOfBase64(text, start);
    if (end !== undefined) spans.push({ start, end, kind: 'private-key' });
  }
  return spans;
}

function endOfBase64(text: string, start: number): number | undefined {
  const pattern = new RegExp(pemLine);
  let end = start;
  let width: number | undefined;
  for (let at = start; ; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const line = pattern.exec(text)?.[1];
    if (line === undefined || line.length > (width ??= line.length)) break;
    const isLast = line.length < width || line.endsWith('=');
    // A short line is the last of a key only where the key ends: else it is the first word of a command.
    if (isLast && !endsHere(text, pattern.lastIndex)) break;
    end = at + line.length;
    if (isLast) break;
  }
  const body = text.slice(start, end);
  const real = body.length >= minPemLength && /[A-Z]/.test(body) && /[a-z]/.test(body) && /\d/.test(body);
  return real && (width ?? 0) >= minPemLength / 2 ? end : undefined;
}

function endsHere(text: string, at: number): boolean {
  return at === text.length || text.startsWith('-----', at) || text.charAt(at) === '"' || text.startsWith('=', at);
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0].length ?? 0;
}
