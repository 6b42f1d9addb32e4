import type { VectorResult } from '../../testing/index.ts';

/** All results as one line. */
export function jsonReport(results: readonly VectorResult[]): string {
  return JSON.stringify({ version: 1, vectors: results });
}
