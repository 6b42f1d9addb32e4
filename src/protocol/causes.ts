/**
 * The closed list of reasons why a hook could not be asked. "The hook said no" is a decision;
 * "the hook could not be asked" is a cause. The two are never the same thing in any output.
 */
export const causes = [
  'launch_failed',
  'sandbox_unavailable',
  'sandbox_setup_failed',
  'timeout',
  'canceled',
  'output_limit',
  'stderr_limit',
  'payload_limit',
  'memory_limit',
  'process_limit',
  'nonzero_exit',
  'signal',
  'empty_output',
  'invalid_json',
  'multiple_documents',
  'duplicate_key',
  'invalid_encoding',
  'invalid_decision',
  'action_not_allowed',
  'echoed_input',
  'redacted_value_moved',
  'recursion_limit',
  'budget_exhausted',
  'handler_exception',
  'http_error',
  'ssrf_blocked',
  'untrusted',
  'event_mismatch',
  'idempotency_conflict',
  'internal',
] as const;

/** Why an invocation failed. */
export type Cause = (typeof causes)[number];

/**
 * Causes that `onFailure: "continue"` never covers. It covers what the hook itself did wrong, by its program or its
 * answer. Here the wall or the trust is missing, hookcell failed, or somebody other than the hook kept it from being
 * asked, as they could at will: the caller by giving up, the event's sender by its size, id, depth or number, another
 * hook by using up the time.
 */
export const causesThatAlwaysBlock: ReadonlySet<Cause> = new Set<Cause>([
  'untrusted',
  'redacted_value_moved',
  'sandbox_unavailable',
  'sandbox_setup_failed',
  'canceled',
  'payload_limit',
  'recursion_limit',
  'budget_exhausted',
  'idempotency_conflict',
  'internal',
]);
