import { z } from 'zod';
import type { Finding } from './errors.ts';
import { readJsonDocument } from './json-document.ts';
import { Pack } from './pack.ts';
import { remarksOf } from './schema-remarks.ts';

/** The part of `agent.json` that is hookcell's: names of packs. Every other key belongs to the host. */
export const Agent = z.object({ hooks: z.array(Pack.shape.name).max(1024).readonly() });
export type Agent = Readonly<z.infer<typeof Agent>>;

export type ReadAgentResult =
  | { readonly ok: true; readonly agent: Agent }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/**
 * Reads which packs an agent selects. An agent without `hooks` is a finding: saying nothing must not turn the
 * packs off; an empty array says it.
 */
export function readAgent(text: string, file: string): ReadAgentResult {
  const read = readJsonDocument(text, file);
  if (!read.ok) return read;
  const { document } = read;
  const remarks = remarksOf(Agent, document.value);
  if (remarks.length > 0) return { ok: false, findings: document.findingsOf(remarks) };
  const agent = Agent.parse(document.value);
  const twice = agent.hooks.findIndex((name, index) => agent.hooks.indexOf(name) !== index);
  if (twice === -1) return { ok: true, agent };
  const message = `expected every pack once, got "${agent.hooks[twice] ?? ''}" again; remove one`;
  return { ok: false, findings: document.findingsOf([{ code: 'duplicate_pack', message, path: ['hooks', twice] }]) };
}
