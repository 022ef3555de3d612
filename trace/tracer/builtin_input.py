"""The builtin input() for a program that has a terminal.

In this case CPython reads the terminal itself (PyOS_Readline), which npdb would not
detect, and writes the prompt to standard error. It does so only if sys.stdin.fileno()
is 0 when input() checks it (builtin_input_impl in bltinmodule.c). So for this one check
the stream has no number. input() then writes the prompt to sys.stdout and reads a line
of sys.stdin, as from a pipe. input() stays a C function, because a Python function in
its place would appear in tracebacks.
"""

import builtins
import sys

original = builtins.input
stream = None  # npdb's sys.stdin
calls = {}  # id of a frame that calls input() -> its instruction, until input() has checked


class Call:
    """Input.__call__. Python reads this attribute just before a call."""

    def __get__(self, instance, owner):
        if instance is not None and sys.stdin is stream:
            frame = sys._getframe(1)
            calls[id(frame)] = frame.f_lasti
        return original


class Input:
    """Replaces builtins.input, and looks like it."""

    __slots__ = ()
    __call__ = Call()
    __module__ = "builtins"
    __doc__ = original.__doc__
    __class__ = property(lambda self: type(original))

    def __repr__(self):
        return repr(original)

    def __reduce__(self):
        return "input"

    def __getattr__(self, name):
        return getattr(original, name)


def asks(frame):
    """Returns whether input(), called by a frame, reads the number."""
    return calls.pop(id(frame), None) == frame.f_lasti


def install(stdin):
    global stream
    stream = stdin
    builtins.input = Input()
