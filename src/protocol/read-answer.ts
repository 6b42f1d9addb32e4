import type { Cause } from './causes.ts';
import { onlyInGates } from './check-decision.ts';
import { Answer } from './decision.ts';
import type { Action, Decision } from './decision.ts';
import { getOwn } from './json-object.ts';
import { pointerOf } from './json-pointer.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { isJsonObject } from './json-value.ts';
import { parseJson } from './parse-json.ts';
import { recogniseRestriction, recogniseRestrictionBesideEcho } from './recognise-restriction.ts';
import type { Restriction } from './restriction-words.ts';
import { firstRemarkOf } from './schema-remarks.ts';
import { showBytes, showText } from './shown-text.ts';

/**
 * What an answer came to. A failed one may still carry a restriction that could be recognised in it:
 * it tightens, whatever `onFailure` says; it is never an allow or a modify.
 */
export type AnswerReading =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly cause: Cause; readonly message: string; readonly decision?: Restriction };

const example = '{"decision":{"action":"allow"}}';
/** Those that some event takes; `continue` needs a termination gate, and there is none yet. */
const sayable: readonly Action[] = ['allow', 'modify', 'ask', 'defer', 'deny', 'stop'];

/**
 * Reads what a handler printed: exactly one strict JSON object with a decision (PROTOCOL section 3). A UTF-8 BOM and
 * white space around it are tolerated, nothing else. Whether the action is allowed on the event is not judged here.
 * Never throws.
 *
 * @param sent what the handler was asked, so that an answer that only repeats it is recognised.
 */
export function readAnswer(stdout: Uint8Array, sent?: { readonly event: string }): AnswerReading {
  const text = decode(stdout);
  if (text === undefined) {
    const hint = looksLikeUtf16(stdout) ? ' (it looks like UTF-16)' : '';
    const lenient = new TextDecoder('utf-8').decode(stdout);
    return failed(
      'invalid_encoding',
      `expected UTF-8 on stdout, got ${showBytes(stdout)}${hint}; print UTF-8`,
      lenient,
    );
  }
  if (/^[ \t\r\n]*$/.test(text)) {
    return {
      ok: false,
      cause: 'empty_output',
      message: `expected one JSON object on stdout, such as ${example}, got nothing`,
    };
  }
  const parsed = parseJson(text, { numbers: 'reject-lossy' });
  if (!parsed.ok)
    return failed(
      parsed.cause,
      `expected one JSON object on stdout: ${parsed.message}${nextStep(parsed.cause, text)}`,
      text,
    );
  const fault = faultOf(parsed.value, sent);
  // An answer that was encoded twice is a string of JSON: the denial is inside it.
  if (fault !== undefined)
    return failed(fault.cause, fault.message, typeof parsed.value === 'string' ? parsed.value : text);
  const answer = Answer.safeParse(parsed.value);
  if (answer.success) return { ok: true, decision: answer.data.decision };
  return failed('invalid_decision', describe(parsed.value), text);
}

/**
 * Reads the exit code of a handler with `"decide": "exit-code"`: 0 allows, 1 denies with the last non-empty lines of
 * stderr as the reason, everything else is no decision.
 */
export function readExitCodeAnswer(exit: { readonly code: number | null }, stderr: string): AnswerReading {
  if (exit.code === 0) return { ok: true, decision: { action: 'allow' } };
  if (exit.code === 1) {
    const reason = lastLines(stderr);
    return { ok: true, decision: { action: 'deny', ...(reason === '' ? {} : { reason }) } };
  }
  if (exit.code === null) {
    return { ok: false, cause: 'signal', message: 'expected exit code 0 (allow) or 1 (deny), got the end by a signal' };
  }
  return {
    ok: false,
    cause: 'nonzero_exit',
    message: `expected exit code 0 (allow) or 1 (deny), got ${exit.code}`,
  };
}

/**
 * Exit code 2 is how the hooks of most hosts say no, with the reason on stderr. It is no valid answer here, and must not
 * become an allow either.
 */
