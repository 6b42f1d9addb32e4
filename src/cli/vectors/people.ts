import { cleanForPeople } from '../../protocol/index.ts';
import type { VectorResult } from '../../testing/index.ts';
import { vectorText } from '../../testing/index.ts';
import type { Paint } from '../colour.ts';
import { paintFor } from '../colour.ts';
import type { Io } from '../io.ts';

/** One line a vector, and beneath it what differs. */
export function peopleReport(results: readonly VectorResult[], io: Pick<Io, 'env' | 'stdout' | 'stderr'>): string {
  const paint = paintFor('stdout', io);
  return results.flatMap((result) => linesOf(result, paint)).join('\n');
}

function linesOf(result: VectorResult, paint: Paint): string[] {
  const { file, description, status, durationMs } = result;
  const mark =
    status === 'passed' ? paint('green', '✓') : status === 'updated' ? paint('yellow', '↻') : paint('red', '✗');
  const about = description === undefined ? '' : `: ${oneLine(description)}`;
  const title = `${mark} ${oneLine(file)}${about} ${paint('dim', `${Math.round(durationMs)} ms`)}`;
  const text = vectorText(result);
  if (text === '') return [title];
  return [title, ...text.split('\n').map((line) => `    ${colour(line, paint)}`)];
}

/** The marks of a change stand behind two spaces. */
function colour(line: string, paint: Paint): string {
  if (line.startsWith('  - ')) return paint('red', line);
  return line.startsWith('  + ') ? paint('green', line) : line;
}

function oneLine(text: string): string {
  return cleanForPeople(text).replaceAll(/\s+/gu, ' ');
}

/** `12 vectors: 10 passed, 2 failed`. */
export function summaryOf(results: readonly VectorResult[], paint: Paint): string {
  const statuses = ['passed', 'updated', 'failed', 'invalid'] as const;
  const counts = statuses.flatMap((status) => {
    const count = results.filter((result) => result.status === status).length;
    if (count === 0) return [];
    const good = status === 'passed' || status === 'updated';
    return [paint(good ? 'green' : 'red', `${count} ${status}`)];
  });
  return `${results.length} ${results.length === 1 ? 'vector' : 'vectors'}: ${counts.join(', ')}`;
}
