import type { Cause } from './causes.ts';

/** One line each: what happened, and what mends it. */
export interface CauseText {
  readonly meaning: string;
  readonly remedy: string;
}

/** Meaning and remedy of every cause; `docs/causes.md` is made from it. */
export const causeCatalogue: Readonly<Record<Cause, CauseText>> = {
  launch_failed: {
    meaning:
      'The program could not be executed: it is missing, not executable, or its first line names no usable interpreter.',
    remedy:
      'Check the path (relative ones start at the project root), and a script’s first line (a compiled program: `chmod +x`); `hookcell validate` names the fault.',
  },
  sandbox_unavailable: {
    meaning: 'This machine cannot enforce what the policy asks for, so nothing was run.',
    remedy: 'Run `hookcell doctor`: it names what is missing and the command that mends it.',
  },
  sandbox_setup_failed: {
    meaning: 'The sandbox could not be built this time; the program never ran.',
    remedy: 'Read the message: most often a granted path is gone. If not, run `hookcell doctor`.',
  },
  timeout: {
    meaning: 'The hook had not ended when its time was up, and was killed with everything it had started.',
    remedy: 'Make the hook quicker, or raise `timeoutMs` (milliseconds, at most 600000).',
  },
  canceled: {
    meaning: 'The caller gave up on the event before the hook had ended.',
    remedy: 'Nothing to mend in the hook; look at the host that canceled.',
  },
  output_limit: {
    meaning: 'The hook wrote more to stdout than it may, and was killed.',
    remedy: 'Print the answer alone; send logs to stderr. Raise `maxOutputBytes` only for large modified data.',
  },
  stderr_limit: {
    meaning: 'The hook wrote more to stderr than it may, and was killed.',
    remedy: 'Log less; the last part of stderr is in the outcome.',
  },
  payload_limit: {
    meaning: 'The envelope would be larger than the bound, so the hook was not asked.',
    remedy: 'Send less data with the event, or let the operator raise `maxEnvelopeBytes`.',
  },
  memory_limit: {
    meaning: 'The hook reached its memory limit; what it printed does not count.',
    remedy: 'Use less memory, or raise `memoryMb` in the pack within what the operator grants.',
  },
  process_limit: {
    meaning: 'The hook reached its limit of processes; what it printed does not count.',
    remedy: 'Start fewer processes, or raise `maxProcesses` in the pack.',
  },
  nonzero_exit: {
    meaning: 'The hook ended with an exit code other than 0, so an allow from it would not count.',
    remedy:
      'Exit 0 after printing the answer; the end of stderr is in the outcome. For checks without JSON use `"decide": "exit-code"`.',
  },
  signal: {
    meaning: 'A signal that hookcell did not send ended the hook.',
    remedy: 'Look for a crash in the end of stderr.',
  },
  empty_output: {
    meaning: 'The hook exited 0 and printed nothing.',
    remedy:
      'Print `{"decision":{"action":"allow"}}` when there is no objection; check that the file really runs something.',
  },
  invalid_json: {
    meaning: 'What the hook printed is not one JSON object.',
    remedy: 'Print the answer alone on stdout and logs on stderr; the message shows the first stray text.',
  },
  multiple_documents: {
    meaning: 'The hook printed more than one JSON document, and none of them is to be preferred.',
    remedy: 'Print exactly one answer; look for a second print or a child that shares stdout.',
  },
  duplicate_key: {
    meaning: 'A key stands twice in one object of the answer, so that it has two readings.',
    remedy: 'Build the answer with a JSON library, not by joining strings.',
  },
  invalid_encoding: {
    meaning: 'What the hook printed is not UTF-8.',
    remedy: 'Write UTF-8; set the encoding of stdout explicitly in the script.',
  },
  invalid_decision: {
    meaning:
      'The answer is JSON, but not a decision: an unknown key or action, a wrong type, or a field that may not be modified.',
    remedy: 'Compare it with `hookcell schema answer`; the message names the key.',
  },
  action_not_allowed: {
    meaning: 'The action exists, but cannot be answered at this event.',
    remedy: 'Use one of the actions that the message lists; docs/events.md has them for every event.',
  },
  echoed_input: {
    meaning: 'The hook printed the envelope that it was given.',
    remedy: 'Print a decision instead of copying stdin to stdout.',
  },
  redacted_value_moved: {
    meaning: 'Modified data has a redaction marker at another place, or an edited string around one.',
    remedy: 'Leave strings that hold a marker as they came, or remove them whole.',
  },
  recursion_limit: {
    meaning: 'Hooks caused events whose hooks caused events, deeper than the bound.',
    remedy: 'Keep a hook from triggering its own event, for example by a narrower matcher.',
  },
  budget_exhausted: {
    meaning:
      'The total time or number of hooks for one event, or the rate of one hook, was used up before this hook could be asked.',
    remedy: 'Use fewer or quicker hooks, or look for a loop.',
  },
  handler_exception: {
    meaning: 'Code inside an isolate threw an error.',
    remedy: 'Mend the error that the message shows.',
  },
  http_error: {
    meaning: 'An HTTP handler could not be reached or answered with an error.',
    remedy: 'Check the address and the service.',
  },
  ssrf_blocked: {
    meaning: 'An HTTP handler has an address inside a network that hooks may not reach.',
    remedy: 'Use a public address, or let the operator grant this one.',
  },
  untrusted: {
    meaning: 'Nobody accepted the pack, or it changed since, or it asks for more than was granted.',
    remedy:
      'Read what it asks for and what changed, then accept it with `hookcell trust`; for a grant the message has the flag and the line.',
  },
  event_mismatch: {
    meaning: 'The answer names another event than the one that was asked about.',
    remedy: 'Answer with the name of the event that came on stdin.',
  },
  idempotency_conflict: {
    meaning: 'An event id came back with other content.',
    remedy: 'Give every event an id of its own and use it again only for a redelivery.',
  },
  internal: {
    meaning: 'hookcell itself failed.',
    remedy: 'Report it with the message; the event was blocked.',
  },
};
