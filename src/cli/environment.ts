import { refusedEnvironmentName, secretKindOfKey, showText } from '../protocol/index.ts';
import { CliError, badFlag } from './cli-error.ts';
import type { Io } from './io.ts';

/** Shorter values stand in too many other words to be hidden by their text. */
const minSecretLength = 8;

/** Values of this environment whose names say that they are secrets, to be redacted wherever they turn up. */
export function environmentSecrets(env: Io['env']): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const isSecret = value !== undefined && value.length >= minSecretLength && secretKindOfKey(name) !== undefined;
    return isSecret ? [[name, value]] : [];
  });
  return Object.fromEntries(entries);
}

/** The values of the variables that `--env` names. */
export function grantedEnvironment(names: readonly string[] = [], env: Io['env']): Record<string, string> {
  const values = names.map((name): [string, string] => {
    if (name.includes('=')) {
      const [bare] = name.split('=');
      throw badFlag(
        '--env',
        `expected a name without a value, such as --env ${bare}. The value is taken from this environment`,
      );
    }
    if (refusedEnvironmentName(name))
      throw badFlag('--env', `${name} never enters the sandbox: it can change what code runs there`);
    const value = env[name];
    if (value === undefined)
      throw badFlag('--env', `${name} is not set in this environment. Set it, or leave out --env ${name}`);
    return [name, value];
  });
  return Object.fromEntries(values);
}

/** The kill switch. Only `off` turns hooks off; a misspelt value must not be taken for either. */
export function hooksAreOff(env: Io['env']): boolean {
  const value = env['HOOKCELL_HOOKS'];
  if (value === undefined || value === '' || value === 'on') return false;
  if (value === 'off') return true;
  throw badVariable('HOOKCELL_HOOKS', `expected on or off, got ${showText(value)}. Unset it, or set it to one of them`);
}

/** How deep this process stands in events dispatched by hooks: 0 for a host's own event. */
export function depthOf(env: Io['env']): number {
  const value = env['HOOKCELL_DEPTH'];
  if (value === undefined || value === '') return 0;
  if (!/^\d{1,3}$/u.test(value)) {
    throw badVariable(
      'HOOKCELL_DEPTH',
      `expected a whole number, got ${showText(value)}. Unset it: hookcell sets it itself`,
    );
  }
  return Number(value) + 1;
}

function badVariable(file: string, message: string): CliError {
  return new CliError('configuration', `${file}: ${message}`, [{ code: 'invalid_variable', message, file }]);
}
