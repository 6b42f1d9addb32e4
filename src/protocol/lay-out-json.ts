import { format } from 'jsonc-parser';

export interface JsonLayout {
  /** One level of it. */
  readonly indent: string;
  readonly eol: string;
}

/** JSON over several lines; numbers keep their digits. */
export function layOut(text: string, { indent, eol }: JsonLayout = { indent: '  ', eol: '\n' }): string {
  const insertSpaces = !indent.includes('\t');
  const edits = format(text, undefined, { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol });
  let laidOut = '';
  let end = 0;
  for (const { offset, length, content } of edits) {
    laidOut += text.slice(end, offset) + content;
    end = offset + length;
  }
  return laidOut + text.slice(end);
}
