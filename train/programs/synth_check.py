"""One run of a candidate: does it end soon, with values that stay short."""

import builtins
import re
import sys
import warnings

_FILE = "<synth>"
MOST = 128

# What candidates are warned about (comparing literals with `is`, a local that a trace
# function's look at f_locals touches) concerns nobody.
warnings.filterwarnings("ignore", category=SyntaxWarning)
warnings.filterwarnings("ignore", message="assigning None to unbound local")


class _Enough(BaseException):
    """Too many events, or a value too large."""


_GROWING = (str, list, dict)
_LENGTHS = re.compile(r"(?:just|center|zfill|range|expandtabs)\(")


def _short(value):
    kind = type(value)
    if kind is int:
        return -10**10 < value < 10**10
    if kind is str:
        return len(value) <= 100
    if kind in (list, dict, tuple, set, frozenset):
        if kind in (set, frozenset) and len(value) > 1 and any(type(one) is str for one in value):
            return False
        return len(value) <= 24 and len(repr(value)) <= 180
    return True


def _quiet(*args, sep=" ", end="\n"):
    sep.join(map(str, args)) + end


def _limit(source):
    """How large a number may become: less where one may say how long something gets."""
    return 2_000 if _LENGTHS.search(source) else 10**10


def bounded(source, space):
    """Execute statements with loops in them, as long as they stay small."""
    events = 0
    limit = _limit(source)

    def trace(frame, event, arg):
        nonlocal events
        if event != "line":
            return trace
        events += 1
        if events > 3 * MOST:
            raise _Enough
        for value in list(space.values()):
            kind = type(value)
            if kind is int:
                if not -limit < value < limit:
                    raise _Enough
            elif kind in _GROWING and len(value) > 200 and value is not space.get("__builtins__"):
                raise _Enough
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        exec(source, space)
    except _Enough:
        raise ValueError("too much") from None
    finally:
        sys.settrace(before)


def check(source, entry):
    """None where the program is unfit, else "raised" or the number of its events."""
    space = {"__name__": "program" if entry else "__main__", "print": _quiet, "__builtins__": builtins}
    events = 0
    bad = False
    limit = _limit(source)

    def trace(frame, event, arg):
        nonlocal events, bad
        if frame.f_code.co_filename != _FILE:
            return None
        events += 1
        if events > MOST:
            bad = True
        if event == "return" and not _short(arg):
            bad = True
        values = frame.f_locals.values()
        if event == "return" or events % 4 == 0:
            bad = bad or not all(map(_short, values))
        else:
            bad = bad or any(type(one) is int and not -limit < one < limit for one in values)
        if bad and event == "line":  # elsewhere it would be lost in a generator that closes
            raise _Enough
        return trace

    before = sys.gettrace()
    try:
        code = compile(source, _FILE, "exec")
        if entry is None:
            sys.settrace(trace)
            exec(code, space)
        else:
            exec(code, space)
            question = compile(entry, "<entry>", "eval")
            sys.settrace(trace)
            eval(question, space)
    except (_Enough, SyntaxError):
        return None
    except Exception:
        return None if bad else "raised"
    finally:
        sys.settrace(before)
    return None if bad else events
