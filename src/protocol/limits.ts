const KiB = 1024;
const MiB = 1024 * KiB;

/** Where hookcell runs: `oss` has short defaults, `managed` allows for a cold sandbox. */
export type Profile = 'oss' | 'managed';

/** A bound: its default and the highest value that configuration may set. Units are in the name. */
export interface Bound {
  readonly default: number;
  readonly ceiling: number;
}

/** Bounds of one invocation and one event (PROTOCOL section 7). `Infinity` = the host's own policy decides. */
export const bounds = {
  timeoutMs: { default: 5_000, ceiling: 600_000 },
  maxEnvelopeBytes: { default: MiB, ceiling: 16 * MiB },
  maxOutputBytes: { default: MiB, ceiling: 16 * MiB },
  keepStderrBytes: { default: 16 * KiB, ceiling: MiB },
  maxStderrBytes: { default: MiB, ceiling: 16 * MiB },
  memoryBytes: { default: 512 * MiB, ceiling: Infinity },
  maxProcesses: { default: 64, ceiling: 1_024 },
  maxOpenFiles: { default: 256, ceiling: Infinity },
  maxFileBytes: { default: 64 * MiB, ceiling: Infinity },
  tmpBytes: { default: 64 * MiB, ceiling: Infinity },
  maxDepth: { default: 3, ceiling: 8 },
  maxHooksPerEvent: { default: 64, ceiling: 256 },
  totalTimeMs: { default: 60_000, ceiling: 600_000 },
  maxConcurrency: { default: 0, ceiling: 256 },
} as const satisfies Record<string, Bound>;

export type BoundName = keyof typeof bounds;

/** The two defaults that depend on the profile. */
export const profileDefaults: Readonly<Record<Profile, { readonly timeoutMs: number; readonly totalTimeMs: number }>> =
  {
    oss: { timeoutMs: 5_000, totalTimeMs: 60_000 },
    managed: { timeoutMs: 60_000, totalTimeMs: 300_000 },
  };

/** Longest `reason`, `feedback` string or stderr tail that is passed on, in UTF-16 code units. */
export const maxSaidCharacters = 10_000;

/** Deepest nesting of an answer, an event or a pack. */
export const maxJsonDepth = 64;
