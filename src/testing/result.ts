import type { Finding } from '../protocol/index.ts';
import type { Difference } from './compare.ts';

/** What came of one vector. */
export interface VectorResult {
  /** As it was named, or found beneath what was named. */
  readonly file: string;
  readonly description?: string;
  /**
   * `failed`: what came is not what was expected, see `differences`. `invalid`: it could not be judged, see `findings`.
   * `updated`: it did not pass, and now expects what came.
   */
  readonly status: 'passed' | 'failed' | 'invalid' | 'updated';
  readonly differences: readonly Difference[];
  readonly findings: readonly Finding[];
  /** Of all its hooks together; waiting for those of other vectors is not in it. */
  readonly durationMs: number;
  /** The line of `expect`, from 1. */
  readonly line?: number;
}
