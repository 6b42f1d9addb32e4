import { describe, expect, it } from 'vitest';
import { bounds } from '../../src/protocol/index.ts';
import { base, brief, findings, hook, withHandler, withHook } from './pack-text.ts';

describe('readPack, refusals', () => {
  it.each([0, -1, 0.5, '5', null, 600_001, true, { ms: 5 }])('timeoutMs %j', (timeoutMs) => {
    const [finding, ...others] = findings(withHandler({ timeoutMs }));
    expect(others).toEqual([]);
    expect(finding?.pointer).toBe('/hooks/0/handler/timeoutMs');
    expect(finding?.message).toContain(
      `expected a whole number of milliseconds from 1 to ${bounds.timeoutMs.ceiling}, got `,
    );
  });

  it('says that 0 is no "no limit", and that a number has no quotes', () => {
    expect(findings(withHandler({ timeoutMs: 0 }))[0]?.message).toContain('0 does not mean "no limit"');
    expect(findings(withHandler({ timeoutMs: '5' }))[0]?.message).toContain(
      'got "5" (a number is written without quotes)',
    );
  });

  it.each([
    ['PreToolUse', 'that is a name of Claude Code; here it is "tool:before"'],
    ['on_tool_call', 'zett; here it is "tool:before" or "tool:after"'],
    ['tool:befor', 'did you mean "tool:before"?'],
    ['toolBefore', 'did you mean "tool:before"?'],
    ['pre_tool_use', 'did you mean "tool:before"?'],
    ['zzz', 'after "custom:"'],
    ['custom:', 'unknown event'],
    ['constructor', 'unknown event'],
  ])('event %s', (event, text) => {
    const [finding, ...others] = findings(withHook({ event }));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'unknown_event', message: expect.stringContaining(text) });
  });

  it.each([
    [withHandler({ timeout_ms: 5 }), 'did you mean "timeoutMs"?'],
    [withHandler({ timeout: 5 }), 'did you mean "timeoutMs"?'],
    [withHook({ onfailure: 'block' }), 'did you mean "onFailure"?'],
    [withHook({ matcher: { tool: ['x'] } }), 'did you mean "tools"?'],
    [JSON.stringify({ ...base, sandbox: { memory: 5 } }), 'did you mean "memoryMb"?'],
    [withHook({ sandbox: { xyzzy: 5 } }), 'expected one of project, network, env'],
  ])('unknown key in %s', (text, message) => {
    expect(findings(text)).toEqual([
      expect.objectContaining({ code: 'unknown_key', message: expect.stringContaining(message) }),
    ]);
  });

  it.each(['http', 'script', 'tool', 'prompt', 'agent', 'mcp_tool'])('handler type %s, whatever its keys', (type) => {
    const found = findings(withHook({ handler: { type, url: 'https://x', code: 1 } }));
    expect(found).toEqual([
      expect.objectContaining({
        code: 'handler_unavailable',
        message: `handler type "${type}" is not available in this version; available: command`,
      }),
    ]);
  });

  it.each<[string, object, string]>([
    ['unknown type', { type: 'comand' }, '/hooks/0/handler/type'],
    ['empty command', { command: '' }, '/hooks/0/handler/command'],
    ['blank command', { command: ' \n' }, '/hooks/0/handler/command'],
    ['empty argv', { command: [] }, '/hooks/0/handler/command'],
    ['blank program', { command: [' ', 'x'] }, '/hooks/0/handler/command/0'],
    ['NUL in an argument', { command: ['a', 'b\u0000c'] }, '/hooks/0/handler/command/1'],
    ['number in args', { args: [1] }, '/hooks/0/handler/args/0'],
    ['argv and args', { command: ['a'], args: ['b'] }, '/hooks/0/handler/args'],
    ['decide', { decide: 'exit' }, '/hooks/0/handler/decide'],
    ['onEmpty', { onEmpty: 'allow' }, '/hooks/0/handler/onEmpty'],
    ['stdin', { stdin: 'utf-16' }, '/hooks/0/handler/stdin'],
  ])('handler: %s', (_, keys, pointer) => {
    const [finding, ...others] = findings(withHandler(keys));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: 'invalid_value',
      pointer,
      message: expect.stringMatching(/^expected .*got /u),
    });
  });

  it.each(['C:\\x\\guard.py', 'python C:\\x\\guard.py', '.\\check.cmd', '\\\\server\\share\\x', ['D:\\x.exe']])(
    'the Windows path %j',
    (command) => {
      expect(findings(withHandler({ command }))).toEqual([expect.objectContaining({ code: 'windows_path' })]);
    },
  );

  it.each<[string, object, string]>([
    ['name', { name: '../x' }, '/name'],
    ['long name', { name: 'x'.repeat(65) }, '/name'],
    ['files outside', { files: ['../secret'] }, '/files/0'],
    ['files absolute', { files: ['/etc/passwd'] }, '/files/0'],
    ['files inner ..', { files: ['a/../../b'] }, '/files/0'],
    ['reveal all', { reveal: [''] }, '/reveal/0'],
    ['reveal context', { reveal: ['/context/runId'] }, '/reveal/0'],
    ['home path', { sandbox: { read: ['~/.ssh'] } }, '/sandbox/read/0'],
    ['env with value', { sandbox: { env: ['CI=1'] } }, '/sandbox/env/0'],
    ['network', { sandbox: { network: true } }, '/sandbox/network'],
    ['too many processes', { sandbox: { maxProcesses: 1025 } }, '/sandbox/maxProcesses'],
    ['no memory', { sandbox: { memoryMb: 0 } }, '/sandbox/memoryMb'],
    ['required', { required: 'yes' }, '/required'],
    ['matcher without entries', { hooks: [{ ...hook, matcher: { tools: [] } }] }, '/hooks/0/matcher/tools'],
    ['hook id', { hooks: [{ ...hook, id: 'a b' }] }, '/hooks/0/id'],
    ['priority', { hooks: [{ ...hook, priority: 1.5 }] }, '/hooks/0/priority'],
  ])('%s', (_, keys, pointer) => {
    expect(brief(findings(JSON.stringify({ ...base, ...keys })))).toEqual([['invalid_value', pointer]]);
  });

  it.each(['LD_PRELOAD', 'NODE_OPTIONS', 'GIT_DIR', 'PYTHONPATH', 'PATH', 'HOME', 'HOOKCELL_DEPTH'])(
    'the environment name %s, in the pack and in a hook',
    (name) => {
      const text = JSON.stringify({
        version: 1,
        name: 'p',
        sandbox: { env: ['CI', name] },
        hooks: [{ ...hook, sandbox: { env: [name] } }],
      });
      expect(brief(findings(text))).toEqual([
        ['refused_environment_name', '/sandbox/env/1'],
        ['refused_environment_name', '/hooks/0/sandbox/env/0'],
      ]);
    },
  );

  it('a termination gate, also a sound one', () => {
    const gate = { maxCycles: 3, maxDurationMs: 3_600_000, maxTokens: 10_000_000 };
    expect(findings(withHook({ event: 'turn:stop', terminationGate: gate }))).toEqual([
      expect.objectContaining({
        code: 'gate_unavailable',
        message: expect.stringContaining('termination gates are not available yet'),
      }),
    ]);
    const bad = { maxCycles: 0, maxDurationMs: 3_600_001, maxTokens: 10_000_001, more: 1 };
    expect(findings(withHook({ terminationGate: bad }))).toHaveLength(5);
    expect(brief(findings(withHook({ terminationGate: null })))).toContainEqual([
      'gate_unavailable',
      '/hooks/0/terminationGate',
    ]);
  });
});
