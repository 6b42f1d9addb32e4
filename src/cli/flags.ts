import { InvalidArgumentError, Option } from 'commander';

/** Flags of `run`, `exec`, `explain` and `list`, as commander hands them over. Absent = not given. */
export interface DispatchFlags {
  readonly packs?: readonly string[];
  readonly agent?: string;
  readonly event?: string;
  readonly profile?: 'oss' | 'managed';
  readonly backend?: 'auto' | 'bubblewrap' | 'none';
  readonly project?: 'none' | 'files' | 'read';
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly network?: 'none' | 'host';
  readonly env?: readonly string[];
  readonly reveal?: readonly string[];
  readonly modifyWithSecrets?: readonly string[];
  readonly timeoutMs?: number;
  readonly memoryMb?: number;
  readonly maxProcesses?: number;
  readonly maxOutputBytes?: number;
  readonly json?: boolean;
}

/** A flag that may be given once: with two values it is not clear which one was meant, and one may be the weaker. */
export function single(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, earlier: unknown) => once(value, earlier));
}

export function choice(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description).choices([...choices]);
  // `choices` installs a parser of its own; this one also refuses a second value.
  return option.argParser((value: string, earlier: unknown) => {
    if (!choices.includes(value)) throw new InvalidArgumentError(`Expected one of: ${choices.join(', ')}.`);
    return once(value, earlier);
  });
}

export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`).argParser(
    (value: string, earlier: readonly string[] | undefined) => {
      if (value === '') throw new InvalidArgumentError('Expected a value, got nothing.');
      return [...(earlier ?? []), value];
    },
  );
}

/** A whole number of the given unit, from 1 to `maximum`. */
export function whole(flags: string, description: string, unit: string, maximum: number): Option {
  return new Option(flags, description).argParser((value: string, earlier: unknown) => {
    const number = /^[1-9]\d{0,15}$/u.test(value) ? Number(value) : Number.NaN;
    if (!(number <= maximum)) {
      throw new InvalidArgumentError(`Expected a whole number of ${unit} from 1 to ${maximum}.`);
    }
    return once(number, earlier);
  });
}

export function jsonFlag(description: string): Option {
  return new Option('--json', description);
}

function once<Value>(value: Value, earlier: unknown): Value {
  if (value === '') throw new InvalidArgumentError('Expected a value, got nothing.');
  if (earlier !== undefined) throw new InvalidArgumentError('It was given twice; give it once.');
  return value;
}
