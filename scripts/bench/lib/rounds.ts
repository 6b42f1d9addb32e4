/** One thing to be timed; returns nothing, or its own measure in milliseconds where the wall clock is not what counts. */
export interface Variant {
  readonly name: string;
  readonly run: () => Promise<number | void>;
}

export interface Figures {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  readonly min: number;
  readonly samples: readonly number[];
}

/** Between two runs, so that slots are armed again, as they are when an agent works. */
const PAUSE_MS = 60;

/**
 * Times all variants side by side: every round runs each of them once, in a new order, so that a machine that speeds up or slows down
 * does so for all. The first rounds are not counted.
 */
export async function interleave(
  variants: readonly Variant[],
  options: { rounds: number; warmup?: number; pauseMs?: number },
): Promise<Map<string, Figures>> {
  const samples = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  const warmup = options.warmup ?? 3;
  for (let round = 0; round < options.rounds + warmup; round += 1) {
    for (const variant of shuffled(variants)) {
      const startedAt = performance.now();
      const own = await variant.run();
      const took = own ?? performance.now() - startedAt;
      if (round >= warmup) samples.get(variant.name)?.push(took);
      const pauseMs = options.pauseMs ?? PAUSE_MS;
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return new Map([...samples].map(([name, values]) => [name, figures(name, values)]));
}

export function figures(name: string, values: readonly number[]): Figures {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { name, p50: at(0.5), p95: at(0.95), min: at(0), samples: values };
}

/** Prints a table; `base` is what the ratios are taken against. */
export function print(title: string, all: Map<string, Figures>, base: string): void {
  const reference = all.get(base);
  console.log(`\n${title}`);
  console.log(`${'variant'.padEnd(44)} ${'p50 ms'.padStart(9)} ${'p95 ms'.padStart(9)}   p50 against ${base}`);
  for (const { name, p50, p95 } of all.values()) {
    const ratio = reference ? `${(p50 / reference.p50).toFixed(2)}x` : '';
    console.log(`${name.padEnd(44)} ${p50.toFixed(3).padStart(9)} ${p95.toFixed(3).padStart(9)}   ${ratio}`);
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
