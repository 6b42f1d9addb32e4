/**
 * A glob: `*` is any run of characters, everything else is itself. The pieces between stars are looked for from left to
 * right, so a hostile pattern and a hostile name cost their product at most; a regular expression with as many stars
 * would not come back.
 */
export function compileGlob(pattern: string): (name: string) => boolean {
  const pieces = pattern.split('*');
  const first = pieces.shift() ?? '';
  const last = pieces.pop();
  if (last === undefined) return (name) => name === first;
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let from = first.length;
    const end = name.length - last.length;
    for (const piece of pieces) {
      const at = name.indexOf(piece, from);
      if (at === -1 || at + piece.length > end) return false;
      from = at + piece.length;
    }
    return true;
  };
}

/**
 * Whether a text is what a glob says, as a pack's matcher compares it: `*` is any run of characters, `/` included,
 * everything else is itself, and capitals do not matter. Pure; linear in the text for a given pattern. It looks at the
 * text alone: what a path leads to, links and `..` are for the caller.
 *
 * @example
 * matchGlob('*.env', 'config/.ENV'); // true
 */
export function matchGlob(pattern: string, text: string): boolean {
  return compileGlob(withoutCase(pattern))(withoutCase(text));
}

/** Upper case last: a letter has several lower ones in some places (ς and σ). */
function withoutCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}
