import type { BoundName, EventDefinition } from '../../src/protocol/index.ts';
import {
  allowedActions,
  bounds,
  causeCatalogue,
  causes,
  causesThatAlwaysBlock,
  defaultMode,
  events,
  foreignEventNames,
  jsonSchema,
  profileDefaults,
  schemaNames,
  strictness,
} from '../../src/protocol/index.ts';

const begin = '<!-- generated: node scripts/generate.mjs -->';
const end = '<!-- end of generated -->';

/** A file that is made, wholly or between two marks, from the sources. */
export interface GeneratedFile {
  /** Relative to the repository's root. */
  readonly path: string;
  /** The file as it should be, given what stands there now. */
  readonly content: (current: string) => string;
}

export const generatedFiles: readonly GeneratedFile[] = [
  ...schemaNames.map((name) => ({
    path: `schema/${name}.schema.json`,
    content: () => `${JSON.stringify(jsonSchema(name), null, 2)}\n`,
  })),
  { path: 'docs/causes.md', content: between(causesTable) },
  { path: 'docs/limits.md', content: between(limitsTable) },
  { path: 'docs/events.md', content: between(eventsTable) },
];

function between(section: () => string): (current: string) => string {
  return (current) => {
    const from = current.indexOf(begin);
    const to = current.indexOf(end);
    if (from === -1 || to < from) throw new Error(`expected the marks ${begin} and ${end}`);
    return `${current.slice(0, from)}${begin}\n\n${section()}\n\n${current.slice(to)}`;
  };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row))].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function causesTable(): string {
  const rows = causes.map((cause) => {
    const { meaning, remedy } = causeCatalogue[cause];
    return [`\`${cause}\``, meaning, remedy, causesThatAlwaysBlock.has(cause) ? 'never' : 'yes'];
  });
  return table(['cause', 'what happened', 'what to do', '`"onFailure": "continue"` covers it'], rows);
}

const purposes: Readonly<Record<BoundName, string>> = {
  timeoutMs: 'time of one hook, from its launch, writing stdin included',
  maxEnvelopeBytes: 'what a hook gets on stdin',
  maxOutputBytes: 'stdout; killed at the first byte beyond',
  keepStderrBytes: 'the end of stderr that is kept for the report',
  maxStderrBytes: 'stderr; killed at the first byte beyond',
  memoryBytes: 'memory of all processes of a hook',
  maxProcesses: 'processes and threads of a hook',
  maxOpenFiles: 'open files of one process',
  maxFileBytes: 'largest file that a hook may write',
  tmpBytes: 'size of its private `/tmp`, and apart from it of its `HOME`',
  maxDepth: 'events caused by hooks of events caused by hooks',
  maxHooksPerEvent: 'hooks that one event may have',
  totalTimeMs: 'time of all controlling hooks of one event',
  maxConcurrency: 'hooks at a time; the default is twice the number of cores',
};

function limitsTable(): string {
  const rows = Object.entries(bounds).map(([name, bound]) => {
    const { oss, managed } = profileDefaults;
    const profiled = name === 'timeoutMs' || name === 'totalTimeMs' ? name : undefined;
    const usual =
      profiled === undefined
        ? amount(name, bound.default)
        : `${amount(name, oss[profiled])} (oss), ${amount(name, managed[profiled])} (managed)`;
    return [`\`${name}\``, isBound(name) ? purposes[name] : '', usual, amount(name, bound.ceiling)];
  });
  return table(['bound', 'of what', 'default', 'ceiling'], rows);
}

function isBound(name: string): name is BoundName {
  return Object.hasOwn(purposes, name);
}

function amount(name: string, value: number): string {
  if (value === Infinity) return 'the host decides';
  if (name === 'maxConcurrency' && value === 0) return 'cores × 2';
  if (name.endsWith('Ms')) return `${value} ms`;
  if (!name.endsWith('Bytes')) return String(value);
  const mebibyte = 1024 * 1024;
  return value % mebibyte === 0 ? `${value / mebibyte} MiB` : `${value / 1024} KiB`;
}

function eventsTable(): string {
  const rows = [...events.values()].map((definition) => [
    `\`${definition.name}\``,
    classWords(definition),
    defaultMode(definition),
    [...allowedActions(definition, 'control')].toSorted((a, b) => strictness(a) - strictness(b)).join(', '),
    fieldWords(definition),
    foreignWords(definition.name),
  ]);
  const head = [
    'event',
    'class',
    'default mode',
    'a controlling hook may answer',
    '`modify` may replace',
    'known elsewhere as',
  ];
  return table(head, rows);
}

function classWords({ class: given, neverRaises }: EventDefinition): string {
  const words = [
    given.guard && 'guard',
    given.transform && 'transform',
    given.notify && 'notify',
    given.turnEnd && 'turn end',
  ];
  return [...words, neverRaises && 'never raises'].filter((word) => word !== false).join(', ');
}

function fieldWords({ modifiable, fixed }: EventDefinition): string {
  if (modifiable.length === 0) return '–';
  return modifiable.map((field) => (fixed[field] ? `${field} (not ${fixed[field].join(', ')})` : field)).join(', ');
}

function foreignWords(name: string): string {
  const found = [...foreignEventNames].filter(([, foreign]) => foreign.events.includes(name));
  return found.length === 0 ? '–' : found.map(([foreignName, { host }]) => `${foreignName} (${host})`).join(', ');
}
