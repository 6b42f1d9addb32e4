import type { JsonLayout, JsonValue } from '../protocol/index.ts';
import { layOut, stringifyJson } from '../protocol/index.ts';

/** What JSON leaves as it is and a terminal or a reader is fooled by: C1 controls, bidirectional and invisible marks. */
const unseen = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu;

/** Text with everything unseen as an escape, so that two texts which differ also look different. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** A text in quotes, on one line. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

/** Words of a message on one line. */
export function oneLine(text: string): string {
  return unquoted(text.trim().replaceAll('\n', ' '));
}

/** A text without quotes, everything in it that would not print as it is escaped. */
export function unquoted(text: string): string {
  return quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}

export function layOutValue(value: JsonValue, layout?: JsonLayout): string {
  return layOut(stringifyJson(value), layout);
}
