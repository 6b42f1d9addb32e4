/**
 * An answer as JSON. What JSON would leave out or turn into something else (a `Map`, a `Date`, `NaN`, a function) is
 * refused: acted on would be what nobody said. A member that is `undefined` counts as not given.
 *
 * @throws {TypeError} which says where.
 */
export function answerText(answer: unknown): string {
  refuseUnsayable(answer, 'answer', []);
  return JSON.stringify(answer);
}

function refuseUnsayable(value: unknown, at: string, above: readonly object[]): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') throw unsayable(at, typeof value === 'symbol' ? 'a symbol' : nameOf(value));
  if (above.includes(value)) throw unsayable(at, 'an object that holds itself');
  const path = [...above, value];
  if (Array.isArray(value)) {
    // Holes are visited as well.
    Array.from(value, (item: unknown, index) => refuseUnsayable(item, `${at}[${index}]`, path));
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw unsayable(at, 'an object of a class');
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) refuseUnsayable(item, `${at}.${key}`, path);
  }
}

function nameOf(value: unknown): string {
  return value === undefined ? 'nothing (undefined)' : typeof value === 'number' ? String(value) : `a ${typeof value}`;
}

function unsayable(at: string, got: string): TypeError {
  return new TypeError(`${at}: expected what JSON can say, such as {"decision":{"action":"allow"}}, got ${got}`);
}
