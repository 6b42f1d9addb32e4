/** Longer than any host's names. Composed letters are taken apart below, at a cost that grows with the square of their marks. */
const maxNameLength = 1_024;
/** Printable ASCII without white space: reads in one way only. */
const plain = /^[!-~]+$/u;
/** Not seen: control and format characters, and all that a reader is to ignore. */
const unseen = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}]/gu;

/**
 * The ways to read the name of a tool or a step, without regard to case: as it is, and as the eye reads it, without unseen
 * characters and white space around it, and with plain letters for full-width and other forms of the same. Two names are
 * taken as the same when any of their readings are: hosts spell the same tool `write` and `Write`, what they take for it
 * is theirs, and a guard that misses one is open.
 *
 * Empty when a name cannot be told from another: it shows nothing, it is no text (a lone surrogate), it is too long.
 */
export function readingsOf(name: string): readonly string[] {
  if (name.length > maxNameLength) return [];
  const asItIs = foldCase(name);
  if (plain.test(name)) return [asItIs];
  if (/\p{Surrogate}/u.test(name)) return [];
  const asSeen = foldCase(name.replaceAll(unseen, '').normalize('NFKD')).trim();
  if (asSeen === '') return [];
  return asSeen === asItIs ? [asItIs] : [asItIs, asSeen];
}

/** Upper case last: a letter has several lower ones in some places (ς and σ), which a glob would cut apart. */
function foldCase(name: string): string {
  return name.toLowerCase().toUpperCase();
}
