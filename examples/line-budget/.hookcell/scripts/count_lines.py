#!/usr/bin/env python3
"""Asks about a call that changes many lines, and denies one that changes too many."""

import argparse
import json
import os
import sys

PATH_KEYS = ("path", "file_path", "filename", "file")
CONTENT_KEYS = ("content", "contents", "text", "file_text")
OLD_KEYS = ("old_string", "old_str", "old", "search")
NEW_KEYS = ("new_string", "new_str", "new", "replace")
LARGEST = 4 * 1024 * 1024


class Unknown(Exception):
    """The size of the change cannot be told; the message says why."""


def changed(before, after):
    """Lines removed and added, when all between the first and the last difference counts: at least as many as in truth."""
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return len(old) + len(new) - 2 * (start + end)


def content_of(path):
    """What the file holds now; a file that is not there holds nothing."""
    # Only what lies in the project is shown here: elsewhere "not there" would say nothing.
    real = os.path.realpath(path)
    if not real.startswith(os.getcwd() + os.sep):
        raise Unknown(f"{path} is outside of the project")
    if not os.path.exists(real):
        return ""
    if not os.path.isfile(real) or os.path.getsize(real) > LARGEST:
        raise Unknown(f"{path} is no file, or a very large one")
    with open(real, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def text(given, keys):
    return next((given[key] for key in keys if isinstance(given.get(key), str)), None)


def size(given):
    if isinstance(given, str):
        given = {"patch": given}
    if not isinstance(given, dict):
        raise Unknown("the input of the call is unknown to this check")
    patch = text(given, ("patch", "diff", "input"))
    if patch is not None:
        # Headers count as well: a removed line that begins with "-- " looks like one.
        return sum(1 for line in patch.splitlines() if line.startswith(("+", "-")))
    content, path = text(given, CONTENT_KEYS), text(given, PATH_KEYS)
    if content is not None and path is not None:
        return changed(content_of(path), content)
    edits = given.get("edits", [given])
    if not isinstance(edits, list) or not edits:
        raise Unknown("the call holds no edits")
    total = 0
    for edit in edits:
        old, new = (text(edit, OLD_KEYS), text(edit, NEW_KEYS)) if isinstance(edit, dict) else (None, None)
        if old is None or new is None:
            raise Unknown("the call holds no content, no patch and no old and new text")
        everywhere = edit.get("replace_all") is True
        times = content_of(text(given, PATH_KEYS) or text(edit, PATH_KEYS) or "").count(old) if everywhere and old else 1
        total += changed(old, new) * times
    return total


def decide(data, ask, deny):
    try:
        lines = size(data.get("input"))
    except Unknown as reason:
        return {"action": "ask", "reason": f"how many lines change is not known: {reason}"}
    if lines > deny:
        return {"action": "deny", "reason": f"changes {lines} lines at once, at most {deny} are made; divide the change"}
    if lines > ask:
        return {"action": "ask", "reason": f"changes {lines} lines at once; more than {ask} are looked at by a person"}
    return {"action": "allow"}


arguments = argparse.ArgumentParser()
arguments.add_argument("--ask", type=int, required=True)
arguments.add_argument("--deny", type=int, required=True)
limits = arguments.parse_args()
json.dump({"decision": decide(json.load(sys.stdin)["hook"]["data"], limits.ask, limits.deny)}, sys.stdout)
