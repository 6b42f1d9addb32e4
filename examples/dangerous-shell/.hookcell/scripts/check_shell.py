#!/usr/bin/env python3
"""Denies a shell command that destroys what no project owns; asks about one that may, or that cannot be read."""

import json
import os
import re
import sys

# Inside the sandbox Python does not look beside the script by itself. At the end, so that nothing of Python's own is replaced.
sys.path.append(os.path.dirname(__file__))

from shell_reader import Command, Unreadable, Word, read_line
from shell_rules import ASK, DENY, REMOVERS, SHELLS, Places, rules_of

INTERPRETERS = {"python", "python3", "perl", "ruby", "node", "php"}
# They run another command, which stands somewhere in their arguments.
WRAPPERS = SHELLS | set(
    "sudo doas su env nice ionice nohup time timeout xargs command exec builtin stdbuf setsid chroot unshare nsenter watch "
    "parallel ssh find eval trap script busybox flock strace systemd-run".split()
)
STDIN = re.compile(r"-|/dev/stdin|/(dev|proc/self)/fd/\d+")
TAKES_VALUE = re.compile(r"[-+][a-zA-Z]*[oO]|--rcfile|--init-file")


class Checker:
    def __init__(self, project):
        self.places = Places(project)
        self.findings = []

    def found(self, action, reason):
        self.findings.append((action, reason))

    def line(self, text, depth=0):
        try:
            for command in read_line(text, depth):
                self.command(command, depth)
        except Unreadable as error:
            self.found(ASK, f"cannot be read with certainty: {error}")

    def command(self, command, depth):
        for operator, target in command.redirects:
            self.findings += self.places.redirect(operator, target)
        if not command.words:
            return
        self.simple(command.words, command, depth)
        if os.path.basename(command.words[0]) in WRAPPERS:
            self.wrapped(command, depth)

    def simple(self, words, command, depth):
        if not words[0].sure or words[0].glob:
            self.found(ASK, "which program it runs is only known when it runs")
            return
        name, args = os.path.basename(words[0]), words[1:]
        if name in SHELLS or name in INTERPRETERS or name in (".", "source"):
            self.interpreter(name, args, command, depth)
        self.findings += rules_of(name, args, self.places)

    def wrapped(self, command, depth):
        """Every rest of the arguments may be the command, and every argument a line of it: rather too much than too little."""
        name, args = os.path.basename(command.words[0]), command.words[1:]
        for index, word in enumerate(args):
            if word.sure and not word.startswith("-"):
                self.simple(args[index:], command, depth)
            if any(char in word for char in " ;&|$`\n"):
                self.line(word, depth + 1)
        first = next((word for word in args if not re.match(r"-|[\d.]+[smhd]?$|\w+=", word)), None)
        unknown = first is not None and not first.sure and name != "find"
        if unknown or (name == "eval" and not all(word.sure for word in args)):
            self.found(ASK, f"what {name} runs is only known when it runs")
        if name in ("xargs", "parallel") and (REMOVERS | SHELLS) & set(map(os.path.basename, args)):
            self.found(ASK, f"{name} gets its arguments from another program")

    def interpreter(self, name, args, command, depth):
        """A shell or the like: what does it run, and can that be seen?"""
        if name in SHELLS and any(re.fullmatch(r"-[a-zA-Z]*c", word) for word in args):
            if not all(word.sure for word in args):
                self.found(ASK, f"{name} -c runs a text that is only known when it runs")
            return
        operands = list(operands_of(args))
        if operands and not operands[0].sure:
            self.found(ASK, f"which file {name} runs is only known when it runs")
        from_stdin = STDIN.fullmatch(operands[0]) if operands else not args or (name in SHELLS and "--version" not in args)
        if not from_stdin and not (name in SHELLS and "-s" in args):
            return
        if command.input is not None and name in SHELLS:
            self.line(command.input, depth + 1)
            if not command.input.sure:
                self.found(ASK, f"{name} runs a text that is only known when it runs")
        elif command.input is None and not any(operator == "<" for operator, _ in command.redirects):
            self.found(DENY, f"{name} would run what another program prints; save it, read it, then run it")


def operands_of(args):
    skip = False
    for word in args:
        if not skip and (not word.startswith(("-", "+")) or word == "-"):
            yield word
        skip = not skip and TAKES_VALUE.fullmatch(word) is not None


def decide(data):
    given = data.get("input")
    given = given if isinstance(given, dict) else {}
    value = next((given[key] for key in ("command", "cmd", "script") if key in given), None)
    checker = Checker(os.getcwd())
    if isinstance(value, str):
        checker.line(value)
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        command = Command()
        command.words = [Word(item) for item in value]
        checker.command(command, 0)
    else:
        return {"action": DENY, "reason": "expected the command in input.command, as a text or a list of texts"}
    for action in (DENY, ASK):
        reasons = list(dict.fromkeys(reason for found, reason in checker.findings if found == action))
        if reasons:
            return {"action": action, "reason": "; ".join(reasons[:5])}
    return {"action": "allow"}


if __name__ == "__main__":
    json.dump({"decision": decide(json.load(sys.stdin)["hook"]["data"])}, sys.stdout)
