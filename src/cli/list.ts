import { createIdleExecutor } from '../executor/index.ts';
import type { ListedHook, Listing } from '../executor/index.ts';
import type { Paint } from './colour.ts';
import { paintFor } from './colour.ts';
import { executorOptions } from './executor-options.ts';
import { exitCodes } from './exit-codes.ts';
import type { DispatchFlags } from './flags.ts';
import type { Io } from './io.ts';
import { write } from './io.ts';
import { effectiveLines, hookTitle, problemLines, untrustedLines, valueText } from './report-hooks.ts';

/** The effective hooks and where everything came from; returns the exit code. */
export async function list(io: Io, flags: DispatchFlags): Promise<number> {
  const executor = await createIdleExecutor(executorOptions(io, flags));
  try {
    const listing = executor.list();
    const text =
      flags.json === true ? JSON.stringify({ version: 1, ...listing }) : listingText(listing, paintFor('stdout', io));
    await write(io.stdout, `${text}\n`);
    const stuck = listing.untrusted.length > 0 || listing.hooks.some(({ problem }) => problem !== undefined);
    return stuck ? exitCodes.findings : exitCodes.ok;
  } finally {
    await executor.close();
  }
}

function listingText(listing: Listing, paint: Paint): string {
  const { project, configuration, settings, hooks, untrusted } = listing;
  const lines = [`project  ${project.root} ${paint('dim', `(${project.foundBy})`)}`];
  for (const { file, found } of configuration)
    lines.push(`config   ${file}${found ? '' : paint('dim', ' (not there)')}`);
  const said = settings.filter(
    ({ key, origin }) => key === 'profile' || key === 'backend' || origin.from !== 'default',
  );
  for (const setting of said) lines.push(`setting  ${valueText(setting, paint)}`);
  lines.push(...untrustedLines(listing, paint));
  let scope: ListedHook['scope'] | undefined;
  for (const hook of hooks) {
    if (hook.scope !== scope) lines.push('', paint('bold', hook.scope));
    ({ scope } = hook);
    const ok = hook.problem === undefined;
    lines.push(`${ok ? paint('green', '✓') : paint('red', '✗')} ${hookTitle(hook, paint)}`);
    lines.push(...[...effectiveLines(hook, paint), ...problemLines(hook, paint)].map((line) => `    ${line}`));
  }
  if (hooks.length === 0 && untrusted.length === 0) lines.push('no hooks: every action goes on');
  return lines.join('\n');
}
