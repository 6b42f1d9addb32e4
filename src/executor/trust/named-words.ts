/** What a shell reads as more than a part of a word; quotes, assignments and options with a value end one, too. */
const separators = /[\s"'`$&|;<>()*?[\]{}~#\\=!,]+/;
const quoted = /"([^"]*)"|'([^']*)'/g;

/**
 * The words of a command that may name files: each argument as it is, and what is left of it when a shell's language, quotes
 * and `--option=` are taken away. Too many rather than too few: words that name no file of the project are dropped later.
 * Pure.
 * @example
 * namedWords('"$ROOT"/hooks/a.sh --rules=rules.txt') // [… '/hooks/a.sh', '--rules', 'rules.txt']
 */
export function namedWords(command: string | readonly string[], args: readonly string[] = []): readonly string[] {
  const words = new Set<string>();
  for (const argument of [...(typeof command === 'string' ? [command] : command), ...args]) {
    words.add(argument);
    for (const [, double, single] of argument.matchAll(quoted)) words.add(double ?? single ?? '');
    for (const word of argument.split(separators)) words.add(word);
  }
  words.delete('');
  return [...words];
}
