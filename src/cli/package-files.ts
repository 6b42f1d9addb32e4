import { readFileSync } from 'node:fs';

/** This package, from `src/cli` and from `dist/cli`: the build puts every module of the command line there, beside each other. */
const root = new URL('../../', import.meta.url);

/** Where the JSON Schemas are. */
export const schemaDirectory = new URL('schema/', root);

export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  return version;
}
