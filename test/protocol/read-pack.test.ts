import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineEvent, readPack } from '../../src/protocol/index.ts';
import { base, brief, findings, handler, hook, load, withHook } from './pack-text.ts';

describe('readPack, sound packs', () => {
  it('applies the defaults', () => {
    const { pack, warnings } = load(JSON.stringify(base));
    expect(warnings).toEqual([]);
    expect(pack).toEqual({
      version: 1,
      name: 'quality',
      file: 'p.json',
      required: false,
      files: [],
      sandbox: {},
      reveal: [],
      hooks: [
        {
          id: 'protect',
          event: 'tool:before',
          mode: 'control',
          priority: 100,
          matcher: {},
          onFailure: 'block',
          sandbox: {},
          handler: { type: 'command', command: './check.mjs', decide: 'json', onEmpty: 'fail', stdin: 'utf8' },
          at: { pointer: '/hooks/0', line: 1, column: JSON.stringify(base).indexOf('{"id"') + 1 },
        },
      ],
    });
  });

  it('takes every key of the format', () => {
    const { pack } = load(
      JSON.stringify({
        $schema: '../schema/pack.schema.json',
        ...base,
        description: 'checks',
        required: true,
        files: ['scripts/**/*.mjs'],
        sandbox: { project: 'read', network: 'none', env: ['CI'], read: ['/opt/tools'], memoryMb: 64, maxProcesses: 8 },
        reveal: ['/hook/data/input/token'],
        hooks: [
          {
            ...hook,
            mode: 'control',
            priority: -5,
            matcher: { tools: ['write', '*_delete', '@(a|b)'], steps: ['implement'] },
            onFailure: 'continue',
            sandbox: { network: 'host', env: [], write: ['out'], maxOutputBytes: 4096 },
            handler: {
              ...handler,
              args: ['--max-tokens=100', ''],
              timeoutMs: 600_000,
              decide: 'exit-code',
              stdin: 'ascii',
            },
          },
        ],
      }),
    );
    expect(pack.required).toBe(true);
    expect(pack.hooks[0]?.sandbox).toEqual({
      project: 'read',
      network: 'host',
      env: [],
      read: ['/opt/tools'],
      write: ['out'],
      memoryMb: 64,
      maxProcesses: 8,
      maxOutputBytes: 4096,
    });
    expect(pack.hooks[0]?.handler).toMatchObject({ args: ['--max-tokens=100', ''], timeoutMs: 600_000 });
  });

  it('observes by default where an event only notifies', () => {
    expect(load(withHook({ event: 'run:end' })).pack.hooks[0]?.mode).toBe('observe');
    expect(load(withHook({ event: 'run:end', mode: 'control' })).pack.hooks[0]?.mode).toBe('control');
  });

  it('knows custom: events and those that the host registered', () => {
    expect(load(withHook({ event: 'custom:deploy' })).pack.hooks[0]?.event).toBe('custom:deploy');
    const deploy = defineEvent('deploy:done', { class: 'notify' });
    const knownEvents = new Map([[deploy.name, deploy]]);
    const result = readPack(withHook({ event: 'deploy:done' }), 'p.json', { knownEvents });
    expect(result.ok && result.pack.hooks[0]?.mode).toBe('observe');
    expect(brief(findings(withHook({ event: 'deploy:done' })))).toEqual([['unknown_event', '/hooks/0/event']]);
  });

  it('tolerates a byte order mark, whose column it does not count', () => {
    expect(load(`\uFEFF${JSON.stringify(base)}`).pack.name).toBe('quality');
  });
});

