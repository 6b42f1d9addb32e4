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
