export type { Difference } from './compare.ts';
export type { VectorCase } from './find-vectors.ts';
export { vectorCases } from './find-vectors.ts';
export { lineDiff } from './line-diff.ts';
export type { VectorRunOptions } from './options.ts';
export type { VectorResult } from './result.ts';
export { differenceLines, vectorText } from './result-text.ts';
export type { VectorRunner } from './runner.ts';
export { assertVector, createVectorRunner, runVector, runVectors, VectorFailedError } from './runner.ts';
