#!/bin/sh
# Appends the envelope, which is one line, to the log of the day. Observing hooks run side by side, so one at a time writes.
set -eu
log=audit/$(date -u +%Y-%m-%d).jsonl
{
  flock 9
  cat >&9
} 9>>"$log"
echo '{"decision":{"action":"allow"}}'
