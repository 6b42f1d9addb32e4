/** One step of an RFC 6901 pointer: `~` and `/` in a key are escaped. */
export function pointerStep(key: string | number): string {
  return `/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** An RFC 6901 pointer from keys and array indices; the empty string is the whole document. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => pointerStep(key)).join('');
}
