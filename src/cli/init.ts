import { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { discoverProject } from '../executor/index.ts';
import { allowedActions, eventDefinition, events, Pack, shellWord, shownPath } from '../protocol/index.ts';
import type { Finding } from '../protocol/index.ts';
import { badFlag, CliError } from './cli-error.ts';
import type { InitFlags } from './commands/init.ts';
import { exitCodes } from './exit-codes.ts';
import { starterFiles } from './init/starter.ts';
import type { StarterFile } from './init/starter.ts';
import type { Io } from './io.ts';
import { tell, write } from './io.ts';

/** Writes a hook to start from; returns the exit code. */
export async function init(io: Io, directory: string, flags: InitFlags): Promise<number> {
  const { name = 'guard', language = 'node', event = 'tool:before' } = flags;
  if (!Pack.shape.name.safeParse(name).success) {
    throw badFlag('--name', 'expected 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit');
  }
  const definition = deniable(event);
  const root = path.resolve(io.cwd, directory);
  const files = starterFiles({ name, language, event, takesMessage: definition.modifiable.includes('message') });
  writeAll(root, files);
  const names = files.map((file) => path.join(directory, file.name));
  const text = flags.json === true ? JSON.stringify({ version: 1, files: names }) : report(names, directory, name);
  await write(io.stdout, `${text}\n`);
  await tellProjectAbove(io, realpathSync(root));
  return exitCodes.ok;
}

/** Packs in a project that lies in another are a project of their own, or block: seldom what was meant. */
async function tellProjectAbove(io: Io, root: string): Promise<void> {
  const above = await discoverProject(path.dirname(root), () => false);
  if (above.packs.length === 0) return;
  const place = shownPath(above.root);
  const add = `hookcell init ${place === above.root ? shellWord(place) : place} --name NAME`;
  await tell(
    io,
    `hookcell: note: this lies in ${place}, which has packs of its own. For one more hook there: ${add}. Once those are accepted, packs below it block.`,
  );
}

function deniable(event: string) {
  const definition = eventDefinition(event);
  if (definition?.class.guard === true && allowedActions(definition, 'control').has('deny')) return definition;
  const guards = [...events.values()].filter((one) => one.class.guard).map((one) => one.name);
  throw badFlag('--event', `expected an event that a hook can deny: ${guards.join(', ')}`);
}

/** All or nothing. Links that lead out of the project are not followed. */
function writeAll(root: string, files: readonly StarterFile[]): void {
  const taken = files.filter(({ name }) => statSync(path.join(root, name), { throwIfNoEntry: false }) !== undefined);
  const findings = taken.map(({ name }): Finding => ({
    code: 'exists',
    message: 'is there already and is not overwritten; choose another --name',
    file: name,
  }));
  if (findings.length > 0) throw new CliError('data', `${findings[0]?.file ?? ''} is there already`, findings);
  const written: string[] = [];
  try {
    mkdirSync(root, { recursive: true });
    const real = realpathSync(root);
    for (const { name, text, executable } of files) {
      const target = path.join(real, name);
      const parent = path.dirname(target);
      mkdirSync(parent, { recursive: true });
      if (realpathSync(parent) !== parent) throw new Error(`${parent} is reached through a symbolic link`);
      writeFileSync(target, text, { flag: 'wx', mode: executable ? 0o755 : 0o644 });
      written.push(target);
    }
  } catch (error) {
    for (const target of written) rmSync(target, { force: true });
    const message = `could not be written: ${error instanceof Error ? error.message : String(error)}`;
    throw new CliError('data', message, [{ code: 'unwritable', message, file: root }]);
  }
}

function report(names: readonly string[], directory: string, name: string): string {
  const at = directory === '.' ? '' : `cd ${directory} && `;
  return [
    ...names.map((file) => `wrote ${file}`),
    '',
    'Next:',
    `  ${at}hookcell test`,
    `  hookcell try ${name}/check --event .hookcell/events/${name}.json`,
    `  hookcell run --packs .hookcell/hooks/${name}.json < .hookcell/events/${name}.json`,
    '  hookcell trust',
  ].join('\n');
}
