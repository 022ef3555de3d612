"""Runs a candidate once: does it end, how, after how many events, with what values."""

import sys
from dataclasses import dataclass

FILE = "<candidate>"
MOST = 150
LONGEST = 200


class _Enough(BaseException):
    """The candidate is too long or holds a value that is too large."""


@dataclass
class Probe:
    """events is -1 where the run was cut short; raised is the uncaught exception's class name."""

    events: int
    raised: str | None


def _print(*args, sep=" ", end="\n", file=None, flush=False):
    """print without output; the arguments' __str__ still runs."""
    for arg in args:
        str(arg)


def _fits(value) -> bool:
    kind = type(value)
    if kind is int:
        return -(10**10) < value < 10**10
    if kind is str:
        return len(value) <= 120 and " at 0x" not in value
    if kind in (bool, float) or value is None:
        return True
    if kind in (list, tuple, dict, set, frozenset):
        return len(value) <= 14 and len(repr(value)) <= LONGEST
    return True


def probe(source: str, entry: str | None) -> Probe:
    """Run source as __main__ (with an entry: define first, then count the entry's events alone)."""
    events = 0

    def tracer(frame, event, arg):
        nonlocal events
        if frame.f_code.co_filename != FILE:
            return None
        events += 1
        if events > MOST:
            raise _Enough
        if event == "return":
            if not _fits(arg):
                raise _Enough
            for name, value in frame.f_locals.items():
                if name[:2] != "__" and not _fits(value):
                    raise _Enough
        return tracer

    space = {"__name__": "__main__", "print": _print}
    before, complaints = sys.gettrace(), sys.unraisablehook
    # A generator that the limit strikes while it is finalised would complain aloud.
    sys.unraisablehook = lambda _: None
    try:
        code = compile(source, FILE, "exec")
        if entry is not None:
            space["__name__"] = "program"
            ask = compile(entry, "<entry>", "eval")
            sys.settrace(_counter())
            try:
                exec(code, space)
            finally:
                sys.settrace(before)
        else:
            ask = None
        sys.settrace(tracer)
        try:
            if ask is None:
                exec(code, space)
            else:
                eval(ask, space)
        finally:
            sys.settrace(before)
    except _Enough:
        return Probe(-1, None)
    except SyntaxError as error:
        return Probe(-1, f"SyntaxError: {error}")
    except RecursionError:
        return Probe(-1, "RecursionError")
    except Exception as error:  # whatever the program raises
        return Probe(events, type(error).__name__)
    finally:
        sys.unraisablehook = complaints
    return Probe(events, None)


def _counter():
    """Stops a module whose definitions alone run too long."""
    seen = 0

    def tracer(frame, event, arg):
        nonlocal seen
        if frame.f_code.co_filename != FILE:
            return None
        seen += 1
        if seen > 4 * MOST:
            raise _Enough
        return tracer

    return tracer
