import type { Inspection } from '../../executor/index.ts';
import { shownPath, visibleText } from '../../protocol/index.ts';
import { lineDiff } from '../../testing/index.ts';
import type { Paint } from '../colour.ts';

/** Lines of one file's difference. Whoever wants to hide a line behind so many others is told on. */
const maxLines = 2_000;

/** What changed since the last time, for people; nothing when there was none. */
export function changeLines(inspection: Inspection, paint: Paint): readonly string[] {
  const { record, changes } = inspection;
  if (record === undefined) return [];
  const kinds = [
    ...changes.removed.map((path) => ({ kind: 'removed', path })),
    ...changes.added.map((path) => ({ kind: 'added', path })),
    ...changes.changed.map((path) => ({ kind: 'changed', path })),
  ];
  return kinds.flatMap(({ kind, path }) => [
    '',
    `${paint('yellow', kind)} ${paint('bold', shownPath(path))}`,
    ...differenceLines(inspection, path).map((line) => coloured(line, paint)),
  ]);
}

/** A unified difference of one file with everything unseen written out. */
export function differenceLines({ record, set, before, now }: Inspection, path: string): readonly string[] {
  const accepted = record?.entries.find((entry) => entry.path === path);
  const found = set.entries.find((entry) => entry.path === path);
  const notes =
    accepted !== undefined && found !== undefined && accepted.mode !== found.mode
      ? [`mode ${modes[accepted.mode]} → ${modes[found.mode]}`]
      : [];
  if (accepted?.sha256 === found?.sha256) return notes;
  const old = accepted === undefined ? '' : textOf(before(path));
  const text = found === undefined ? '' : textOf(now(path));
  if (old === undefined || text === undefined) {
    return [
      ...notes,
      'its text cannot be compared: it is binary, too large, a link, or was not kept; look at the file',
    ];
  }
  const lines = textDiff(old, text);
  const rest = lines.length - maxLines;
  return [
    ...notes,
    `--- ${accepted === undefined ? 'nothing' : 'accepted'}`,
    `+++ ${found === undefined ? 'nothing' : 'now'}`,
    ...lines.slice(0, maxLines),
    ...(rest > 0 ? [`NOT SHOWN: ${rest} more lines; look at the file before you accept it`] : []),
  ];
}

/** A newline at the end is no line of its own where both sides have one, or where there is but one side. */
function textDiff(old: string, text: string): readonly string[] {
  if (old === '' || text === '') {
    const mark = old === '' ? '+' : '-';
    const lines = (old + text).replace(/\n$/u, '').split('\n');
    return old === text ? [] : lines.map((line) => `${mark} ${line}`);
  }
  const both = old.endsWith('\n') && text.endsWith('\n');
  return both ? lineDiff(old.slice(0, -1), text.slice(0, -1)) : lineDiff(old, text);
}

const modes = { x: 'executable', '-': 'not executable', l: 'symbolic link' } as const;

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.includes(0)) return undefined;
  try {
    return visibleText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function coloured(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('NOT SHOWN') ? paint('yellow', line) : line;
}
