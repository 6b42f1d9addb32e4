import type { Finding } from '../protocol/index.ts';
import type { Difference } from './compare.ts';
import type { VectorResult } from './result.ts';
import { oneLine, visible } from './shown-json.ts';

const maxLines = 200;

/** A difference for people, on lines of its own; safe to print. */
export function differenceLines({ what, expected, actual, lines = [] }: Difference): readonly string[] {
  const more = lines.length - maxLines;
  return [
    `${what}: expected ${expected}, got ${actual}`,
    ...lines.slice(0, maxLines).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more lines`] : []),
  ];
}

/** What is wrong with a vector, for people; empty when nothing is. */
export function vectorText({ differences, findings }: VectorResult): string {
  return [
    ...findings.map((finding) => findingText(finding)),
    ...differences.flatMap((difference) => differenceLines(difference)),
  ].join('\n');
}

function findingText({ file, line, column, message }: Finding): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return place === '' ? oneLine(message) : `${visible(place)}: ${oneLine(message)}`;
}
