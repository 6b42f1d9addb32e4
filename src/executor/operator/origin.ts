/** Where an effective value came from. */
export interface Origin {
  readonly from: 'default' | 'system file' | 'user file' | 'flag' | 'option' | 'pack request';
  /** `file:line:column`, the flag, the option, or the pack's file. */
  readonly at?: string;
}

/** A value, and who said it. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly origin: Origin;
}

export const byDefault: Origin = { from: 'default' };

/** An origin for people: `user file /home/me/.config/hookcell/config.json:4:16`. */
export function originText({ from, at }: Origin): string {
  return at === undefined ? from : `${from} ${at}`;
}
