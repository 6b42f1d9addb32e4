const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/**
 * Splits the arguments of a traced call, which end at their closing parenthesis.
 * @returns the arguments as they are printed and the index after the parenthesis; `undefined` when there is none
 */
export function splitArguments(text: string, from: number): { args: string[]; end: number } | undefined {
  const args: string[] = [];
  let depth = 0;
  let start = from;
  for (let index = from; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '<') index = endOfDescriptor(text, index);
    else if (character === '(' || character === '[' || character === '{') depth += 1;
    else if (character === ')' && depth === 0) {
      const last = text.slice(start, index).trim();
      return { args: last === '' && args.length === 0 ? [] : [...args, last], end: index + 1 };
    } else if (character === ')' || character === ']' || character === '}') depth -= 1;
    else if (character === ',' && depth === 0) {
      args.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return undefined;
}

/** Every string in a part of a line, decoded. */
export function stringsIn(text: string): string[] {
  const strings: string[] = [];
  for (let index = text.indexOf('"'); index !== -1; index = text.indexOf('"', index + 1)) {
    const end = endOfString(text, index);
    strings.push(decode(text.slice(index + 1, end)));
    index = end;
  }
  return strings;
}

/** The string that an argument is; `undefined` for a pointer that could not be read, and for everything else. */
export function stringOf(argument: string | undefined): string | undefined {
  return argument?.startsWith('"') === true ? decode(argument.slice(1, endOfString(argument, 0))) : undefined;
}

/** What a descriptor stands for: `3</srv/data>`, `AT_FDCWD</work>`. */
export function descriptorPath(argument: string | undefined): string | undefined {
  const match = /^(?:\d+|AT_FDCWD)<(\/[^>]*)>/u.exec(argument ?? '');
  return match?.[1] === undefined ? undefined : decode(match[1]);
}

/** The index of the closing quote; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') return index;
  }
  return text.length;
}

/** Behind a descriptor stands what it is, with its own `>` escaped; a `<` elsewhere is only a sign. */
function endOfDescriptor(text: string, start: number): number {
  if (!/[\dD]/u.test(text[start - 1] ?? '') || text[start + 1] === '<') return start;
  const end = text.indexOf('>', start);
  return end === -1 ? start : end;
}

function decode(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character !== '\\') {
      bytes.push(...encoder.encode(character));
      continue;
    }
    index += 1;
    const next = text[index] ?? '';
    const octal = /^[0-7]{1,3}/u.exec(text.slice(index, index + 3))?.[0];
    const hex = /^x[\da-f]{2}/iu.exec(text.slice(index, index + 3))?.[0];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8) & 0xff);
      index += octal.length - 1;
    } else if (hex === undefined) bytes.push(simpleEscapes[next] ?? next.charCodeAt(0));
    else {
      bytes.push(Number.parseInt(hex.slice(1), 16));
      index += hex.length - 1;
    }
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
