const shownLength = 60;

/** Text as it may stand in a message: printable ASCII, everything else escaped, quoted, at most ~60 characters of it. */
export function showText(text: string): string {
  const start = text.slice(0, shownLength);
  const escaped = JSON.stringify(start).replaceAll(
    /[\u007f-\uffff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length > shownLength ? `${escaped}…` : escaped;
}

/** Bytes as they may stand in a message: printable ASCII as it is, every other byte as `\xNN`, at most 60 bytes. */
export function showBytes(bytes: Uint8Array): string {
  let shown = '';
  for (const byte of bytes.subarray(0, shownLength)) {
    const printable = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    shown += printable ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${shown}"${bytes.length > shownLength ? '…' : ''}`;
}

/** Printable ASCII and Latin letters; everything else could break a line, reorder it, or look like something else. */
const plainPath = /^(?:[^\P{ASCII}\0-\u001f\u007f"\\]|\p{Script=Latin})+$/u;

/** A path of a repository as it may stand in a message: as it is when it is harmless, else quoted and escaped. */
export function shownPath(path: string): string {
  if (plainPath.test(path) && path === path.trim()) return path;
  return JSON.stringify(path).replaceAll(/[^\u0020-\u007e]/gu, writtenOut);
}

/** What is not seen, or changes how the text around it is seen; a joined letter and white space but the space included. */
const unseen =
  /[\0-\u0008\u000b-\u001f\u007f-\u00a0\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Surrogate}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/** A text with everything unseen written out, so that two texts which differ look different; tabs and newlines stay. */
export function visibleText(text: string): string {
  return text.replaceAll(unseen, writtenOut);
}

function writtenOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
