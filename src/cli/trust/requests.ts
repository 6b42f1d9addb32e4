import type { Inspection } from '../../executor/index.ts';
import { shownPath, visibleText } from '../../protocol/index.ts';
import type { ResolvedHook, ResolvedPack } from '../../protocol/index.ts';
import type { Paint } from '../colour.ts';

/** What each pack asks for, for people. What reaches beyond reading the project stands out. */
export function requestLines({ set, project, filesOf }: Inspection, paint: Paint): readonly string[] {
  return set.parsed.flatMap((pack) => [
    '',
    `${paint('bold', `pack ${pack.name}`)} ${paint('dim', shownPath(pack.file.slice(project.length + 1)))}`,
    ...packLines(pack, paint),
    ...pack.hooks.flatMap((hook) => hookLines(hook, filesOf(pack.name, hook.id), paint)),
  ]);
}

function packLines({ description, required, files, reveal }: ResolvedPack, paint: Paint): string[] {
  return [
    ...(description === undefined ? [] : [`  ${paint('dim', oneLine(description))}`]),
    ...(required ? [`  ${paint('yellow', 'required')}: blocks where hooks are switched off`] : []),
    ...(files.length === 0 ? [] : [`  files     ${files.map(oneLine).join(', ')}`]),
    ...(reveal.length === 0
      ? []
      : [`  ${paint('yellow', 'reveal')}    ${reveal.map(oneLine).join(', ')} (unredacted)`]),
  ];
}

function hookLines(hook: ResolvedHook, pinned: readonly string[], paint: Paint): string[] {
  const { id, event, mode, onFailure, handler, matcher } = hook;
  const { tools = [], steps = [] } = matcher;
  const matches = [...tools.map((tool) => `tool ${tool}`), ...steps.map((step) => `step ${step}`)];
  const fails = onFailure === 'continue' ? paint('yellow', ', goes on when it fails') : '';
  return [
    `  ${oneLine(event)}  ${id} (${mode}${fails})`,
    ...(matches.length === 0 ? [] : [`    only for  ${matches.map(oneLine).join(', ')}`]),
    `    runs      ${commandText(handler)}`,
    `    with      ${pinned.length === 0 ? 'no file of the project' : pinned.map(shownPath).join(', ')}`,
    `    asks for  ${policyText(hook, paint)}`,
  ];
}

function commandText({ command, args }: ResolvedHook['handler']): string {
  if (typeof command === 'string' && args === undefined) return oneLine(command);
  return oneLine(JSON.stringify([...(typeof command === 'string' ? [command] : command), ...(args ?? [])]));
}

function policyText({ sandbox }: ResolvedHook, paint: Paint): string {
  const { project, network, env = [], read = [], write = [], memoryMb, maxProcesses, maxOutputBytes } = sandbox;
  const beyond = [
    ...(network === 'host' ? ['the network'] : []),
    ...env.map((name) => `variable ${name}`),
    ...read.map((path) => `to read ${shownPath(path)}`),
    ...write.map((path) => `to write ${shownPath(path)}`),
  ].map((text) => paint('yellow', text));
  const limits = Object.entries({ memoryMb, maxProcesses, maxOutputBytes })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`);
  const all = [...(project === undefined ? [] : [`project ${project}`]), ...beyond, ...limits];
  return all.length === 0 ? 'nothing beyond the default' : all.join(', ');
}

function oneLine(text: string): string {
  return visibleText(text)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
}
