/** Printable ASCII and Latin letters; everything else could break a line, reorder it, or look like something else. */
const plain = /^[\u0020-\u007e\p{Script=Latin}]+$/u;

/** A path of a repository as it may stand in a message: as it is when it is harmless, else quoted and escaped. */
export function shownPath(path: string): string {
  if (plain.test(path) && path === path.trim()) return path;
  return JSON.stringify(path).replaceAll(
    /[^\u0020-\u007e]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
