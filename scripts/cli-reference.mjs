#!/usr/bin/env node
// Writes docs/cli.md from the command definitions in dist/; with --check, only says whether it is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { createProgram } from '../dist/cli/program.js';

const file = new URL('../docs/cli.md', import.meta.url);
const program = createProgram({ io: undefined, finish: () => undefined }, '');

function helpOf(command) {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text.trimEnd();
}

const intro = `# The command line

Generated from the command definitions by \`node scripts/cli-reference.mjs\`; do not edit.

\`run\` and \`exec\` read one event as JSON from stdin:

\`\`\`json
{ "event": "tool:before", "id": "optional", "data": { "tool": "write", "input": { "path": "a.txt" } }, "context": { "step": "implement" } }
\`\`\`

With \`--event NAME\`, stdin may be the bare \`data\` object. The input is UTF-8, at most 16 MiB, ends within 30 seconds, and
has no duplicate keys.

They print one line on stdout: the host's answer, \`{"decision":{"action":"deny","reason":"…"}}\`, with \`data\` beside it when a
hook modified it; with \`--json\` the whole verdict. They print it also when no decision could be made: then it is a \`deny\`,
with \`--json\` beside an \`error\`. The same is said on stderr for people, and by the exit code.

Hooks that only watch run after the answer is printed. When it is a plain allow, they are awaited up to their own limits; after
every other answer they are ended 2 seconds later, so that a host which waits no longer than that still gets the exit code.

Everything else that goes wrong, goes wrong closed: only exit code 0 means "go on". That includes an answer that cannot be
written: a reader that is gone, a full disk, and changed data with a stdout that is closed or \`/dev/null\`. Messages about an
event that cannot be read show one character of it at most, and are redacted. Help of \`run\` and \`exec\` exits 2 as well where
stdin is no terminal: an entry that asks for help asks no hook.

Every signal that can be caught ends the hooks, and then this program with the exit code of what it printed. What no program can
do is answer when it is killed by SIGKILL; a host must treat a hook entry that died of a signal as "do not go on".
`;

const sections = [program, ...program.commands].map((command) => {
  const name = command === program ? 'hookcell' : `hookcell ${command.name()}`;
  return `\n## ${name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`;
});
const reference = intro + sections.join('');

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== reference) {
    console.error('docs/cli.md is stale. Run: npm run build && node scripts/cli-reference.mjs');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, reference);
}
