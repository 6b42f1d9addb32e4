import type { Executor } from '../executor/index.ts';
import type { Expectation, Finding, Remark } from '../protocol/index.ts';
import { HookcellError } from '../protocol/index.ts';
import { accidentOf, accidentText } from './accident.ts';
import type { Actual } from './actual.ts';
import { actualOf } from './actual.ts';
import { compare } from './compare.ts';
import type { VectorRunOptions } from './options.ts';
import type { PreparedVector } from './prepare-vector.ts';
import type { VectorResult } from './result.ts';
import { expectationOf, withExpectation } from './update-vector.ts';
import { rewriteVectorFile } from './vector-file.ts';

/** Asks the hooks about the vector's event and compares. Never rejects for what hooks or vectors do. */
export async function judge(
  prepared: PreparedVector,
  executor: Executor,
  { signal, update = false }: VectorRunOptions,
): Promise<VectorResult> {
  let durationMs = 0;
  const { vector, findingsOf } = prepared;
  const result = (rest: Partial<VectorResult> & Pick<VectorResult, 'status'>): VectorResult => ({
    file: prepared.file,
    ...(vector.description === undefined ? {} : { description: vector.description }),
    differences: [],
    findings: [],
    durationMs,
    ...lineOf(findingsOf),
    ...rest,
  });
  try {
    const { expect, event } = vector;
    const names = executor.explain(event).hooks.map(({ hook }) => `${hook.pack}/${hook.id}`);
    const unknown = update ? [] : findingsOf(unknownHooks(expect, names));
    if (unknown.length > 0) return result({ status: 'invalid', findings: unknown });
    // A signal of its own: many vectors wait for the one of the run, and Node.js warns of many listeners.
    const own = signal === undefined ? {} : { signal: AbortSignal.any([signal]) };
    const verdict = await executor.dispatch(event, own);
    const observed = await verdict.observed;
    durationMs = [...verdict.outcomes, ...observed].reduce((sum, outcome) => sum + outcome.durationMs, 0);
    const actual = actualOf(event, verdict, observed);
    const differences = expect === undefined ? undefined : compare(expect, event, actual);
    if (differences?.length === 0) return result({ status: 'passed' });
    const accident = accidentOf(actual, update ? {} : expect?.causes);
    if (accident !== undefined) {
      const message = `${update ? 'not updated' : 'not judged'}, since this says nothing of the hooks: ${accidentText(accident)}`;
      return result({ status: 'invalid', findings: findingsOf([{ code: accident.cause, message, path: ['expect'] }]) });
    }
    if (!update) return result({ status: 'failed', differences: differences ?? [] });
    await write(prepared, actual);
    return result({ status: 'updated', differences: differences ?? [] });
  } catch (error) {
    if (!(error instanceof HookcellError)) throw error;
    return result({ status: 'invalid', findings: findingsOfError(error, prepared.file) });
  }
}

/** What an error says, each finding with a file. */
export function findingsOfError({ findings, code, message }: HookcellError, file: string): readonly Finding[] {
  if (findings.length === 0) return [{ code, message, file }];
  return findings.map((finding) => ({ ...finding, file: finding.file ?? file }));
}

async function write({ path, file, text, vector }: PreparedVector, actual: Actual): Promise<void> {
  await rewriteVectorFile(path, file, text, withExpectation(text, expectationOf(actual, vector.expect)));
}

/** A name that is no hook's could never differ: a misspelt one must not look like a pass. */
function unknownHooks(expect: Expectation | undefined, names: readonly string[]): Remark[] {
  const known = new Set(names);
  const shown = names.length === 0 ? 'no hooks at all' : `one of ${[...known].slice(0, 20).join(', ')}`;
  const remark = (name: string, path: Remark['path'], atKey = false): Remark[] => {
    if (known.has(name)) return [];
    return [{ code: 'unknown_hook', message: `no hook is called "${name}"; expected ${shown}`, path, atKey }];
  };
  return [
    ...(expect?.hooks ?? []).flatMap((name, index) => remark(name, ['expect', 'hooks', index])),
    ...Object.keys(expect?.causes ?? {}).flatMap((name) => remark(name, ['expect', 'causes', name], true)),
  ];
}

function lineOf(findingsOf: PreparedVector['findingsOf']): Pick<VectorResult, 'line'> {
  const [place] = findingsOf([{ code: '', message: '', path: ['expect'], atKey: true }]);
  return place?.line === undefined ? {} : { line: place.line };
}
