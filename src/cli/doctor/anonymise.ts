/** What must not stand in a report that is made public. */
export interface Identity {
  /** Home directories, e.g. `/home/ada`. */
  readonly homes: readonly string[];
  readonly users: readonly string[];
  readonly hosts: readonly string[];
}

/** Shorter names are parts of too many words. */
const minNameLength = 2;

/**
 * Takes user names, home directories and host names out of a text; other people's homes as well. Names are replaced where
 * they stand as words of their own.
 */
export function anonymise(text: string, { homes, users, hosts }: Identity): string {
  let clean = text;
  // Longer ones first, so that none leaves the end of another behind.
  for (const home of homes.filter((path) => path !== '/').toSorted((one, other) => other.length - one.length))
    clean = clean.replaceAll(new RegExp(`${escaped(home)}(?=[/\\s"':,;)]|$)`, 'gu'), '~');
  clean = clean.replaceAll(/\/(home|Users)\/[^/\s"':,;)]+/gu, '/$1/<user>');
  for (const host of names(hosts)) clean = replaceWord(clean, host, '<host>');
  for (const user of names(users)) clean = replaceWord(clean, user, '<user>');
  return clean;
}

function names(list: readonly string[]): readonly string[] {
  // Everybody's machine has these: they tell nothing, and stand in many sentences.
  const common = new Set(['root', 'nobody', 'localhost', 'user', 'node']);
  return list
    .filter((name) => name.length >= minNameLength && !common.has(name))
    .toSorted((one, other) => other.length - one.length);
}

function replaceWord(text: string, word: string, by: string): string {
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(word)}(?![\\p{L}\\p{N}_])`, 'giu'), by);
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}
