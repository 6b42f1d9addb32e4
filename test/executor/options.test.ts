import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../src/executor/options.ts';
import { HookcellError } from '../../src/index.ts';
import { executorOf, handlers, hookOf, toolEvent } from '../support/executor.ts';

function messageOf(options: unknown): string {
  try {
    resolveOptions(options);
  } catch (error) {
    if (error instanceof HookcellError && error.code === 'invalid_options') return error.message;
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('options that are refused say what was expected, what came, where, and what to do', () => {
  test.each<[unknown, RegExp]>([
    [{ pack: 'x' }, /^invalid options: unknown key "pack"; did you mean "packs"\? at \/pack$/u],
    [{ zebra: 1 }, /unknown key "zebra"; expected one of packs, agent, profile, .* at \/zebra$/u],
    [{ sandbox: { networks: 'host' } }, /unknown key "networks"; did you mean "network"\? at \/sandbox\/networks$/u],
    [{ profile: 'x' }, /expected "oss" or "managed", got "x" at \/profile$/u],
    [{ agent: 5 }, /expected a string, got 5 at \/agent$/u],
    [{ packs: 5 }, /expected a path, a pack object, or an array of these, got 5 at \/packs$/u],
    [{ limits: { maxDepth: 9 } }, /expected a whole number from 0 to 8, got 9 at \/limits\/maxDepth$/u],
    [{ sandbox: { limits: { timeoutMs: '5' } } }, /expected a whole number from 1 to 600000, got "5" \(a number/u],
    [{ logger: { warn: () => {} } }, /expected a pino logger, or an object with .* at \/logger$/u],
    [{ logger: () => {} }, /expected a pino logger.*, got "a function" at \/logger$/u],
    [{ grants: { reveal: ['/x'] } }, /expected a JSON Pointer that starts with \/hook\/data\/, got "\/x"/u],
    ['.hookcell/hooks', /^invalid options: expected an object, got ".hookcell\/hooks"$/u],
    [{ pack: 'x', zebra: 1 }, /\(and 1 more\)$/u],
  ])('%j', (options, words) => {
    expect(messageOf(options)).toMatch(words);
  });

  test('and do not repeat secrets', () => {
    const secret = 'hunter2hunter2';
    for (const options of [{ installationKey: secret }, { secrets: secret }, { sandbox: { env: secret } }])
      expect(messageOf(options)).not.toContain(secret);
  });
});

test('undefined stands for what is not given, at every level', async () => {
  const executor = await executorOf([hookOf('allow.sh')], {
    agent: undefined,
    profile: undefined,
    projectRoot: handlers,
    sandbox: { backend: 'none', network: undefined, env: { CI: undefined }, limits: { timeoutMs: undefined } },
    limits: { maxDepth: undefined, totalTimeMs: undefined },
    grants: { reveal: undefined },
    configuration: undefined,
    secrets: { KEY: undefined },
    logger: undefined,
    concurrency: undefined,
    stateDirectory: undefined,
    killSwitch: undefined,
  });
  expect(await executor.dispatch(toolEvent())).toMatchObject({ decision: { action: 'allow' } });
  const { hooks } = executor.list();
  expect(hooks).toMatchObject([{ timeoutMs: 20_000 }]);
});
