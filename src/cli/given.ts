type Given<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> };

/** The object without its absent values: strict schemas tell "not given" from "given as undefined". */
export function given<Value extends object>(value: Value): Given<Value>;
export function given(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}
