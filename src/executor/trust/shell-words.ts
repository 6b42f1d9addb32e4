import { posix } from 'node:path';

/** A word of a shell line, as the shell would hand it on. */
export interface ShellWord {
  /** Where a part is known only while the line runs, that part is left out. */
  readonly text: string;
  readonly isKnown: boolean;
  /** Whether `*`, `?` or `[` stand in it unquoted. */
  readonly isGlob: boolean;
}

/** One simple command of a line. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Where it runs, relative to the project; `undefined` when only the running line knows. */
  readonly directory: string | undefined;
  /** Whether it reads what another command writes, or a here-document. */
  readonly isFed: boolean;
}

/** A part of a line: quoted text, an escape, a substitution, a variable, a comment, an operator, white space, text. */
const token =
  /'(?<single>[^']*)'|(?<double>"(?:\\[\s\S]|[^"\\])*")|\\(?<escaped>[\s\S])|(?<inner>\$\(|`)|\$\{?(?<name>\w+)\}?|(?<other>\$)|(?<operator><<<?|\|\|?|&&?|[;\n()]|\d*[<>]&?\d*)|(?<space>[ \t]+)|(?<text>[^\s'"\\$`|&;()<>]+|[\s\S])/gu;

interface Draft {
  text: string;
  isKnown: boolean;
  isGlob: boolean;
}

/**
 * The commands of a shell line: words unescaped and joined, variables that the line sets put in, `cd` followed. It is no
 * shell: what it does not understand is not known, and never guessed. Pure.
 * @example
 * shellCommands('d=lib; cd "$d" && ./a\\.sh') // … directory 'lib', words ['./a.sh']
 */
export function shellCommands(line: string): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  const variables = new Map<string, string | undefined>();
  let directory: string | undefined = '.';
  let words: Draft[] = [];
  let word: Draft | undefined;
  let isFed = false;
  let isHere = false;

  const draft = (): Draft => (word ??= { text: '', isKnown: true, isGlob: false });
  const endWord = (): void => {
    if (word === undefined) return;
    if (isHere) {
      // The text of a here-string or the end of a here-document is no argument.
      word = undefined;
      isHere = false;
      return;
    }
    const [, name, value] = (words.length === 0 ? /^(\w+)=([\s\S]*)$/u.exec(word.text) : null) ?? [];
    if (name === undefined) words.push(word);
    // A second value would depend on which of them ran.
    else variables.set(name, word.isKnown && !variables.has(name) ? value : undefined);
    word = undefined;
  };
  const endCommand = (operator: string): void => {
    endWord();
    const [program, ...rest] = words;
    if (program !== undefined) commands.push({ words, directory, isFed });
    if (program?.text === 'cd' || program?.text === 'pushd') {
      const to = rest.find(({ text }) => text !== '--');
      const isPlain = to?.isKnown === true && !to.isGlob && !to.text.startsWith('/') && !/^[-~]/u.test(to.text);
      directory = isPlain && directory !== undefined ? posix.join(directory, to.text) : undefined;
    }
    words = [];
    isFed = operator === '|';
  };
  const variable = (name: string): void => {
    const value = variables.get(name);
    const current = draft();
    // What the host sets is left out; what the line itself makes unclear is not.
    current.text += value ?? (variables.has(name) ? '$…' : '');
    current.isKnown &&= value !== undefined;
  };
  const quoted = (text: string): void => {
    for (const [part, , escaped, name] of text.matchAll(/(\\([$`"\\\n]))|\$\{?(\w+)\}?|[\s\S]/gu)) {
      if (name !== undefined) variable(name);
      else if (escaped !== undefined) draft().text += escaped === '\n' ? '' : escaped;
      else if (part === '$' || part === '`') draft().isKnown = false;
      else draft().text += part;
    }
    draft();
  };

  for (const { groups = {} } of line.matchAll(token)) {
    const { single, double, escaped, inner, name, other, operator, space, text } = groups;
    if (single !== undefined) draft().text += single;
    else if (double !== undefined) quoted(double.slice(1, -1));
    else if (escaped !== undefined) {
      if (escaped !== '\n') draft().text += escaped;
    } else if (name !== undefined) variable(name);
    else if (inner !== undefined || other !== undefined) {
      draft().isKnown = false;
      if (inner !== undefined) endCommand('');
    } else if (operator !== undefined) {
      if (operator.startsWith('<<')) {
        endWord();
        isFed = true;
        isHere = true;
      } else if (/[<>]/u.test(operator)) endWord();
      else endCommand(operator);
    } else if (space !== undefined) endWord();
    else if (text !== undefined) {
      draft().text += text;
      if (/[*?[]/u.test(text)) draft().isGlob = true;
    }
  }
  endCommand('');
  return commands;
}