export function denialByExitCode(exit: { readonly code: number | null }, stderr: string): Restriction | undefined {
  if (exit.code !== 2) return undefined;
  const reason = lastLines(stderr);
  return { action: 'deny', ...(reason === '' ? {} : { reason }) };
}

const reasonLines = 10;

function lastLines(stderr: string): string {
  const lines = stderr.split(/\r?\n/).filter((line) => line.trim() !== '');
  const kept = lines.slice(-reasonLines).join('\n').trim();
  return lines.length > reasonLines ? `[the last ${reasonLines} lines of stderr]\n${kept}` : kept;
}

function failed(cause: Cause, message: string, text: string): AnswerReading {
  const decision = cause === 'echoed_input' ? recogniseRestrictionBesideEcho(text) : recogniseRestriction(text);
  return { ok: false, cause, message, ...(decision === undefined ? {} : { decision }) };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function looksLikeUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Faults of the document's shape that deserve their own words, before the schema speaks. */
function faultOf(value: JsonValue, sent?: { readonly event: string }): { cause: Cause; message: string } | undefined {
  if (!isJsonObject(value)) {
    return invalid(`expected a JSON object such as ${example}, got ${kindOf(value)}`);
  }
  if (isEcho(value, sent)) {
    return {
      cause: 'echoed_input',
      message: `the handler printed its own input; print a decision instead, such as ${example}`,
    };
  }
  const unknown = Object.keys(value).find((key) => key !== 'decision');
  if (unknown !== undefined) return invalid(`unknown key ${showText(unknown)}; ${shapeHint(value)}`);
  const decision = getOwn(value, 'decision');
  if (decision === undefined) return invalid(`the key "decision" is missing; expected ${example}`);
  if (!isJsonObject(decision)) return invalid(`expected an object at /decision, got ${kindOf(decision)}`);
  const action = getOwn(decision, 'action');
  if (action !== 'continue' && !sayable.some((known) => known === action)) {
    const got = typeof action === 'string' ? showText(action) : action === undefined ? 'nothing' : kindOf(action);
    return invalid(`expected one of ${sayable.join(', ')} at /decision/action, got ${got}`);
  }
  return undefined;
}

/** What mends a text that is not one JSON document. */
function nextStep(cause: Cause, text: string): string {
  if (text.includes('\0')) return '; print UTF-8 (the NUL bytes look like UTF-16)';
  if (cause === 'multiple_documents') return '; print one decision, once';
  if (cause === 'duplicate_key') return '; build the answer with a JSON library';
  return '; print the decision alone on stdout, and everything else on stderr';
}

/** Answers of other shapes that people write by mistake, or for another host. */
function shapeHint(value: JsonObject): string {
  if (typeof getOwn(value, 'action') === 'string') return `put it inside "decision": ${example}`;
  const foreign = ['hookSpecificOutput', 'continue', 'permission', 'block', 'permissionDecision'];
  if (foreign.some((key) => Object.hasOwn(value, key)))
    return `this looks like the answer to another host; expected an object such as ${example}`;
  return 'the only key is "decision"';
}

/** The envelope itself, the native event, or the event of a foreign host. */
function isEcho(value: JsonObject, sent?: { readonly event: string }): boolean {
  const has = (key: string) => Object.hasOwn(value, key);
  if (has('hook') && (has('idempotencyKey') || has('version'))) return true;
  if (has('hook_event_name') && !has('decision')) return true;
  return sent !== undefined && getOwn(value, 'event') === sent.event && has('data') && !has('decision');
}

function invalid(message: string): { cause: Cause; message: string } {
  return { cause: 'invalid_decision', message };
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function describe(value: JsonValue): string {
  const remark = firstRemarkOf(Answer, value);
  if (remark === undefined) return `expected ${example}`;
  const decision = isJsonObject(value) ? getOwn(value, 'decision') : undefined;
  const refused = isJsonObject(decision) && getOwn(decision, 'action') === 'continue' ? `; ${onlyInGates}` : '';
  if (remark.code === 'unknown_key') return `at ${pointerOf(remark.path.slice(0, -1))}: ${remark.message}${refused}`;
  return `${remark.message} at ${pointerOf(remark.path)}${refused}`;
}
