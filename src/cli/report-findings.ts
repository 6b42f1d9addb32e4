import type { Finding } from '../protocol/index.ts';

/** `file:line:column: message`, with as much of the place as is known. */
export function findingLine({ file, line, column, pointer, message }: Finding): string {
  const place = [file ?? 'hookcell', line, line === undefined ? undefined : column].filter(
    (part) => part !== undefined,
  );
  const where = line === undefined && pointer !== undefined && pointer !== '' ? ` (at ${pointer})` : '';
  return `${place.join(':')}: ${message}${where}`;
}
