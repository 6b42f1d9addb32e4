"""What single commands destroy. Each rule gets the arguments and yields findings: (action, reason)."""

import os
import re

ASK, DENY = "ask", "deny"
SHELLS = {"sh", "bash", "dash", "zsh", "ksh", "ash", "fish"}
REMOVERS = {"rm", "shred", "chmod", "chown"}
SYSTEM = set("bin boot dev etc lib lib32 lib64 libx32 opt proc root run sbin srv sys usr var".split())
DISK = re.compile(r"/dev/(sd|hd|vd|xvd|nvme|mmcblk|disk/|mapper/|md\d|dm-|loop)")
HARMLESS_DEVICE = re.compile(r"/dev/(null|stdout|stderr|tty|fd/\d+)")
DISK_TOOLS = {"wipefs", "sgdisk", "sfdisk", "fdisk", "parted", "blkdiscard", "mkswap", "cryptsetup"}
POWER = {"shutdown", "reboot", "halt", "poweroff", "telinit"}


class Places:
    """The project, and the directories that the line may be in: a `cd` may fail, or hold for a subshell only."""

    def __init__(self, project):
        self.project = project
        self.directories = [project]  # the last is the likely one; None = not known

    def enter(self, args):
        target = next((word for word in args if not word.startswith("-")), None)
        here = self.directories[-1]
        if target is None or here is None or not target.sure or target.glob or target.startswith("~"):
            self.directories.append(None)
        else:
            self.directories.append(os.path.normpath(os.path.join(here, target)))

    def destroys(self, what, word):
        """Findings about a command that removes or changes all of what the word names."""
        if not word.sure:
            return [(ASK, f"what {what} works on is only known when it runs")]
        if word.startswith("~"):
            rest = word.partition("/")[2].strip("/.*")
            return [(ASK if rest else DENY, f"{what} {word}: a home directory")]
        if word.startswith("/"):
            return self.judge(what, word, word)
        if None in self.directories:
            return [(ASK, f"{what} {word}: in which directory is only known when it runs")]
        *others, likely = self.directories
        findings = self.judge(what, word, f"{likely}/{word}")
        for directory in others:
            findings += [(ASK, reason) for _, reason in self.judge(what, word, f"{directory}/{word}")]
        return findings

    def judge(self, what, word, path):
        path = os.path.normpath(path)
        while path != "/" and re.fullmatch(r"[.*?]+|\.\[!\.\]\*", os.path.basename(path)):
            path = os.path.dirname(path)  # all that is in a directory is the directory
        path = "/" + path.strip("/")
        parts = path.strip("/").split("/")
        if path == self.project or self.project.startswith(path.rstrip("/") + "/"):
            return [(DENY, f"{what} {word}: the whole project, or what holds it")]
        if path.startswith(self.project + "/"):
            return []
        if len(parts) == 1 or parts[0] in SYSTEM or re.search(r"[*?\[]", parts[0]):
            return [(DENY, f"{what} {word}: a directory of the system")]
        if parts[0] in ("home", "Users") and len(parts) == 2:
            return [(DENY, f"{what} {word}: a home directory")]
        return [] if parts[0] == "tmp" else [(ASK, f"{what} {word}: outside the project")]

    def redirect(self, operator, target):
        path = os.path.normpath(target) if target else ""
        if ">" not in operator or HARMLESS_DEVICE.fullmatch(path):
            return []
        if DISK.match(path):
            return [(DENY, f"it writes to {path}, a disk itself")]
        if path.startswith("/") and path.split("/")[1] in SYSTEM and not path.startswith(self.project + "/"):
            return [(ASK, f"it writes to {path}, which is of the system")]
        return []


def rules_of(name, args, places):
    rule = RULES.get(name)
    if rule is not None:
        yield from rule(args, places)
    elif name in POWER:
        yield DENY, f"{name} turns the machine off"
    elif name.startswith("mkfs") or name in DISK_TOOLS:
        yield DENY, f"{name} overwrites a disk"
    elif name in ("cp", "mv", "tee", "shred", "truncate") and any(DISK.match(word) for word in args):
        yield DENY, f"{name} writes to a disk itself"
    elif name in ("sudo", "doas", "su"):
        yield ASK, f"{name} runs it with the rights of another user"


