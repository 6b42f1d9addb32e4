import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { choice, jsonFlag, repeatable } from '../flags.ts';

export interface TestFlags {
  readonly update?: boolean;
  readonly reporter?: 'human' | 'junit' | 'github';
  readonly json?: boolean;
  readonly backend?: 'auto' | 'bubblewrap' | 'none';
  readonly network?: 'none' | 'host';
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

export function addTest(program: Command, { io, finish }: Context): void {
  program
    .command('test')
    .summary('run golden vectors: events and what must come of them')
    .description(
      'Runs *.vector.json files through the real hooks in the real sandbox, and says what came out otherwise than ' +
        'expected. A vector comes from the repository: what it asks for beyond the project, these flags must grant. ' +
        "The operator's configuration (/etc/hookcell, ~/.config/hookcell) is not read, so that a vector gives the same " +
        'everywhere: a vector says in its "options" what its hooks get.',
    )
    .argument(
      '[paths...]',
      'vectors, or directories searched for them (default: this one, else .hookcell of the project around it)',
    )
    .option('--update', 'write what came into "expect" of the vectors that do not pass')
    .addOption(choice('--reporter <name>', 'how to tell (default human)', ['human', 'junit', 'github']))
    .addOption(choice('--backend <name>', 'the wall; none runs hooks without one', ['auto', 'bubblewrap', 'none']))
    .addOption(choice('--network <access>', 'network access that vectors may ask for', ['none', 'host']))
    .addOption(repeatable('--read <path>', 'a path outside of the project that vectors may let hooks read'))
    .addOption(repeatable('--write <path>', 'a path that vectors may let hooks change'))
    .addOption(jsonFlag('print all results as one line of JSON'))
    .addHelpText('after', help)
    .action(async (paths: string[], flags: TestFlags) => {
      const { runTest } = await import('../test.ts');
      finish(await runTest(io, paths, flags));
    });
}

const help = `
Examples:
  hookcell test
  hookcell test vectors --update
  hookcell test --reporter junit > hookcell.xml
  hookcell test --json | jq '.vectors[] | select(.status != "passed")'

Exit codes:
  0  every vector passed, or was updated
  1  one did not pass, or could not be judged
  65 a path is missing or holds no vector
  69 no sandbox: vectors could not be judged`;
