"""Reads a POSIX or bash command line into the simple commands that it may run, wherever they stand.

Commands inside of `$(...)`, backticks, `<(...)`, groups, loops and conditions are found as well. Where shells, or this
reader and a shell, may disagree about what is text and what is a command, it raises Unreadable instead of guessing.
"""

META = " \t\n;&|()<>"
KEYWORDS = {"if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!"}
UNREAD = {"case", "select", "function", "coproc"}
OPERATORS = ("<<<", "<<-", "&>>", "<<", ">>", "&>", ">&", "<&", "<>", ">|", "<", ">")
MAX_DEPTH = 25
MAX_LENGTH = 100_000


class Unreadable(Exception):
    """The line has a construct for which this reader has no certain reading."""


class Word(str):
    """One word after quote removal; `~` stands for $HOME as well."""

    sure = True  # False: a variable, a substitution or braces decide what it becomes
    glob = False  # True: an unquoted *, ? or [ is in it


class Command:
    def __init__(self):
        self.words = []
        self.redirects = []  # (operator, Word)
        self.input = None  # Word: a here-document or here-string


def read_line(text, depth=0):
    """All simple commands of a line, inner ones before those around them."""
    if len(text) > MAX_LENGTH:
        raise Unreadable(f"it is longer than {MAX_LENGTH} characters")
    if "\0" in text:
        raise Unreadable("it holds a NUL character")
    reader = Reader(text, depth)
    reader.read_commands(None)
    return reader.commands


