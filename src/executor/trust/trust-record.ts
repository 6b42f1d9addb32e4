import { createHash } from 'node:crypto';
import { z } from 'zod';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** One member of a set. */
export const SetEntry = z.strictObject({
  /** Relative to the project. */
  path: z.string().min(1),
  /** `x` an executable file, `-` another one, `l` a symbolic link, whose content is where it leads. */
  mode: z.enum(['x', '-', 'l']),
  sha256: Sha256,
});
export type SetEntry = Readonly<z.infer<typeof SetEntry>>;

/** What the operator accepted in one project. */
export const TrustRecord = z.strictObject({
  version: z.literal(1),
  /** The project's real path. */
  project: z.string().startsWith('/'),
  /** Whom the project's directory belonged to: another owner's at the same path is another project. */
  owner: z.int().min(0),
  acceptedAt: z.iso.datetime(),
  /** Of the set; see {@link setHash}. */
  hash: Sha256,
  /** Sorted by path. */
  entries: z.array(SetEntry).readonly(),
  /** Which of them are packs. */
  packs: z.array(z.string().min(1)).readonly(),
  /** Which of them are `agent.json` files. */
  agents: z.array(z.string().min(1)).readonly(),
  /** Whether a pack is `required`: then the kill switch blocks, also when the pack is gone. */
  required: z.boolean(),
});
export type TrustRecord = Readonly<z.infer<typeof TrustRecord>>;

/** SHA-256 over the entries, which have to be sorted by path. No path holds a NUL, so no two sets run together. */
export function setHash(entries: readonly SetEntry[]): string {
  const hash = createHash('sha256');
  for (const { path, mode, sha256 } of entries) hash.update(`${path}\0${mode}\0${sha256}\0`);
  return hash.digest('hex');
}
