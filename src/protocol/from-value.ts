import type { JsonObjectDraft } from './json-object.ts';
import { setOwn } from './json-object.ts';
import { pointerOf } from './json-pointer.ts';
import type { JsonValue } from './json-value.ts';
import { JsonNumber } from './json-value.ts';
import { bounds, maxJsonDepth } from './limits.ts';

export type JsonFromUnknownResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string; readonly pointer: string };

/**
 * Copies a caller's JavaScript value into JSON, or says what in it is none. Nothing of the value is run: accessor
 * properties are refused, not called, and so are class instances (`Date`, `Map`, anything with `toJSON`).
 * `undefined` properties are left out and `undefined` items become `null`, as `JSON.stringify` does; a `bigint`
 * becomes a number with its exact digits. Never throws, also not for a proxy whose traps do.
 */
export function jsonFromUnknown(value: unknown, options: { readonly maxDepth?: number } = {}): JsonFromUnknownResult {
  const copier = new Copier(options.maxDepth ?? maxJsonDepth);
  try {
    return { ok: true, value: copier.copy(value) };
  } catch (error) {
    const message = error instanceof NotJson ? error.message : 'reading the value threw an error (a hostile proxy?)';
    return { ok: false, message, pointer: pointerOf(copier.path) };
  }
}

const maxValues = 1_000_000;

class NotJson extends Error {}

class Copier {
  readonly path: (string | number)[] = [];
  private readonly maxDepth: number;
  private readonly open = new Set<object>();
  /** Both bounded, since shared references would else unfold without end. */
  private values = 0;
  private size = 0;

  constructor(maxDepth: number) {
    this.maxDepth = Math.min(maxDepth, 512);
  }

  copy(value: unknown): JsonValue {
    switch (typeof value) {
      case 'string':
        this.count(value.length);
        return value;
      case 'boolean':
        return value;
      case 'number':
        if (!Number.isFinite(value)) throw new NotJson(`expected a JSON number, got ${value}`);
        return value;
      case 'bigint':
        return this.integer(value);
      case 'object':
        return value === null || value instanceof JsonNumber ? value : this.container(value);
      default:
        throw new NotJson(
          `expected a JSON value, got ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`,
        );
    }
  }

  private integer(value: bigint): JsonValue {
    const text = String(value);
    this.count(text.length);
    return String(Number(text)) === text ? Number(text) : new JsonNumber(text);
  }

  private container(value: object): JsonValue {
    if (this.open.has(value)) throw new NotJson('expected a tree, got a reference back to a parent (a cycle)');
    if (this.open.size >= this.maxDepth) throw new NotJson(`nested deeper than ${this.maxDepth} levels`);
    this.open.add(value);
    const copy = Array.isArray(value) ? this.array(value) : this.object(value);
    this.open.delete(value);
    return copy;
  }

  private array(value: readonly unknown[]): JsonValue {
    const copy: JsonValue[] = [];
    const { length } = value;
    for (let index = 0; index < length; index += 1) {
      this.path.push(index);
      this.countValue();
      const item = this.read(value, String(index));
      copy.push(item === undefined ? null : this.copy(item));
      this.path.pop();
    }
    return copy;
  }

  private object(value: object): JsonValue {
    const prototype: unknown = Object.getPrototypeOf(value);
    // The second test is for plain objects of another realm.
    if (prototype !== null && (typeof prototype !== 'object' || Object.getPrototypeOf(prototype) !== null)) {
      throw new NotJson(
        `expected a plain object, got an instance of ${className(prototype)}; convert it to plain data first`,
      );
    }
    const copy: JsonObjectDraft = {};
    for (const key of Reflect.ownKeys(value)) {
      this.countValue();
      if (!Object.prototype.propertyIsEnumerable.call(value, key)) continue;
      if (typeof key === 'symbol') throw new NotJson(`expected string keys, got ${String(key)}`);
      this.path.push(key);
      const item = this.read(value, key);
      if (item !== undefined) {
        this.count(key.length);
        setOwn(copy, key, this.copy(item));
      }
      this.path.pop();
    }
    return copy;
  }

  private read(holder: object, key: string): unknown {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (property === undefined) throw new NotJson('expected a value, got a hole in an array');
    if (!('value' in property))
      throw new NotJson('expected plain data, got an accessor property (getters are never called)');
    return property.value;
  }

  /** Also for what is left out or becomes `null`: a proxy may claim any length. */
  private countValue(): void {
    this.values += 1;
    if (this.values > maxValues) throw new NotJson(`expected at most ${maxValues} values, got more`);
  }

  private count(size: number): void {
    this.size += size;
    if (this.size > bounds.maxEnvelopeBytes.ceiling) {
      throw new NotJson(`expected at most ${bounds.maxEnvelopeBytes.ceiling} bytes of JSON, got more`);
    }
  }
}

function className(prototype: unknown): string {
  const property = Object.getOwnPropertyDescriptor(prototype, 'constructor');
  const named: unknown = property?.value;
  return typeof named === 'function' ? named.name : 'a class';
}
