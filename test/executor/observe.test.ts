import { channel } from 'node:diagnostics_channel';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { executorOf, hookOf, toolEvent } from '../support/executor.ts';

const none = { sandbox: { backend: 'none' } } as const;

test('observing hooks change nothing, see the final data and are not waited for', async () => {
  const executor = await executorOf(
    [
      { ...hookOf('append-to-content.py'), id: 'm' },
      hookOf('deny.sh', { mode: 'observe' }),
      hookOf('not-json.sh', { mode: 'observe' }),
      hookOf('say-envelope.py', { mode: 'observe' }),
    ],
    none,
  );
  const verdict = await executor.dispatch(toolEvent({ content: 'x' }));
  expect(verdict.decision.action).toBe('modify');
  expect(verdict.outcomes).toHaveLength(1);
  const observed = await verdict.observed;
  expect(observed.map(({ hook, status }) => [hook.id, status])).toEqual([
    ['deny', 'answered'],
    ['not-json', 'failed'],
    ['say-envelope', 'answered'],
  ]);
  expect(JSON.stringify(observed)).toContain('x+m');
});

test('close waits for observing hooks, queued ones too, and a closed executor refuses', async () => {
  const hooks = ['first', 'second'].map((id) => ({ ...hookOf('slow-deny.sh', { mode: 'observe' }), id }));
  const executor = await executorOf(hooks, { ...none, concurrency: 1 });
  const verdict = await executor.dispatch(toolEvent());
  let through = false;
  void verdict.observed.then(() => (through = true));
  await executor.close();
  expect(through).toBe(true);
  expect((await verdict.observed).map(({ status }) => status)).toEqual(['answered', 'answered']);
  await expect(executor.dispatch(toolEvent())).rejects.toMatchObject({ code: 'executor_closed' });
});

test('the log and the channels carry names, causes and sizes, and no data', async () => {
  const lines: string[] = [];
  const messages: unknown[] = [];
  const names = ['hookcell:invocation:start', 'hookcell:invocation:end', 'hookcell:verdict'];
  const listen = (message: unknown, name: string | symbol): void => void messages.push([name, message]);
  for (const name of names) channel(name).subscribe(listen);
  onTestFinished(() => names.forEach((name) => channel(name).unsubscribe(listen)));
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const executor = await executorOf([hookOf('not-json.sh', { onFailure: 'continue' })], { ...none, logger });
  await executor.dispatch(toolEvent({ content: 'private words' }));
  const log: unknown[] = lines.map((line) => JSON.parse(line));
  expect(log).toContainEqual(
    expect.objectContaining({
      level: 40,
      msg: 'hook failed open',
      hookcell: expect.objectContaining({ hook: 'p/not-json', cause: 'invalid_json', failedOpen: true }),
    }),
  );
  expect(lines.join('')).not.toContain('private words');
  expect(messages).toMatchObject(names.map((name) => [name, expect.anything()]));
});
