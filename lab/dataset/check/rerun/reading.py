"""Reads a text of nd/1: the program, the given states, actions and replies."""

import json
import re
from dataclasses import dataclass, field

from rerun.text import CONTEXT, FRAME

STATE = re.compile(r"<\|(call|line|return|exception)_sep\|>")
NUMBERED = re.compile(r"([0-9]{1,9})\|([^\r]*)")
BARE = re.compile(r"<\|(start|unknown)_sep\|>")
decoder = json.JSONDecoder(object_pairs_hook=list)


def unescaped(source):
    """Returns a program's source as it was before it was escaped for a text."""
    return re.sub(r"<\\([|\\])", r"<\1", source)


class Malformed(Exception):
    """Raised if a text is not nd/1. The message says where."""


@dataclass
class State:
    """A state as the text contains it. stack is None, a name or a list of frames."""

    event: str
    stack: object
    names: list
    line: int
    source: str
    value: object = None


@dataclass
class End:
    """The end of the program. said holds the members of the JSON object, as pairs."""

    said: list


@dataclass
class Step:
    """An action ("set" for an edit) and its result: a State, an End, "start" or
    "unknown"."""

    action: str
    reply: object


@dataclass
class Text:
    lines: list
    compacted: bool = False
    given: list = field(default_factory=list)  # States; the last one may be an End
    steps: list = field(default_factory=list)


class Reader:
    def __init__(self, text):
        self.text, self.at = text, 0

    def fail(self, why):
        raise Malformed(f"{why} at character {self.at}: {self.text[self.at : self.at + 40]!r}")

    def starts(self, token):
        return self.text.startswith(token, self.at)

    def take(self, token):
        if not self.starts(token):
            self.fail(f"no {token}")
        self.at += len(token)

    def upto(self, token):
        """Returns the text up to the next occurrence of a token, and continues after the token."""
        end = self.text.find(token, self.at)
        if end < 0:
            self.fail(f"no {token} after this place")
        found, self.at = self.text[self.at : end], end + len(token)
        return found

    def json(self):
        try:
            found, self.at = decoder.raw_decode(self.text, self.at)
        except (ValueError, RecursionError) as e:
            self.fail(f"no JSON ({e})")
        return found

    def names(self):
        """Reads a JSON object whose values are strings that UTF-8 can encode."""
        begin, found = self.at, self.json()
        if not isinstance(found, list) or not all(isinstance(one, tuple) and isinstance(one[1], str) for one in found):
            self.at = begin
            self.fail("no names")
        try:
            "".join(name + text for name, text in found).encode()
        except UnicodeEncodeError:
            self.at = begin
            self.fail("no names that UTF-8 has")
        return found

    def numbered(self):
        """Reads a line of source with its number."""
        found = NUMBERED.fullmatch(self.upto("\n"))
        if not found:
            self.fail("no numbered line before this place")
        return int(found[1]), unescaped(found[2])

    def read(self):
        self.take(CONTEXT)
        if self.starts("<|file_sep|>"):
            raise Malformed("several files")
        text = Text([])
        while not self.starts(FRAME):
            number, line = self.numbered()
            text.lines.append(line)
            if number != len(text.lines):
                self.fail(f"line {number} where {len(text.lines)} is to come, before this place")
        self.take(FRAME)
        text.compacted = self.starts("<|compact_sep|>" + FRAME)
        if text.compacted:
            self.take("<|compact_sep|>" + FRAME)
        while self.at < len(self.text) and not self.starts("<|debug_sep|>"):
            text.given.append(self.reply())
        if not text.given or len(text.given) > 1 and not text.compacted:
            self.fail(f"{len(text.given)} states before the first action")
        while self.at < len(self.text):
            self.take("<|debug_sep|>")
            action = self.upto(FRAME)
            text.steps.append(Step(action, self.reply()))
        return text

    def reply(self):
        bare = BARE.match(self.text, self.at)
        if bare:
            self.at = bare.end()
            self.take(FRAME)
            return bare[1]
        if self.starts("<|end_sep|>"):
            self.take("<|end_sep|>")
            found = self.json()
            self.take(FRAME)
            return End(found)
        event = STATE.match(self.text, self.at)
        if not event:
            self.fail("no reply")
        self.at = event.end()
        stack = None
        if self.starts("<|stack_sep|>"):
            self.take("<|stack_sep|>")
            stack = self.json()
        names = self.names()
        self.take("<|action_sep|>")
        line, source = self.numbered()
        value = None
        if event[1] in ("return", "exception"):
            self.take("<|arg_sep|>")
            value = self.json()
        self.take(FRAME)
        return State(event[1], stack, names, line, source, value)


def read(text):
    return Reader(text).read()