describe('readPack, places', () => {
  it('reports everything at once, in the order of the text, with line and column', () => {
    const text = [
      '{',
      '  "version": 2,',
      '  "nmae": "quality",',
      '  "hooks": [',
      '    { "id": "a", "event": "PreToolUse",',
      '      "handler": { "type": "command", "command": "./a", "timeout": 5 } },',
      '    { "id": "a", "event": "tool:before", "terminationGate": { "maxCycles": 21 },',
      '      "handler": { "type": "http", "url": "https://x" } }',
      '  ]',
      '}',
    ].join('\r\n');
    expect(findings(text).map(({ code, file, pointer, line, column }) => [code, file, pointer, line, column])).toEqual([
      ['missing_key', 'p.json', '/name', 1, 1],
      ['invalid_value', 'p.json', '/version', 2, 14],
      ['unknown_key', 'p.json', '/nmae', 3, 3],
      ['unknown_event', 'p.json', '/hooks/0/event', 5, 27],
      ['unknown_key', 'p.json', '/hooks/0/handler/timeout', 6, 57],
      ['duplicate_hook', 'p.json', '/hooks/1/id', 7, 13],
      ['gate_unavailable', 'p.json', '/hooks/1/terminationGate', 7, 42],
      ['invalid_value', 'p.json', '/hooks/1/terminationGate/maxCycles', 7, 76],
      ['handler_unavailable', 'p.json', '/hooks/1/handler/type', 8, 28],
    ]);
  });

  it.each([
    ['{ "version": 1, }', 'invalid_json', 1, 17],
    ['{\n  // why\n  "version": 1 }', 'invalid_json', 2, 3],
    ['{\n "name": "a",\n "name": "b" }', 'duplicate_key', 3, 2],
    ['{ "__proto__": {} }', 'invalid_json', 1, 3],
    ['{} {}', 'multiple_documents', 1, 4],
    ['', 'invalid_json', 1, 1],
    ['[', 'invalid_json', 1, 2],
    ['['.repeat(100_000), 'invalid_json', 1, 65],
  ])('bad document %#', (text, code, line, column) => {
    expect(findings(text)).toEqual([expect.objectContaining({ code, line, column, file: 'p.json' })]);
  });

  it('bounds the size before it parses', () => {
    expect(brief(findings(`${JSON.stringify(base)}${' '.repeat(1024 * 1024)}`))).toEqual([['too_large', undefined]]);
  });

  it.each(['null', '[]', '"x"', '1', '{}', '{"hooks":{}}', '{"hooks":[null,1,[]]}', '{"hooks":[{"handler":null}]}'])(
    'refuses %s',
    (text) => {
      expect(findings(text).length).toBeGreaterThan(0);
    },
  );
});

describe('readPack, hostile files', () => {
  it.each<[string, string]>([
    ['unknown keys', `{${Array.from({ length: 60_000 }, (_, index) => `"timeout${index}":1`).join(',')}}`],
    ['bad hooks', JSON.stringify({ ...base, hooks: Array.from({ length: 1000 }, () => 1) })],
    ['bad names', JSON.stringify({ ...base, sandbox: { env: Array.from({ length: 60_000 }, () => 'LD_PRELOAD') } })],
  ])('tells the first of very many findings: %s', (_, text) => {
    const found = findings(text);
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatchObject({ code: 'more_findings', message: expect.stringMatching(/^and \d+ more/u) });
  });

  it.each(['--token ', 'a=', 'token=', '-- ', 'https://', '../', 'x'])('reads a megabyte of %j', (part) => {
    const command = part.repeat(Math.floor(1_000_000 / part.length));
    expect(findings(withHook({ handler: { ...handler, command } })).length).toBeGreaterThan(0);
    expect(findings(JSON.stringify({ ...base, files: [command] })).length).toBeGreaterThan(0);
  });
});

describe('readPack, anything', () => {
  it('never throws, and what it refuses has findings', () => {
    const key = fc.constantFrom(
      'version',
      'name',
      'hooks',
      'sandbox',
      'env',
      'handler',
      'command',
      'args',
      'event',
      'id',
      'matcher',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('tree'), { maxLength: 3 }),
      object: fc.dictionary(fc.oneof(key, fc.string()), tie('tree'), { maxKeys: 5 }),
    }));
    fc.assert(
      fc.property(
        fc.oneof(
          tree.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        (text) => {
          const result = readPack(text, 'p.json');
          if (result.ok) return;
          expect(result.findings.length).toBeGreaterThan(0);
          for (const finding of result.findings) expect(finding.message).toMatch(/\S/u);
        },
      ),
    );
  });
});
