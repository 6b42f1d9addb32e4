import type { Command } from 'commander';
import { choice, jsonFlag, repeatable, single, whole } from './flags.ts';

/** The flags that say what hooks are granted. They are the operator's word: what they grant, hooks may ask for. */
export function addDispatchFlags(
  command: Command,
  json = "print the whole verdict as one line of JSON instead of the host's answer",
): Command {
  return command
    .addOption(choice('--profile <name>', 'default time limits: oss 5 s, managed 60 s for a hook', ['oss', 'managed']))
    .addOption(choice('--backend <name>', 'the wall; none runs hooks without one', ['auto', 'bubblewrap', 'none']))
    .addOption(
      choice('--project <view>', 'what of the working directory hooks may see, read-only', ['none', 'files', 'read']),
    )
    .addOption(repeatable('--read <path>', 'a further existing path that hooks may read'))
    .addOption(repeatable('--write <path>', 'an existing path that hooks may change'))
    .addOption(choice('--network <access>', 'network access of hooks', ['none', 'host']))
    .addOption(repeatable('--env <name>', 'a variable of this environment that hooks may get'))
    .addOption(repeatable('--reveal <pointer>', 'a value of the event that hooks may see unredacted'))
    .addOption(repeatable('--modify-with-secrets <pack>', 'a pack that may change data beside a redacted value'))
    .addOption(whole('--timeout-ms <ms>', 'time limit of a hook that sets none itself', 'milliseconds', 600_000))
    .addOption(
      whole('--memory-mb <mib>', 'memory limit of a hook; refused where it cannot be enforced', 'MiB', 1_048_576),
    )
    .addOption(
      whole(
        '--max-processes <count>',
        'process limit of a hook; refused where it cannot be enforced',
        'processes',
        1024,
      ),
    )
    .addOption(whole('--max-output-bytes <bytes>', 'limit of what a hook may print on stdout', 'bytes', 16_777_216))
    .addOption(jsonFlag(json));
}

/** The flags that say which packs there are. */
export function addPackFlags(command: Command): Command {
  return command
    .addOption(
      repeatable(
        '--packs <path>',
        'a pack file or a directory of them; without it those of the project, which `run` blocks until they are accepted',
      ),
    )
    .addOption(single('--agent <file>', 'agent.json, whose "hooks" choose packs by name'));
}

export const dispatchExitCodes = `
Exit codes:
  0  go on: allow, modify, or no hook objected
  2  do not go on: deny, stop, ask, defer, and every failure (a bad flag, event or pack,
     a missing sandbox, an interruption, an internal error), since agent hosts take
     every other code as leave to go on`;
