import { originText } from '../executor/index.ts';
import type { EffectiveValue, ListedHook, Listing } from '../executor/index.ts';
import { cleanForPeople } from '../protocol/index.ts';
import type { Paint } from './colour.ts';

/** One hook in a line: its name, what it is for, and its file. */
export function hookTitle(listed: ListedHook, paint: Paint): string {
  const { hook, event, mode, priority, timeoutMs, onFailure, required, file } = listed;
  const facts = [event, mode, `priority ${priority}`, `${timeoutMs} ms`, `onFailure ${onFailure}`];
  if (required) facts.push('required');
  return `${hook.pack}/${hook.id} ${paint('dim', cleanForPeople(`${facts.join(', ')}, ${file}`))}`;
}

/** What a hook gets and who said so; limits that nobody set are left out. */
export function effectiveLines({ matcher, effective }: ListedHook, paint: Paint): string[] {
  const matches = Object.entries(matcher).map(([key, patterns]) => cleanForPeople(`${key}: ${patterns.join(', ')}`));
  const shown = effective.filter(
    ({ key, origin }) => key === 'project' || key === 'network' || origin.from !== 'default',
  );
  return [...matches, ...shown.map((value) => valueText(value, paint))];
}

/** `network host (pack request FILE, granted by user file FILE:4:16)` */
export function valueText({ key, value, origin, grantedBy }: EffectiveValue, paint: Paint): string {
  const granted = grantedBy === undefined ? '' : `, granted by ${originText(grantedBy)}`;
  return `${cleanForPeople(`${key} ${String(value)}`)} ${paint('dim', cleanForPeople(`(${originText(origin)}${granted})`))}`;
}

export function problemLines({ problem }: Pick<ListedHook, 'problem'>, paint: Paint): string[] {
  return problem === undefined ? [] : [paint('red', cleanForPeople(`${problem.cause}: ${problem.message}`))];
}

/** Packs that must not run, each in a line, and what to do about them. */
export function untrustedLines(found: Pick<Listing, 'untrusted' | 'problem'>, paint: Paint): string[] {
  const files = found.untrusted.map((file) => `${paint('red', '✗')} ${cleanForPeople(file)}`);
  return [...files, ...problemLines(found, paint).map((line) => `    ${line}`)];
}
