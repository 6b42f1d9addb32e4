#!/usr/bin/env python3
"""Denies a write whose path leads out of the project: by `..`, by an absolute path, or through a symbolic link."""

import json
import os
import re
import sys

PATH_KEY = re.compile(r"(.*_)?(path|file|filename|filepath|dir|directory|target|destination|source|from|to)s?", re.IGNORECASE)
MAX_LINKS = 40


class Leads(Exception):
    """Why a path is not to be written to."""


def paths_in(value, key=""):
    """Every text under a key that names a path, at any depth."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from paths_in(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from paths_in(item, key)
    elif isinstance(value, str) and PATH_KEY.fullmatch(key):
        yield value


def where(path, start):
    """The place that a path means, part by part, as the kernel would go.

    Not os.path.realpath: what a link outside of the project names does not exist in this sandbox, and must be found out
    all the same. Not normpath: `link/..` is the directory above the target of the link.
    """
    place = "/" if path.startswith("/") else start
    left = path.split("/")
    links = 0
    while left:
        part = left.pop(0)
        if part in ("", "."):
            continue
        if part == "..":
            place = os.path.dirname(place)
            continue
        following = os.path.join(place, part)
        try:
            target = os.readlink(following)
        except OSError:
            place = following  # no link, or not there yet
            continue
        links += 1
        if links > MAX_LINKS:
            raise Leads("goes round in symbolic links")
        if target.startswith("/"):
            place = "/"
        left = target.split("/") + left
    return place


def check(path, project, start):
    if path == "" or "\0" in path:
        raise Leads("is not a path")
    if path.startswith("~"):
        raise Leads("begins with ~, which some tools replace by a home directory")
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", path):
        raise Leads("is an address or has a drive letter")
    place = where(path.replace("\\", "/"), start)
    if place != project and not place.startswith(project + "/"):
        raise Leads(f"leads to {place}, outside of the project")


def decide(data, context):
    project = os.getcwd()
    start = context.get("cwd", project)
    paths = list(paths_in(data.get("input")))
    if not paths:
        return {"action": "deny", "reason": "the call names no path that this check knows"}
    for path in paths:
        try:
            check(path, project, start)
        except Leads as reason:
            return {"action": "deny", "reason": f"{path} {reason}"}
    return {"action": "allow"}


envelope = json.load(sys.stdin)
json.dump({"decision": decide(envelope["hook"]["data"], envelope["context"])}, sys.stdout)
