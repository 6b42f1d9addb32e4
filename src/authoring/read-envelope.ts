import type { EnvelopeOf } from './types.ts';

/**
 * Reads what came on stdin. hookcell wrote it and checked it, so only what tells an envelope from something else is looked
 * at, and that it is of the event that the hook was defined for.
 *
 * @throws {TypeError} when it is no envelope, or of another event.
 */
export function readEnvelope(bytes: Uint8Array, event: string | undefined): EnvelopeOf {
  const envelope: unknown = parse(bytes);
  if (!isEnvelope(envelope)) {
    throw new TypeError('stdin: expected an envelope of version 1; run the hook by hookcell');
  }
  const came = envelope.hook.event;
  if (event !== undefined && came !== event) {
    const defined = JSON.stringify(event);
    throw new TypeError(
      `expected the event ${defined}, for which this hook is defined, got ${JSON.stringify(came)}; change "event" in the pack, or the name in defineHook`,
    );
  }
  return envelope;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The engine's message quotes the text, which may hold anything.
    throw new TypeError(`stdin: expected one JSON document in UTF-8, got ${bytes.length} bytes that are none`);
  }
}

function isEnvelope(value: unknown): value is EnvelopeOf {
  if (!isObject(value) || value['version'] !== 1) return false;
  const { hook, context, redacted } = value;
  return (
    isObject(hook) &&
    typeof hook['event'] === 'string' &&
    isObject(hook['data']) &&
    isObject(context) &&
    Array.isArray(redacted)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
