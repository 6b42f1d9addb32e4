import type { VectorResult } from '../../testing/index.ts';
import { vectorText } from '../../testing/index.ts';

/** One error annotation for each vector that did not pass, as a workflow command of GitHub Actions. */
export function githubAnnotations(results: readonly VectorResult[]): string {
  return results
    .filter(({ status }) => status === 'failed' || status === 'invalid')
    .map((result) => {
      const { file, line, description } = result;
      const properties = [
        `file=${escapeProperty(file)}`,
        ...(line === undefined ? [] : [`line=${line}`]),
        `title=${escapeProperty(description ?? file)}`,
      ];
      return `::error ${properties.join(',')}::${escapeData(vectorText(result))}`;
    })
    .join('\n');
}

/** A line of its own is a command of its own, so that no text may break the line. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Values of properties end at a comma, and all of them at the colons. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
