import type { Finding, ResolvedPack } from '../../src/protocol/index.ts';
import { readPack } from '../../src/protocol/index.ts';

export const handler = { type: 'command', command: './check.mjs' };
export const hook = { id: 'protect', event: 'tool:before', handler };
export const base = { version: 1, name: 'quality', hooks: [hook] };

export function withHook(keys: object): string {
  return JSON.stringify({ ...base, hooks: [{ ...hook, ...keys }] });
}
export const withHandler = (keys: object): string => withHook({ handler: { ...handler, ...keys } });

export function findings(text: string): readonly Finding[] {
  const result = readPack(text, 'p.json');
  if (result.ok) throw new Error('the pack loaded');
  return result.findings;
}
export function load(text: string): { pack: ResolvedPack; warnings: readonly Finding[] } {
  const result = readPack(text, 'p.json');
  if (!result.ok) throw new Error(JSON.stringify(result.findings));
  return result;
}
export const brief = (found: readonly Finding[]) => found.map(({ code, pointer }) => [code, pointer]);