class Reader:
    def __init__(self, text, depth):
        self.text, self.at, self.depth = text, 0, depth
        self.commands, self.heredocs = [], []

    def peek(self, length=1):
        return self.text[self.at : self.at + length]

    def read_commands(self, end):
        """Reads up to `end`, a closing bracket, or with None up to the end of the text."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable("it is nested too deeply")
        if self.heredocs:
            raise Unreadable("a here-document begins before a bracket")
        command = Command()
        while self.at < len(self.text):
            char = self.peek()
            if char in " \t":
                self.at += 1
            elif self.peek(2) == "\\\n":
                self.at += 2
            elif char == end:
                break
            elif char == "#":
                found = self.text.find("\n", self.at)
                self.at = len(self.text) if found == -1 else found
            elif self.peek(2) in ("<(", ">("):
                command.words.append(self.read_word())
            elif char in "<>" or self.peek(2) == "&>":
                self.read_redirect(command)
            elif char in ";&|\n":
                self.at += 1
                self.finish(command)
                command = Command()
                if char == "\n":
                    self.read_heredocs()
            elif self.peek(2) == "((":
                raise Unreadable("it calculates with `((`")
            elif char == "(" and not command.words:
                self.at += 1
                self.read_commands(")")
            elif char in "()":
                raise Unreadable("it defines a function or an array, or a bracket does not belong there")
            else:
                self.read_into(command)
        if self.peek() != (end or ""):
            raise Unreadable("a bracket is never closed")
        self.at += 1
        if self.heredocs:
            raise Unreadable("a here-document has no text")
        self.finish(command)
        self.depth -= 1

    def finish(self, command):
        if command.words or command.redirects:
            self.commands.append(command)

    def read_into(self, command):
        start = self.at
        word = self.read_word()
        raw = self.text[start : self.at].replace("\\\n", "")
        if raw.isdigit() and self.peek() in ("<", ">"):
            return  # the number of a descriptor, as in 2>
        name, bracket, rest = raw.partition("[")
        if bracket and name.isidentifier() and "]" not in rest:
            raise Unreadable("it calculates the place in an array")
        if not command.words:
            if raw in UNREAD:
                raise Unreadable(f"it uses `{raw}`")
            if raw == "for":
                return self.read_for_head()
            name, equals, _ = raw.partition("=")
            if raw in KEYWORDS or (equals and name.removesuffix("+").isidentifier()):
                return None
        command.words.append(word)
        return None

    def read_for_head(self):
        """`for NAME in WORDS`: the words run nothing, but what is substituted in them does."""
        while self.at < len(self.text) and self.peek() not in ";\n":
            start = self.at
            if self.peek() in " \t":
                self.at += 1
            elif self.peek() in META:
                raise Unreadable("it uses a kind of `for` that is not read")
            else:
                self.read_word()
                if self.text[start : self.at] == "do":
                    return

    def read_redirect(self, command):
        operator = next(operator for operator in OPERATORS if self.text.startswith(operator, self.at))
        self.at += len(operator)
        while self.peek() in (" ", "\t"):
            self.at += 1
        start = self.at
        word = self.read_word()
        raw = self.text[start : self.at]
        if raw == "":
            raise Unreadable("a redirection names no file")
        if operator == "<<<":
            command.input = word
        elif operator in ("<<", "<<-"):
            if "$" in raw or "`" in raw:
                raise Unreadable("the end of a here-document has a variable in it")
            self.heredocs.append((command, word, any(char in raw for char in "'\"\\"), operator == "<<-"))
        else:
            command.redirects.append((operator, word))
            rest = self.text[self.at :].lstrip(" \t")
            if operator.startswith("&>") and rest and rest[0] not in ";&|\n)":
                raise Unreadable("after `&>` shells disagree where the next command begins")

    def read_heredocs(self):
        pending, self.heredocs = self.heredocs, []
        for command, delimiter, quoted, strips_tabs in pending:
            lines = []
            while True:
                if self.at >= len(self.text):
                    raise Unreadable("a here-document never ends")
                end = self.text.find("\n", self.at)
                line = self.text[self.at : end if end != -1 else None]
                self.at += len(line) + 1
                line = line.lstrip("\t") if strips_tabs else line
                if line == delimiter:
                    break
                lines.append(line)
            command.input = Word("\n".join(lines))
            if not quoted:
                inner = Reader(command.input, self.depth)
                command.input.sure = inner.read_quoted("")[1]
                self.commands += inner.commands

    def read_word(self):
        parts, sure, glob, start = [], True, False, self.at
        while self.at < len(self.text):
            char = self.peek()
            known = True
            if self.peek(2) in ("<(", ">("):
                self.at += 2
                self.read_commands(")")
                text, known = "", False
            elif char in META:
                break
            elif char == "\\":
                text = self.text[self.at + 1 : self.at + 2].replace("\n", "")
                self.at += 2
            elif char == "'":
                text = self.read_single()
            elif char == '"':
                self.at += 1
                text, known = self.read_quoted('"')
            elif char in "$`":
                text, known = self.read_expansion(in_quotes=False)
            else:
                text, known = char, char != "{"
                glob = glob or char in "*?["
                self.at += 1
            parts.append(text)
            sure = sure and known
        word = Word("".join(parts))
        raw = self.text[start : self.at]
        word.sure = sure or raw in ("{", "{}")
        word.glob = glob and raw not in ("[", "[[")
        return word

    def read_single(self):
        end = self.text.find("'", self.at + 1)
        if end == -1:
            raise Unreadable("a single quote is never closed")
        text = self.text[self.at + 1 : end]
        self.at = end + 1
        return text

    def read_quoted(self, end):
        """The inside of double quotes up to `end`, or with "" a whole text that is expanded like it."""
        parts, sure = [], True
        while self.at < len(self.text):
            char, known = self.peek(), True
            if char == end:
                break
            if char == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                text = {"\n": ""}.get(following, following if following in '$`"\\' else "\\" + following)
                self.at += 2
            elif char in "$`":
                text, known = self.read_expansion(in_quotes=True)
            else:
                text = char
                self.at += 1
            parts.append(text)
            sure = sure and known
        if self.peek() != end:
            raise Unreadable("a double quote is never closed")
        self.at += 1
        return "".join(parts), sure

    def read_expansion(self, in_quotes):
        """What `$` or a backtick begins: its text where that is certain, and whether it is."""
        if self.peek() == "`":
            return self.read_backticks()
        if self.peek(3) == "$((" or self.peek(2) == "$[":
            raise Unreadable("it calculates with `$((`")
        self.at += 1
        if self.peek() == "(":
            self.at += 1
            self.read_commands(")")
            return "", False
        if self.peek() == "{":
            return self.read_braces()
        if self.peek() == "'" and not in_quotes:
            raise Unreadable("it has `$'...'`, in which characters are written as numbers")
        if self.peek() == '"' and not in_quotes:
            raise Unreadable('it has `$"..."`, of which some shells drop the `$`')
        start = self.at
        while self.peek().isalnum() or self.peek() == "_":
            self.at += 1
        name = self.text[start : self.at]
        if name == "HOME":
            return "~", True
        if name == "" and self.peek() and self.peek() in "?!#$@*-":
            self.at += 1
            return "", False
        return ("$", True) if name == "" else ("", False)

    def read_braces(self):
        start = self.at
        while self.at < len(self.text) and self.peek() != "}":
            char = self.peek()
            if char in "'\"\\":
                raise Unreadable("it has quotes inside of `${...}`")
            if char in "$`":
                self.read_expansion(in_quotes=True)
            elif self.peek(2) in ("<(", ">("):
                self.at += 2
                self.read_commands(")")
            else:
                self.at += 1
        if self.at >= len(self.text):
            raise Unreadable("a `${` is never closed")
        self.at += 1
        return ("~", True) if self.text[start : self.at] == "{HOME}" else ("", False)

    def read_backticks(self):
        parts = []
        self.at += 1
        while self.at < len(self.text) and self.peek() != "`":
            if self.peek(2) == '\\"':
                raise Unreadable("it has quotes inside of backticks")
            if self.peek(2) in ("\\`", "\\\\", "\\$"):
                self.at += 1
            parts.append(self.peek())
            self.at += 1
        if self.at >= len(self.text):
            raise Unreadable("a backtick is never closed")
        self.at += 1
        self.commands += read_line("".join(parts), self.depth)
        return "", False
