#!/usr/bin/env node
// Writes the files that are made from the sources: schema/*.schema.json and the tables in docs/.
// A test compares the committed files with what this would write.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runnerImport } from 'vite';

const root = path.dirname(import.meta.dirname);
const { module } = await runnerImport(path.join(root, 'scripts/lib/generated-files.ts'), { root, configFile: false });
for (const file of module.generatedFiles) {
  const place = path.join(root, file.path);
  const current = await readFile(place, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const content = file.content(current);
  if (content === current) continue;
  await writeFile(place, content);
  console.log(`wrote ${file.path}`);
}
