import path from 'node:path';
import type { VectorResult } from '../../testing/index.ts';
import { vectorText } from '../../testing/index.ts';

/** JUnit XML: one suite a directory, one case a vector; one that could not be judged is an error. */
export function junitReport(results: readonly VectorResult[]): string {
  const suites = new Map<string, VectorResult[]>();
  for (const result of results) {
    const directory = path.dirname(result.file);
    const suite = suites.get(directory) ?? [];
    suites.set(directory, suite);
    suite.push(result);
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="hookcell" ${counts(results)}>`,
    ...[...suites].flatMap(([directory, suite]) => [
      `  <testsuite name="${escapeXml(directory)}" ${counts(suite)}>`,
      ...suite.map((result) => testCase(result)),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n');
}

function counts(results: readonly VectorResult[]): string {
  const failures = results.filter(({ status }) => status === 'failed').length;
  const errors = results.filter(({ status }) => status === 'invalid').length;
  const time = results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  return `tests="${results.length}" failures="${failures}" errors="${errors}" time="${time.toFixed(3)}"`;
}

function testCase(result: VectorResult): string {
  const { file, description, status, durationMs } = result;
  const name = path.basename(file) + (description === undefined ? '' : `: ${description}`);
  const opening = `    <testcase classname="${escapeXml(path.dirname(file))}" name="${escapeXml(name)}" time="${(durationMs / 1000).toFixed(3)}"`;
  if (status === 'passed' || status === 'updated') return `${opening}/>`;
  const tag = status === 'failed' ? 'failure' : 'error';
  const text = vectorText(result);
  const [first = ''] = text.split('\n');
  return `${opening}>\n      <${tag} message="${escapeXml(first)}">${escapeXml(text)}</${tag}>\n    </testcase>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** XML has no way to write most control characters, not even as an entity: they become `\uXXXX`. */
function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"'\n\r\t]|[\0-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu, (character) => {
    const unit = character.charCodeAt(0).toString(16).padStart(4, '0');
    return entities[character] ?? `\\u${unit}`;
  });
}
