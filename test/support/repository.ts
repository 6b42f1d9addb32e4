import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { EventInput, Executor, ExecutorOptions, Pack, Verdict } from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import type { CliResult } from '../cli/cli.ts';
import { runMain } from '../cli/in-process.ts';
import { plant, scratchDirectory } from './view.ts';

/** Where the packs of a repository lie; the guard is the one that the operator accepted. */
export const guardFile = '.hookcell/hooks/guard.json';
export const scriptFile = 'hooks/check.sh';

type HookPart = Partial<Omit<Pack['hooks'][number], 'handler'>>;
type HandlerPart = Partial<Pack['hooks'][number]['handler']>;
interface PackParts extends Partial<Omit<Pack, 'hooks'>> {
  readonly hook?: HookPart;
  readonly handler?: HandlerPart;
}

/** A pack with one hook that runs the script. */
export function packText({ hook = {}, handler = {}, ...rest }: PackParts = {}): string {
  const command = `./${scriptFile}`;
  const one = { id: 'h', event: 'tool:before', ...hook, handler: { type: 'command', command, ...handler } };
  return JSON.stringify({ version: 1, name: 'guard', ...rest, hooks: [one] });
}

export const denies = (reason: string): string =>
  `#!/bin/sh\necho '{"decision":{"action":"deny","reason":"${reason}"}}'\n`;
export const allows = `#!/bin/sh\necho '{"decision":{"action":"allow"}}'\n`;

/** What the guard says where nobody tampered with it. */
export const byGuard = { action: 'deny', reason: 'by the guard' };

/** Blocked since something is not as the operator accepted it; the hook itself was not asked. */
export const untrusted = (message: string | RegExp): object => ({
  decision: { action: 'deny', reason: expect.stringMatching(message) },
  outcomes: expect.arrayContaining([expect.objectContaining({ status: 'failed', cause: 'untrusted' })]),
});

export const toolEvent: EventInput<'tool:before'> = {
  event: 'tool:before',
  data: { tool: 'write', input: { path: 'a.txt' } },
};

/** A repository on disk, with the state and configuration directories of its operator beside it. */
export interface Repository {
  readonly top: string;
  readonly root: string;
  readonly state: string;
  readonly config: string;
  /** Runs a command line in the repository, or in a directory of it. */
  readonly cli: (args: readonly string[], where?: CliPlace) => Promise<CliResult>;
  /** `hookcell trust --yes`, which has to succeed. */
  readonly accept: (...flags: readonly string[]) => Promise<void>;
  readonly executor: (options?: ExecutorOptions) => Promise<Executor>;
  /** One event, by an executor of its own. */
  readonly ask: (options?: ExecutorOptions) => Promise<Verdict>;
}

interface CliPlace {
  readonly below?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export function repository(files: Readonly<Record<string, string>> = {}): Repository {
  const top = plant(scratchDirectory(), { 'state/': '', 'config/hookcell/': '', 'etc/': '' });
  const root = plant(path.join(top, 'outer/repository'), {
    [guardFile]: packText(),
    [scriptFile]: denies('by the guard'),
    'sub/deep/': '',
    ...files,
  });
  const state = path.join(top, 'state/hookcell');
  const config = path.join(top, 'config/hookcell');
  const cli: Repository['cli'] = (args, { below = '.', env = {}, stdin = JSON.stringify(toolEvent) } = {}) =>
    runMain(args, {
      cwd: path.join(root, below),
      systemDirectory: path.join(top, 'etc'),
      stdin,
      env: {
        PATH: '/usr/bin:/bin',
        XDG_STATE_HOME: path.join(top, 'state'),
        XDG_CONFIG_HOME: path.join(top, 'config'),
        ...env,
      },
    });
  const executor: Repository['executor'] = async (options = {}) => {
    const made = await createExecutor({
      projectRoot: root,
      stateDirectory: state,
      installationKey: new Uint8Array(32),
      ...options,
    });
    onTestFinished(() => made.close());
    return made;
  };
  return {
    top,
    root,
    state,
    config,
    cli,
    executor,
    async accept(...flags) {
      const { code, stderr, stdout } = await cli(['trust', '--yes', ...flags]);
      if (code !== 0) throw new Error(`not accepted (${code}): ${stderr}${stdout}`);
    },
    ask: async (options) => (await executor(options)).dispatch(toolEvent),
  };
}

/** The one line that `run` prints. */
export function decisionOf({ stdout }: CliResult): { readonly action: string; readonly reason?: string } {
  const answer: { readonly decision: { readonly action: string; readonly reason?: string } } = JSON.parse(stdout);
  return answer.decision;
}
