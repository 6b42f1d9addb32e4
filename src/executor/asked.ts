import type { LimitName } from '../sandbox/index.ts';
import type { Beyond } from './grant-remedy.ts';
import type { Origin, Sourced } from './operator/origin.ts';

/** One value that a hook runs with, where it came from, and when it was asked for, who granted it. */
export interface EffectiveValue {
  readonly key: string;
  readonly value: string | number | boolean;
  readonly origin: Origin;
  readonly grantedBy?: Origin;
}

/** Compares requests with grants, and remembers where every value came from. */
export class Asked {
  readonly values: EffectiveValue[] = [];
  readonly beyond: Beyond[] = [];
  readonly #pack: Origin;

  constructor(pack: Origin) {
    this.#pack = pack;
  }

  /** A single value; without a request the operator's. */
  choice<Value extends string>(
    key: Beyond['key'],
    wanted: Value | undefined,
    granted: Sourced<Value>,
    isGranted: (wanted: Value) => boolean,
    grantedBy: Origin = granted.origin,
  ): Value {
    if (wanted === undefined) {
      this.values.push({ key, ...granted });
      return granted.value;
    }
    if (!isGranted(wanted)) this.beyond.push({ key, value: wanted });
    this.values.push({ key, value: wanted, origin: this.#pack, grantedBy });
    return wanted;
  }

  /** One entry of a list. */
  entry(key: Beyond['key'], wanted: string, value: string, grantedBy: Origin | undefined): void {
    if (grantedBy === undefined) this.beyond.push({ key, value: wanted });
    else this.values.push({ key, value, origin: this.#pack, grantedBy });
  }

  /** @param unit in which the pack writes the limit */
  limit(name: LimitName, key: Beyond['key'], wanted: number | undefined, granted: Sourced<number>, unit = 1): number {
    if (wanted === undefined) {
      this.values.push({ key: name, ...granted });
      return granted.value;
    }
    const value = wanted * unit;
    if (value > granted.value) this.beyond.push({ key, value: wanted });
    this.values.push({ key: name, value, origin: this.#pack, grantedBy: granted.origin });
    return value;
  }

  /** What is not the pack's to ask. */
  granted(key: string, { value, origin }: Sourced<boolean | number>): void {
    this.values.push({ key, value, origin });
  }

  /** A pack's own timeout needs no grant; its ceiling is the format's. */
  timeout(wanted: number | undefined, granted: Sourced<number>): number {
    if (wanted === undefined) this.granted('timeoutMs', granted);
    else this.values.push({ key: 'timeoutMs', value: wanted, origin: this.#pack });
    return wanted ?? granted.value;
  }
}
