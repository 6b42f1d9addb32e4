import { nodeScript } from './node-script.ts';
import { pythonScript } from './python-script.ts';
import { shellScript } from './shell-script.ts';

export interface StarterFile {
  /** Relative to the project. */
  readonly name: string;
  readonly text: string;
  readonly executable: boolean;
}

export interface StarterOptions {
  readonly name: string;
  readonly language: 'sh' | 'python' | 'node';
  readonly event: string;
  /** The event's data has a `message`. */
  readonly takesMessage: boolean;
}

/** What the sample hook guards: paths of files, where the event is about a tool, and else words. */
export type Policy = 'paths' | 'words';

const languages = {
  node: { ending: 'mjs', script: nodeScript, decide: {} },
  python: { ending: 'py', script: pythonScript, decide: {} },
  sh: { ending: 'sh', script: shellScript, decide: { decide: 'exit-code' } },
} as const;

/** A pack, its script, an event that it denies, and a vector for each of its two answers. */
export function starterFiles({ name, language, event, takesMessage }: StarterOptions): readonly StarterFile[] {
  const policy: Policy = event === 'tool:before' || event === 'permission:request' ? 'paths' : 'words';
  const { ending, script, decide } = languages[language];
  const { about, reason, allowed, denied } = samples[policy](takesMessage ? 'message' : 'text');
  const scriptFile = `.hookcell/scripts/${name}.${ending}`;
  const matcher = policy === 'paths' ? { matcher: { tools: ['write', 'edit'] } } : {};
  const handler = { type: 'command', command: `./${scriptFile}`, ...decide };
  const pack = {
    version: 1,
    name,
    description: about,
    sandbox: { project: 'read', network: 'none' },
    hooks: [{ id: 'check', event, ...matcher, handler }],
  };
  const hooks = [`${name}/check`];
  const vector = (data: object, description: string, expect: object): object => ({
    version: 1,
    description,
    packs: `../hooks/${name}.json`,
    event: { event, data },
    expect: { ...expect, hooks },
  });
  return [
    json(`hooks/${name}.json`, pack),
    { name: scriptFile, text: script(policy, reason), executable: true },
    json(`events/${name}.json`, { event, data: denied }),
    json(`vectors/${name}-allow.vector.json`, vector(allowed, 'what is harmless goes on', { action: 'allow' })),
    json(`vectors/${name}-deny.vector.json`, vector(denied, about, { action: 'deny', reason: { contains: reason } })),
  ];
}

function json(name: string, value: object): StarterFile {
  return { name: `.hookcell/${name}`, text: `${JSON.stringify(value, null, 2)}\n`, executable: false };
}

interface Sample {
  readonly about: string;
  readonly reason: string;
  readonly allowed: object;
  readonly denied: object;
}

const samples: Readonly<Record<Policy, (field: 'message' | 'text') => Sample>> = {
  paths: () => ({
    about: 'environment files are not written by an agent',
    reason: 'environment files are written by people',
    allowed: { tool: 'write', input: { path: 'src/greeting.txt', content: 'hello\n' } },
    denied: { tool: 'write', input: { path: '.env.local', content: 'LOG_LEVEL=debug\n' } },
  }),
  words: (field) => ({
    about: 'nothing happens that speaks of production',
    reason: 'production is for people',
    allowed: { [field]: 'list the tables of the test database' },
    denied: { [field]: 'drop the tables of the production database' },
  }),
};
