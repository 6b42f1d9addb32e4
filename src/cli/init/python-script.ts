import type { Policy } from './starter.ts';

/** Needs a python3 on this machine, and nothing beside it. */
export function pythonScript(policy: Policy, reason: string): string {
  return `#!/usr/bin/env python3
# A hook: one envelope comes on stdin, one answer goes to stdout. Whatever else happens counts as a failure, and blocks.
import json
import sys


${policies[policy](reason)}


envelope = json.load(sys.stdin.buffer)
print(json.dumps({"decision": decide(envelope["hook"]["data"])}))
`;
}

const policies: Readonly<Record<Policy, (reason: string) => string>> = {
  paths: (reason) => `def decide(data):
    call = data.get("input") or {}
    file = call.get("path", call.get("file_path"))
    if not isinstance(file, str):
        return {"action": "deny", "reason": "the call names no path"}
    if any(part == ".env" or part.startswith(".env.") for part in file.split("/")):
        return {"action": "deny", "reason": f"{file}: ${reason}"}
    return {"action": "allow"}`,
  words: (reason) => `def decide(data):
    if any("production" in text or "Production" in text for text in texts_of(data)):
        return {"action": "deny", "reason": "${reason}"}
    return {"action": "allow"}


def texts_of(value):
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in parts for text in texts_of(part)]`,
};
