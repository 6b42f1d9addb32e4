/** Lines beyond which texts are not compared line by line: the table of the comparison grows with the product. */
const maxCells = 4_000_000;
const context = 3;

const kept = (line: string): string => `  ${line}`;
const removed = (line: string): string => `- ${line}`;
const added = (line: string): string => `+ ${line}`;

/**
 * What must change in `before` to make `after`: lines that start with `-`, `+` or a space, with three lines around each
 * change. Empty when the texts are the same.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const left = before.split('\n');
  const right = after.split('\n');
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(left.length, right.length) - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  ) {
    end += 1;
  }
  const middle = changes(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return withContext([...left.slice(0, start).map(kept), ...middle, ...left.slice(left.length - end).map(kept)]);
}

function changes(left: readonly string[], right: readonly string[]): string[] {
  if (left.length * right.length > maxCells) return [...left.map(removed), ...right.map(added)];
  const width = right.length + 1;
  // longest[i * width + j]: lines in common of left from i and right from j.
  const longest = new Uint32Array((left.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      lines.push(kept(left[i] ?? ''));
      i += 1;
      j += 1;
    } else if (j >= right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left[i] ?? ''));
      i += 1;
    } else {
      lines.push(added(right[j] ?? ''));
      j += 1;
    }
  }
  return lines;
}

function withContext(lines: readonly string[]): readonly string[] {
  const near = new Set<number>();
  lines.forEach((line, index) => {
    if (line.startsWith(' ')) return;
    for (let at = index - context; at <= index + context; at += 1) near.add(at);
  });
  const shown: string[] = [];
  lines.forEach((line, index) => {
    if (near.has(index)) shown.push(line);
    else if (shown.at(-1) !== '  …') shown.push('  …');
  });
  return shown;
}
