import { quoteForShell, rlimitLine, slotDescriptors, type LaunchOrder } from '../launch/index.ts';
import { sandboxEnvironment } from '../environment.ts';
import type { RunRequest } from '../sandbox.ts';

/** Needed by programs that run without a view: their scratch directories are the machine's own. */
const scratch = { HOME: '/tmp' };

/**
 * The order for a plain child process: limits and a clean environment, no wall. Only for a configuration that says
 * `"backend": "none"`.
 */
export function plainOrder(request: RunRequest, cores: number, boundMemory: boolean): LaunchOrder {
  const { policy, program } = request;
  const { env } = sandboxEnvironment(policy.env, scratch, program.path);
  // Through the pipe and not as arguments of `env`: command lines are readable for every user.
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${quoteForShell(value)}`);
  const steps = [
    `cd ${quoteForShell(program.cwd)}`,
    rlimitLine(policy.limits, { cores, data: boundMemory }),
    `unset PWD OLDPWD && export ${assignments.join(' ')}`,
    `exec ${program.argv.map(quoteForShell).join(' ')} ${closeDescriptors}`,
  ];
  return { wall: 'none', line: steps.join(' && '), options: [], stdin: request.stdin, limits: policy.limits };
}

const closeDescriptors = Object.values(slotDescriptors)
  .map((descriptor) => `${descriptor}<&-`)
  .join(' ');
