#!/bin/sh
# Checks of a tree, in exit-code style: exit 0 allows, exit 1 denies and the end of stderr is the reason, every other exit
# is a failure, which blocks. All checks run, so that one answer names everything that is wrong.
set -u
cd "${1:-.}" || exit 3
cat >/dev/null # the event says nothing that is needed here

problems=0

problem() {
  problems=$((problems + 1))
  printf '%s\n' "$1" >&2
}

# The files of the project, without what git and package managers put there. Names go through a pipe one a line.
files() {
  find . \( -name .git -o -name node_modules -o -name dist \) -prune -o -type f "$@"
}

# first TITLE: says the first of the lines on stdin, and how many there are.
first() {
  lines=$(cat)
  [ -z "$lines" ] && return
  problem "$1: $(printf '%s\n' "$lines" | head -n 1) (of $(printf '%s\n' "$lines" | wc -l))"
}

# Pipes run in subshells, in which `problems` would be lost: lists go through here-documents.
no_conflict_markers() {
  first 'conflict markers' <<LIST
$(files -size -2048k -exec grep -lE '^(<<<<<<<|>>>>>>>) ' {} +)
LIST
}

no_focused_tests() {
  first 'tests that leave the others out' <<LIST
$(files \( -name '*.test.*' -o -name '*_test.*' \) -exec grep -lE '(it|test|describe)\.only\(' {} +)
LIST
}

no_large_files() {
  first 'larger than 1 MiB' <<LIST
$(files -size +1024k -print)
LIST
}

version_is_described() {
  [ -f package.json ] || return
  version=$(sed -n 's/^  "version": "\([^"]*\)".*/\1/p' package.json | head -n 1)
  [ -n "$version" ] || { problem 'package.json names no version'; return; }
  grep -qF "## $version" CHANGELOG.md 2>/dev/null || problem "CHANGELOG.md has no section for $version"
}

no_conflict_markers
no_focused_tests
no_large_files
version_is_described

[ "$problems" -eq 0 ] || exit 1
