/** What Node.js and its kin add to a name that is no file. */
const endings = ['.js', '.cjs', '.mjs', '.json', '.node', '.ts', '.cts', '.mts', '.tsx', '.py'];
/** What is run of a directory. */
const entries =
  'package.json index.js index.json index.node index.cjs index.mjs index.ts __init__.py __main__.py'.split(' ');

/**
 * The names that an interpreter tries for a word: `node check` runs `check.js`, `node tool` what `tool/package.json` says,
 * `python3 -m checks.guard` runs `checks/guard.py`. Which one it would be is not asked: all that are there count. Pure.
 */
export function impliedNames(word: string): readonly string[] {
  // `-mchecks` is `-m checks`.
  const names = /^-[a-z]/iu.test(word) ? [word.slice(2)] : [word];
  if (/^[\w.]*\w\.\w[\w.]*$/u.test(word)) names.push(word.replaceAll('.', '/'));
  return names.flatMap((name) =>
    name === '' ? [] : [...endings.map((ending) => name + ending), ...entries.map((entry) => `${name}/${entry}`)],
  );
}

/** What a `package.json` says is run of its directory, relative to it. */
export function mainOf(packageText: string): string | undefined {
  try {
    const { main }: { readonly main?: unknown } = Object(JSON.parse(packageText));
    return typeof main === 'string' ? main : undefined;
  } catch {
    return undefined;
  }
}
