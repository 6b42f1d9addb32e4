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
