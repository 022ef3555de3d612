"""Conditions that end a move besides lines: a changed expression, a raised exception,
or a condition that is true on any line.

Expressions are evaluated in their own frame, or over the names of their module if that
has ended, after each event that recorded something.
A difference that the recording does not show is not a change. Only atoms are kept as
values; for other objects the identity and the text are kept.
"""

import sys

from _npdb import channel, codes, moves, namespaces, scopes, tracer
from _npdb import render as values

typed = moves.load("typed")

ONLY_AST = 0x400  # the flag PyCF_ONLY_AST of compile
PLAIN = frozenset((int, bool, str, bytes, type(None)))  # equal values have equal texts


class Change:
    """Waits for a change of an expression in one frame, or, if frame is None, over the
    names of a module."""

    __slots__ = ("stop", "frame", "module", "activation", "code", "lazy", "value")

    def __init__(self, stop, frame, module, activation, text):
        self.stop = stop
        self.frame = frame
        self.module = module
        self.activation = activation
        self.code = compile(text, "<watch>", "eval", dont_inherit=True)
        self.lazy = names_of(compile(text, "<watch>", "eval", ONLY_AST, True)) if values.LazyType else ()
        self.value = self.read()

    def names(self):
        return names(self.frame) if self.module is None else (self.module, self.module)

    def read(self):
        found = self.names()
        for name in self.lazy:
            if typed.unloaded(found, name) is not None:
                return "lazy_import", name  # not to be loaded by a watch
        try:
            value = moves.evaluate(self.code, *found)
        except Exception as e:
            return type(e).__name__
        kind = type(value)
        if kind in PLAIN:
            return kind, value
        return kind.__name__, id(value) if kind not in values.ATOMS else 0, values.render(value)

    def met(self, what, act, line, quiet):
        if self.frame is self.module is None:
            return False
        changed = False
        if not quiet:
            now = self.read()
            if now != self.value:
                self.value = now
                changed = holds(self.stop, self.names)
        if act == self.activation and what in tracer.FINAL:
            self.frame = self.value = None  # the frame has been left, and its names are gone
            return True
        return changed


class Raise:
    """Waits for an exception that is raised, not one that passes through on its way
    out."""

    __slots__ = ("stop", "before")

    def __init__(self, stop):
        self.stop = stop
        self.before = None

    def met(self, what, act, line, quiet):
        before, self.before = self.before, what
        return what == codes.ON_EXCEPTION and before != codes.ON_UNWIND and holds(self.stop, lambda: names(standing()))


class Anywhere:
    """Waits for a condition on any line. A condition that raises is not true."""

    __slots__ = ("stop",)

    def __init__(self, stop):
        self.stop = stop

    def met(self, what, act, line, quiet):
        if what != codes.ON_LINE:
            return False
        frame = standing()
        try:
            return bool(moves.evaluate(self.stop.code, *names(frame)))
        except Exception:
            return False


def names_of(tree):
    """Returns the names in an expression."""
    found = {tree.id} if hasattr(tree, "id") else set()
    for part in vars(tree).values():
        for x in part if type(part) is list else (part,):
            if hasattr(x, "_fields"):
                found |= names_of(x)
    return found


def names(frame):
    if frame.f_code.co_name == "<module>":
        return frame.f_globals, frame.f_globals
    return frame.f_globals, scopes.of(frame)


def standing():
    """Returns the program's frame of the current event."""
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__", "").startswith("_npdb"):
        frame = frame.f_back
    return frame


def holds(stop, over):
    """Returns whether the condition and ignore count of a stop let it stop. over returns
    the names of the condition."""
    stop.hits += 1
    if stop.code is not None:
        try:
            if not moves.evaluate(stop.code, *over()):
                return False
        except BaseException as e:
            stop.error = "%s: %s" % (type(e).__name__, e)
    if stop.ignored < stop.ignore and not stop.error:
        stop.ignored += 1
        return False
    return True


def watch(stop, what, up):
    """Returns the watch of a stop without a file: "change ACTIVATION EXPRESSION", for
    the frame that is up frames above the top, "names ACTIVATION EXPRESSION", for a module
    whose code does not run, "raise" or "anywhere"."""
    kind, _, rest = what.partition(" ")
    if kind == "change" or kind == "names":
        activation, _, text = rest.partition(" ")
        if kind == "change":
            return Change(stop, moves.frames[up], None, int(activation), text)
        return Change(stop, None, namespaces.names_of(int(activation)), -1, text)
    return Raise(stop) if kind == "raise" else Anywhere(stop)


def written():
    return channel.current, channel.chunks[channel.current].tell()


def also(test, watched):
    """Returns the test of a move that these watches also end."""
    last = written()

    def check(what, act, line):
        nonlocal last
        at = written()
        # A line event for which only the event itself was written changed nothing.
        quiet = what == codes.ON_LINE and at[0] == last[0] and at[1] - last[1] == 1 + len(codes.varint(line))
        last = at
        if test is not None and test(what, act, line):
            return True
        ended = None
        for one in watched:
            if one.met(what, act, line, quiet) and ended is None:
                ended = one.stop
        if ended is None:
            return False
        moves.reason, moves.met = "breakpoint", ended
        return True

    return check
