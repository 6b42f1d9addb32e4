import type { Policy } from './starter.ts';

/**
 * sh cannot read JSON, and jq may not be there: text is looked for in the whole envelope. That is sound in one direction,
 * since an envelope is written without white space and without needless escapes: it misses nothing, and denies too much.
 */
export function shellScript(policy: Policy, reason: string): string {
  return `#!/bin/sh
# A hook in exit-code style: exit 0 allows, exit 1 denies with the last lines of stderr as the reason, and every other
# exit is a failure, which blocks.
#
# Its limits: sh cannot read JSON, so this looks for text in the whole envelope, names of keys, the content of a file
# and the paths of the project included. It denies more than it should, and cannot tell one field from another. To
# decide by one field, read JSON as JSON: hookcell init --language node (or python) shows how.
envelope=$(cat) || exit 2

case $envelope in
  '{'*'}') ;;
  *) echo 'expected an envelope on stdin' >&2; exit 2 ;;
esac

case $envelope in
  ${patterns[policy]})
    echo '${reason}' >&2
    exit 1
    ;;
esac
`;
}

const patterns: Readonly<Record<Policy, string>> = {
  // A string that is, or a path with a part that is, .env or .env.something.
  paths: String.raw`*\".env[\"./]* | */.env[\"./]*`,
  words: '*[Pp]roduction*',
};
