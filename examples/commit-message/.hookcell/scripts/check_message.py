#!/usr/bin/env python3
"""Denies a commit whose message names no ticket or has a long first line. Arguments: a pattern, the most characters."""

import json
import re
import shlex
import sys

TICKET, LONGEST = re.compile(rf"(?<![\w-])(?:{sys.argv[1]})(?![\w-])"), int(sys.argv[2])
# What git writes itself, or takes from a commit that was checked.
OF_GIT = ("Merge ", "Revert ", "fixup! ", "squash! ")


def problem(message):
    lines = message.strip().splitlines()
    if not lines:
        return "the message is empty"
    if lines[0].startswith(OF_GIT):
        return None
    if not TICKET.search(message):
        return f"the message names no ticket ({sys.argv[1]})"
    if len(lines[0]) > LONGEST:
        return f"the first line has {len(lines[0])} characters, at most {LONGEST} are wanted"
    return None


def words_of(line):
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|()\n")
    lexer.whitespace = " \t"
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)


def commits(words):
    """The arguments of every `git commit` in a line of words."""
    for index, word in enumerate(words):
        if word != "git" and not word.endswith("/git"):
            continue
        rest = words[index + 1 :]
        while rest and rest[0].startswith("-"):
            rest = rest[2 if rest[0] in ("-c", "-C") else 1 :]
        if rest[:1] == ["commit"]:
            end = next((at for at, one in enumerate(rest) if set(one) <= set(";&|()\n")), len(rest))
            yield rest[1:end]


def message_of(args):
    """The message, or None where it comes from an editor, a file or another commit."""
    parts = []
    for index, word in enumerate(args):
        following = args[index + 1] if index + 1 < len(args) else ""
        if word.startswith("--message="):
            parts.append(word.removeprefix("--message="))
        elif word == "--message" or re.fullmatch(r"-[a-zA-Z]*m", word):
            parts.append(following)
        elif re.match(r"-m.", word):
            parts.append(word[2:])
    return "\n\n".join(parts) if parts else None


def decide(data):
    given = data.get("input")
    given = given if isinstance(given, dict) else {}
    if "message" in given:
        wrong = problem(str(given["message"]))
        return {"action": "deny", "reason": wrong} if wrong else {"action": "allow"}
    command = given.get("command", given.get("cmd"))
    if isinstance(command, list):
        words = [str(word) for word in command]
    elif isinstance(command, str):
        try:
            words = words_of(command)
        except ValueError:
            # Another hook's matter, unless it may hold a commit.
            return {"action": "ask", "reason": "the command cannot be read"} if "commit" in command else {"action": "allow"}
    else:
        return {"action": "deny", "reason": "expected a message in input.message, or a command in input.command"}
    for args in commits(words):
        message = message_of(args)
        if message is None:
            return {"action": "ask", "reason": "the message of this commit is not in the command; write it with -m"}
        wrong = problem(message)
        if wrong:
            return {"action": "deny", "reason": wrong}
    return {"action": "allow"}


json.dump({"decision": decide(json.load(sys.stdin)["hook"]["data"])}, sys.stdout)
