/** Edits (insert, delete, replace, swap of neighbours) from one word to another. */
export function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      let best = Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(rows, i - 1, j - 1) + cost);
      if (from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) best = Math.min(best, at(rows, i - 2, j - 2) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return at(rows, from.length, to.length);
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? Infinity;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
}

/**
 * The known name that a person most likely meant, or `undefined` when none is near. Case and separators do not
 * count: `timeout_ms` means `timeoutMs`.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name);
  if (wanted === '' || wanted.length > 64) return undefined;
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const other = plain(candidate);
    // "timeout" for "timeoutMs" is a beginning, not a typing error.
    const begins = wanted.length >= 4 && (other.startsWith(wanted) || wanted.startsWith(other));
    const edits = begins ? Math.min(1, editDistance(wanted, other)) : editDistance(wanted, other);
    if (edits <= Math.max(1, Math.floor(wanted.length / 3)) && (best === undefined || edits < best.edits)) {
      best = { name: candidate, edits };
    }
  }
  return best?.name;
}
