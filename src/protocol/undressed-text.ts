/**
 * Terminal sequences: CSI (colours), OSC and its kin up to their end, character sets (`tput sgr0` prints one). Each match
 * starts at an ESC (or C1 CSI) and crosses no other one, so that the search is linear.
 */
const terminalSequence =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]+[0-~]|\u001b[78=>]/gu;

/** Letters and the colon in another dress: full width, circled, mathematical. One by one: whole texts do not normalise linearly. */
const dressedCharacter = /[\uff1a\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\u{1d400}-\u{1d7ff}]/gu;

const named: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };
const htmlReference = /&(?:(quot|apos|amp|lt|gt)|#(\d{1,6})|#x([\da-f]{1,5}));/giu;
const percentEncoded = /%([2-7][\da-f])/giu;

/** The text without terminal sequences. */
export function withoutTerminalSequences(text: string): string {
  return text.replaceAll(terminalSequence, '');
}

/**
 * What a person would read in text that was coloured, escaped for HTML or a URL, or written in dressed letters or with
 * invisible ones between. Only for looking for words: it may read structure into what was a value. Linear.
 */
export function undressedText(text: string): string {
  return (
    withoutTerminalSequences(text)
      .replaceAll(/(?![\t\n\r])[\p{Cf}\p{Cc}]/gu, '')
      .replaceAll(dressedCharacter, (character) => character.normalize('NFKC'))
      .split('\n')
      // A line with quotes of its own was not escaped: what is escaped in it is a value.
      .map((line) => (line.includes('"') ? line : unescaped(line)))
      .join('\n')
  );
}

function unescaped(line: string): string {
  return line
    .replaceAll(htmlReference, (_, name?: string, decimal?: string, hexadecimal?: string) =>
      name === undefined
        ? String.fromCodePoint(decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal))
        : (named[name.toLowerCase()] ?? ''),
    )
    .replaceAll(percentEncoded, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));
}