def change_directory(args, places):
    places.enter(args)
    return ()


def rm(args, places):
    options, operands = split(args)
    recursive = any(re.match(r"-[a-zA-Z]*[rR]|--r", option) for option in options)
    if any(option.startswith("--no-p") for option in options):
        yield DENY, "rm --no-preserve-root removes everything"
    for word in operands:
        if recursive or word.startswith(("/", "~", "..")):
            yield from places.destroys("rm -r" if recursive else "rm", word)


def find(args, places):
    removes = "-delete" in args or any(os.path.basename(word) in REMOVERS for word in args)
    if not removes:
        return
    narrowed = any(re.fullmatch(r"-i?(name|path|regex|wholename)|-[acm](min|time)|-empty|-size", word) for word in args)
    for word in args:
        if word in ("-H", "-L", "-P"):
            continue
        if word.startswith(("-", "(", "!")):
            break
        # A search of the project for something is everyday work.
        if not (narrowed and word == "." and places.directories == [places.project]):
            yield from places.destroys("find and remove in", word)


def change_all(name):
    def rule(args, places):
        options, operands = split(args)
        if any(re.match(r"-[a-zA-Z]*R|--rec", option) for option in options):
            for word in operands[1:]:
                yield from places.destroys(f"{name} -R", word)

    return rule


def dd(args, places):
    for word in args:
        if word.startswith("of=") and not word.sure:
            yield ASK, "what dd writes to is only known when it runs"
        elif word.startswith("of="):
            yield from places.redirect(">", word[3:])


def kill(args, places):
    if "-1" in args[1:]:
        yield DENY, "kill -1 ends every process of this user"


def systemctl(args, places):
    if POWER & set(args):
        yield DENY, "systemctl turns the machine off"


def alias(args, places):
    if any("=" in word for word in args):
        yield ASK, "it gives commands other meanings"


def git(args, places):
    while args and args[0].startswith("-"):
        if re.match(r"-c$|--exec-path|--config-env", args[0]):
            yield ASK, "git gets settings for this one command, which may run programs"
        args = args[2 if args[0] in ("-c", "-C", "--git-dir", "--work-tree", "--config-env") else 1 :]
    verb, rest = (args[0], set(args[1:])) if args else ("", set())
    short = "".join(word[1:] for word in rest if re.fullmatch(r"-[a-zA-Z]+", word))
    if verb == "push" and (
        set("fd") & set(short)
        or {"--force", "--mirror", "--delete", "--prune"} & rest
        or any(word.startswith(("+", ":")) for word in rest)
    ):
        yield ASK, "git push replaces or removes what others may have"
    losing = {
        "reset": "--hard" in rest,
        "clean": "f" in short or "--force" in rest,
        "stash": bool({"drop", "clear"} & rest),
        "branch": "D" in short,
        "checkout": "f" in short or "--force" in rest or "." in rest,
        "restore": "." in rest,
    }
    if losing.get(verb, False):
        yield ASK, f"git {verb} may throw work away that stands nowhere else"


def split(args):
    """Options and operands; after `--` everything is an operand."""
    end = args.index("--") if "--" in args else len(args)
    options = [word for word in args[:end] if word.startswith("-")]
    return options, [word for word in args[:end] if not word.startswith("-")] + args[end + 1 :]


RULES = {
    "cd": change_directory,
    "pushd": change_directory,
    "popd": change_directory,
    "rm": rm,
    "find": find,
    "chmod": change_all("chmod"),
    "chown": change_all("chown"),
    "chgrp": change_all("chgrp"),
    "dd": dd,
    "kill": kill,
    "systemctl": systemctl,
    "alias": alias,
    "git": git,
}
