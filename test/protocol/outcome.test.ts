import { describe, expect, it } from 'vitest';
import { Envelope, VerdictDocument } from '../../src/protocol/index.ts';

const facts = {
  hook: { pack: 'quality', id: 'protect-writes' },
  mode: 'control',
  durationMs: 5012.4,
  queueMs: 0.1,
  timeoutMs: 5000,
  bytes: { stdin: 812, stdinUnread: 0, stdout: 0, stderr: 0 },
  exit: { code: null, signal: 'SIGKILL' },
  sandbox: {
    backend: 'bubblewrap',
    enforced: {
      filesystem: 'view',
      network: 'namespace+seccomp',
      processes: 'cgroup-v1',
      memory: 'cgroup-v1',
      kill: 'cgroup.kill',
      syscalls: 'seccomp',
    },
  },
  stderrTail: '',
  notes: ['cut'],
} as const;

const verdict: VerdictDocument = {
  version: 1,
  event: 'tool:before',
  eventId: 'e1',
  decision: { action: 'deny', reason: 'could not be asked' },
  data: { tool: 'write' },
  failedOpen: [{ hook: facts.hook, cause: 'nonzero_exit' }],
  outcomes: [
    { ...facts, status: 'answered', decision: { action: 'allow' } },
    { ...facts, status: 'no-opinion' },
    { ...facts, status: 'failed', cause: 'timeout', message: 'too late', decision: { action: 'deny' } },
    { ...facts, status: 'skipped', message: 'the chain ended' },
  ],
};

describe('VerdictDocument', () => {
  it('accepts a verdict with every key, and keeps all of it', () => {
    expect(VerdictDocument.parse(verdict)).toEqual(verdict);
  });

  it('refuses a cause, an action or a key that does not exist', () => {
    expect(VerdictDocument.safeParse({ ...verdict, decision: { action: 'maybe' } }).success).toBe(false);
    expect(
      VerdictDocument.safeParse({ ...verdict, failedOpen: [{ hook: facts.hook, cause: 'bad_luck' }] }).success,
    ).toBe(false);
    expect(VerdictDocument.safeParse({ ...verdict, allowed: true }).success).toBe(false);
  });
});

describe('Envelope', () => {
  it('accepts the envelope of the protocol', () => {
    const envelope: Envelope = {
      version: 1,
      idempotencyKey: `hk1_${'A'.repeat(43)}`,
      hook: {
        id: 'a',
        pack: 'p',
        event: 'tool:before',
        attempt: 1,
        depth: 0,
        timeoutMs: 5000,
        data: { tool: 'write' },
      },
      context: { runId: 'r', sessionId: 's', agentId: 'a', step: 'i', project: 'p', cwd: '/' },
      redacted: [{ pointer: '/hook/data/input/apiKey', kind: 'api-key' }],
    };
    expect(Envelope.parse(envelope)).toEqual(envelope);
    expect(Envelope.safeParse({ ...envelope, idempotencyKey: 'x' }).success).toBe(false);
  });
});
