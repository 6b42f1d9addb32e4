import { posix } from 'node:path';

/** A word of a shell line, as the shell would hand it on. */
export interface ShellWord {
  /** Where a part is known only while the line runs, that part is left out. */
  readonly text: string;
  /** Whether the text is all of it, and every time the same. */
  readonly isKnown: boolean;
}

/** One simple command of a line. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Where redirections lead. */
  readonly targets: readonly ShellWord[];
  /** Where it may run, relative to the project; `undefined` when only the running line knows. */
  readonly directories: readonly string[] | undefined;
}

interface Draft {
  text: string;
  isKnown: boolean;
  /** Whether nothing of it was quoted: only then it may be a keyword. */
  isBare: boolean;
}

const shared =
  /(?<sum>\$\(\((?:[^()`'"$]|\$\w)*\)\))|(?<inner>\$\(|`)|\$(?:(?<plain>[A-Za-z_]\w*)|\{(?<braced>[A-Za-z_]\w*)\})|(?<open>\$\{[\w@*#?!-]*|\$[\w@*#?!$'-]?)|\\(?<escaped>[\s\S])|(?<double>")/u
    .source;
const bare =
  /'(?<single>[^']*)'|(?<comment>(?<![^\s;&|()])#[^\n]*)|(?<redirection>[<>][<>&|]*)|(?<operator>;;&?|;&|\|[|&]?|&&?|[;\n()])|(?<space>[ \t\r]+)|[^\s'"\\$`|&;<>()]+|[\s\S]/u
    .source;
const quoted = /[^"\\$`]+|[\s\S]/u.source;
const keywords = /^(?:if|then|elif|else|fi|while|until|do|done|for|select|case|esac|function|coproc|time|!|\{|\})$/u;
/** Braces, patterns and `~` become other words, and which ones may change while a hook waits for its next event. */
const changing = /[*?{}]|^~|^.*\[.+|.\[/u;

/**
 * The simple commands of a shell line, those in substitutions and compound commands as well. It is no shell, and never
 * guesses: a word is known when it is literal, or a variable that the line sets once, by itself, before everything
 * compound. Pure.
 * @example
 * shellCommands('d=lib; cd "$d" && ./a\\.sh') // … words ['./a.sh'], directories ['.', 'lib']
 */
export function shellCommands(line: string): readonly ShellCommand[] {
  const tokens = { bare: new RegExp(`${shared}|${bare}`, 'uy'), quoted: new RegExp(`${shared}|${quoted}`, 'uy') };
  let at = 0;
  const commands: ShellCommand[] = [];
  const variables = new Map<string, string>();
  let directories: readonly string[] | undefined = ['.'];
  /** Whether all so far runs once, in this shell, and in this order. */
  let isStraight = true;

  const variable = (name: string, word: Draft, isQuoted: boolean): void => {
    // The directory that relative words count from anyway.
    const value = name === 'PWD' && word.text === '' && !setsElsewhere(line, name, 0) ? '.' : variables.get(name);
    // Without quotes the shell takes it apart once more.
    const isKnown = value !== undefined && (isQuoted || /^[\w./:,+@%-]+$/u.test(value));
    if (isKnown) word.text += value;
    else word.isKnown = false;
  };

  /** Reads up to the end of the line, or of the substitution that `end` closes. */
  const read = (end: string): void => {
    let words: Draft[] = [];
    let targets: Draft[] = [];
    let word: Draft | undefined;
    let [isQuoted, isTarget, isPattern] = [false, false, false];
    let depth = 0;
    let before = ';';

    const draft = (): Draft => (word ??= { text: '', isKnown: true, isBare: true });
    const endWord = (): void => {
      if (word === undefined) return;
      (isTarget ? targets : words).push(word);
      word = undefined;
      isTarget = false;
    };
    const endCommand = (operator: string): void => {
      endWord();
      const first = words[0];
      if (isPattern && first?.text !== 'esac' && /^[)|\n]$/u.test(operator)) {
        isPattern = operator !== ')';
        [words, targets] = [[], []];
        return;
      }
      const start = words.findIndex((one) => !one.isBare || !keywords.test(one.text));
      const isCompound = (first !== undefined && start !== 0) || /[()]/u.test(operator) || end !== '';
      if (isCompound) isStraight = false;
      const isCase = words.some(({ text, isBare }, index) => isBare && text === 'case' && (index < start || start < 0));
      const isList = isCase || words.some(({ text }, index) => index < start && /^(?:for|select)$/u.test(text));
      isPattern = operator.startsWith(';;') || operator === ';&' || (isCase && operator !== ')');
      // What `for` and `case` go through is data.
      const own = start < 0 || isList ? [] : words.slice(start);
      // Its `)` was taken for the end of the substitution.
      if (isCase && end !== '') own.push({ text: 'case', isKnown: false, isBare: false });
      if (isList) targets.push(...words.slice(start));
      if (own.length > 0 || targets.length > 0) commands.push({ words: own, targets, directories });
      if (isStraight && /^[;\n]$/u.test(before) && !/^[|&]$/u.test(operator)) assign(own);
      if (own[0]?.text === 'cd') directories = isStraight ? spread(directories, own.slice(1)) : undefined;
      [words, targets] = [[], []];
      before = operator;
    };
    const assign = (own: readonly Draft[]): void => {
      const set = own.map(({ text }) => /^([A-Za-z_]\w*)=([\s\S]*)$/u.exec(text));
      for (const [index, match] of set.entries()) {
        const [, name = '', value = ''] = match ?? [];
        const isOnly = !set.includes(null) && own[index]?.isKnown === true && !setsElsewhere(line, name, 1);
        if (isOnly) variables.set(name, value);
      }
    };

    while (at < line.length) {
      const regex = isQuoted ? tokens.quoted : tokens.bare;
      regex.lastIndex = at;
      const { 0: part = '', groups = {} } = regex.exec(line) ?? {};
      at += part.length;
      const { sum, inner, plain, braced, open, escaped, double, single, comment, redirection, operator, space } =
        groups;
      const name = plain ?? braced;
      if (comment !== undefined) continue;
      if (inner !== undefined && inner !== end) {
        draft().isKnown = false;
        read(inner === '`' ? '`' : ')');
      } else if (name !== undefined) variable(name, draft(), isQuoted);
      else if (open !== undefined || sum !== undefined) draft().isKnown = false;
      else if (double !== undefined) {
        isQuoted = !isQuoted;
        draft().isBare = false;
      } else if (isQuoted) {
        const isEscape = escaped !== undefined && /["\\`$\n]/u.test(escaped);
        draft().text += isEscape ? escaped.replace('\n', '') : part;
      } else if (single !== undefined || escaped !== undefined) {
        if (escaped === '\n') continue;
        // Within backquotes an escaped `$` or backquote is none any more.
        if (escaped !== undefined && end === '`') draft().isKnown = false;
        draft().text += single ?? escaped;
        draft().isBare = false;
      } else if (part === end && depth === 0) break;
      else if (redirection !== undefined) {
        if (/^\d+$/u.test(word?.text ?? '')) word = undefined;
        endWord();
        isTarget = true;
        // Its text would be read as commands, so the line is not understood.
        if (redirection.startsWith('<<')) words.push({ text: '<<', isKnown: false, isBare: false });
      } else if (operator !== undefined) {
        // A pattern's `)` closes nothing.
        if (operator === '(') depth += 1;
        else if (operator === ')' && depth > 0) depth -= 1;
        endCommand(operator);
      } else if (space !== undefined) endWord();
      else {
        if (changing.test(part) && !/^(?:\{|\}|\[\[?)$/u.test(part)) draft().isKnown = false;
        draft().text += part;
      }
    }
    endCommand('');
  };
  read('');
  return commands;
}

/** After a `cd` that may have failed, or not have been reached. */
function spread(directories: readonly string[] | undefined, [to, ...more]: readonly ShellWord[]): typeof directories {
  const isPlain = to?.isKnown === true && more.length === 0 && !/^[-/]|\.\./u.test(to.text);
  if (!isPlain || directories === undefined || directories.length > 32) return undefined;
  return [...directories, ...directories.map((directory) => posix.join(directory, to.text))];
}

/** Whether a name stands in the line, without a `$`, more often than that: it could be set by `read`, `for`, a second time. */
function setsElsewhere(line: string, name: string, times: number): boolean {
  return [...line.matchAll(/(?<!\$|\$\{)\b[A-Za-z_]\w*/gu)].filter(([found]) => found === name).length > times;
}
