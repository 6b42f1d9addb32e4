#!/usr/bin/env python3
"""Denies a command that starts a package manager other than those in the arguments; asks where one is only mentioned."""

import json
import os
import re
import shlex
import sys

KNOWN = set(
    "npm npx pnpm pnpx yarn yarnpkg bun bunx deno corepack cnpm "
    "pip pip3 pipx pipenv poetry uv uvx conda mamba micromamba easy_install pdm hatch rye "
    "gem bundle bundler cargo go composer pear apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk brew snap flatpak nix-env".split()
)
# They bring packages only with one of these words behind them; to build with them is everyday work.
ALSO_BUILD = {"cargo": {"add", "install"}, "go": {"get", "install"}, "deno": {"add", "install"}, "dpkg": {"-i", "--install"}}
SEPARATORS = set(";&|()\n")
BEFORE = set("sudo doas env nohup time timeout command exec xargs then do else ! { if while until".split())


def commands(line):
    """The line as lists of words. shlex knows quotes and operators; it knows no substitutions, so these are opened first."""
    opened = re.sub(r"\$\(|[`{]|<\(", " ; ", line).replace("\n", " ; ")
    lexer = shlex.shlex(opened, posix=True, punctuation_chars=";&|()<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    words = []
    for word in lexer:
        if set(word) <= SEPARATORS:
            yield words
            words = []
        else:
            words.append(word)
    yield words


def started(words):
    """The name of the program, behind `sudo`, assignments and options; and the rest."""
    for index, word in enumerate(words):
        if word in BEFORE or word.startswith("-") or re.match(r"\w+=|[\d.]+[smhd]?$", word):
            continue
        rest = words[index + 1 :]
        if os.path.basename(word).startswith("python") and rest[:1] == ["-m"]:
            rest = rest[1:]
            word = rest.pop(0) if rest else ""
        return os.path.basename(word), rest
    return "", []


def version_free(name):
    return re.sub(r"[\d.]+$", "", name)


def decide(line, wanted):
    unwanted = KNOWN - wanted
    mentioned = set()
    for words in commands(line):
        name, rest = started(words)
        if {name, version_free(name)} & unwanted and (name not in ALSO_BUILD or ALSO_BUILD[name] & set(rest)):
            return {"action": "deny", "reason": f"{name} is not used in this project; use {', '.join(sorted(wanted))}"}
        # As an argument it may be started by what it is an argument of: `sh -c`, `find -exec`, `corepack`.
        for word in rest:
            mentioned |= set(re.split(r"[\s;&|()]+", word)) & (unwanted - ALSO_BUILD.keys())
    if mentioned:
        return {"action": "ask", "reason": f"the command names {', '.join(sorted(mentioned))}, and may start it"}
    return {"action": "allow"}


def answer(given, wanted):
    command = given.get("command", given.get("cmd")) if isinstance(given, dict) else None
    if isinstance(command, list):
        command = shlex.join(map(str, command))
    if not isinstance(command, str):
        return {"action": "deny", "reason": "expected the command in input.command"}
    try:
        return decide(command, wanted)
    except ValueError as error:
        return {"action": "ask", "reason": f"the command cannot be divided into words: {error}"}


json.dump({"decision": answer(json.load(sys.stdin)["hook"]["data"].get("input"), set(sys.argv[1:]))}, sys.stdout)
