"""Observes which methods programs call, and how long the programs run."""

import os
import sys
import types

from rerun.forked import CannotRun, forked

# All public methods of the built-in types that programs compute with.
TYPES = (str, list, dict, set, tuple, int, float, bytes)
METHODS = [(cls.__name__, name) for cls in TYPES for name in dir(cls) if name[0] != "_" and callable(getattr(cls, name))]
STATIC = {cls.maketrans: (cls.__name__, "maketrans") for cls in (str, bytes)}
NAMES = {cls: cls.__name__ for cls in TYPES}
SECONDS = 5
FILE = "program.py"


class Watch:
    """Counts events by a trace function and calls of methods by a profile function."""

    def __init__(self):
        self.events, self.calls = 0, {}

    def trace(self, frame, event, arg):
        if frame.f_code.co_filename != FILE:
            return None
        self.events += 1
        return self.trace

    def profile(self, frame, event, arg):
        if event != "c_call" or frame.f_code.co_filename != FILE:
            return
        receiver = getattr(arg, "__self__", None)
        one = STATIC.get(arg) if receiver is None else None
        kind = receiver if isinstance(receiver, type) else type(receiver)
        if kind in NAMES:
            one = NAMES[kind], arg.__name__
        if one is not None:
            self.calls[one] = self.calls.get(one, 0) + 1


def observed(source, entry):
    """Returns the number of events of a program's run, and the calls of methods in it
    as (type, method) -> number. Returns None if the program does not compile or does
    not end. The program runs in a child of this process."""
    try:
        return forked(lambda: watched(source, entry), SECONDS)
    except CannotRun:
        return None


def watched(source, entry):
    sys.stdout = open(os.devnull, "w", encoding="utf-8")
    code = compile(source, FILE, "exec", dont_inherit=True)
    call = compile(entry, "<entry>", "eval", dont_inherit=True) if entry else None
    name = "program" if entry else "__main__"
    module = sys.modules[name] = types.ModuleType(name)
    watch = Watch()
    try:
        if entry:
            exec(code, vars(module))
            code = call
        sys.settrace(watch.trace)
        sys.setprofile(watch.profile)
        eval(code, vars(module))
    except BaseException:
        pass  # the way in which the program ends does not matter here
    finally:
        sys.setprofile(None)
        sys.settrace(None)
    return watch.events, watch.calls
