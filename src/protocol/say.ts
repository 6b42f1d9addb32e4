import { maxSaidCharacters } from './limits.ts';

/**
 * Terminal control strings (title, hyperlink, device control) that are properly ended, whole. None spans another's opening: a text of
 * openings alone would be searched to its end once for each.
 */
const controlStrings =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f\n]*(?:\u0007|\u001b\\|\u009c)/g;
/** Colour, cursor and other short sequences. */
const sequences = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g;
/** What is left: controls but tab and newline, bidirectional controls, invisible tags and marks. */
const invisible =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Printable ASCII, newlines and tabs: nothing to clean, as in nearly every text. */
const clean = /^[\t\n\u0020-\u007e]*$/u;

/**
 * Text of a handler as it may be printed for people: without escape sequences, control characters, bidirectional
 * overrides and invisible tags; newlines and tabs stay.
 */
export function cleanForPeople(text: string): string {
  if (clean.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(controlStrings, '')
    .replaceAll(sequences, '')
    .replaceAll(invisible, '');
}

/**
 * Cuts text to `max` UTF-16 code units, a note on its whole length included; never inside a surrogate pair.
 * Text that fits comes back unchanged, so `cutText(text) !== text` says that it was cut.
 */
export function cutText(text: string, max: number = maxSaidCharacters): string {
  if (text.length <= max) return text;
  const note = `… [cut: ${text.length} characters]`;
  let end = Math.max(0, max - note.length);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return (text.slice(0, end) + note).slice(0, Math.max(0, max));
}

/** Like `cutText`, but keeps the end: the last lines of stderr are those that say why. */
export function cutStart(text: string, max: number = maxSaidCharacters): string {
  if (text.length <= max) return text;
  const note = `[cut: ${text.length} characters] …`;
  let start = text.length - Math.max(0, max - note.length);
  const first = text.charCodeAt(start);
  if (first >= 0xdc00 && first <= 0xdfff) start += 1;
  return (note + text.slice(start)).slice(0, Math.max(0, max));
}
