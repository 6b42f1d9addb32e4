import type { Restriction } from './restriction-words.ts';
import { RestrictionScan } from './restriction-scan.ts';
import { restrictionSpokenOf, stricterAction } from './restriction-words.ts';
import { strictness } from './merge.ts';
import { undressedText } from './undressed-text.ts';

/** How often an answer may have been encoded as a string. */
const maxLayers = 4;

/**
 * Looks for the strictest restriction in text that is no valid answer: noise around it, duplicate keys, several
 * documents, a cut end, single quotes, other hosts' shapes, other spellings, colours, one layer of encoding too many.
 *
 * What stands where a decision may stand counts as it was said. A restriction at any other place of the answer, and in
 * text whose quotes and braces do not add up, counts as `deny` at most: nobody can tell what it was meant for, and an
 * answer that shows a sign of a restriction must never become an allow. Only the `data` of a `modify` is left alone,
 * where `"action": "stop"` is a tool's own word. Linear; never finds an allow.
 */
export function recogniseRestriction(text: string): Restriction | undefined {
  const { best, unclear } = scanLayers(text);
  if (unclear === undefined || (best !== undefined && strictness(best.action) >= strictness(unclear))) return best;
  return { action: unclear };
}

/** The same for an answer that repeats the event: what an event's data says is nobody's decision. */
export function recogniseRestrictionBesideEcho(text: string): Restriction | undefined {
  return scanLayers(text).best;
}

interface Found {
  readonly best: Restriction | undefined;
  /** Something restricts, and it is not clear what. */
  readonly unclear: 'deny' | 'defer' | 'ask' | undefined;
}

/** Layer by layer: first the text, then everything in it that was encoded as a string, and so on. */
function scanLayers(text: string): Found {
  let best: Restriction | undefined;
  let unclear: Restriction['action'] | undefined;
  // UTF-16 and UTF-32 without a byte order mark are valid UTF-8 that is full of NUL.
  for (let layer = 0, at = text.replaceAll('\0', ''); at !== '' && layer <= maxLayers; layer += 1) {
    const encoded = new Set<string>();
    for (const reading of new Set([at, undressedText(at)])) {
      const scan = new RestrictionScan(reading);
      scan.run();
      best = stricter(best, scan.best);
      unclear = stricterAction(unclear, scan.elsewhere);
      const unknown = scan.broken || layer === maxLayers ? reading : scan.noise;
      unclear = stricterAction(unclear, restrictionSpokenOf(unknown));
      for (const inner of [...scan.encoded, ...encodedLines(reading)]) encoded.add(inner);
    }
    at = [...encoded].join('\n');
  }
  return { best, unclear: unclear === 'stop' ? 'deny' : unclear };
}

/** Lines that are a string of JSON: an answer that was encoded twice. */
function encodedLines(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed.length < 2 || !trimmed.startsWith('"') || !trimmed.endsWith('"')) return [];
    try {
      const value: unknown = JSON.parse(trimmed);
      return typeof value === 'string' ? [value] : [];
    } catch {
      return [];
    }
  });
}

function stricter(one: Restriction | undefined, other: Restriction | undefined): Restriction | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return strictness(other.action) > strictness(one.action) ? other : one;
}
