"""The builtin input() when the program has a terminal.

There CPython reads the terminal by itself (PyOS_Readline), which npdb would not
see, and writes the prompt to standard error. It does so only if
sys.stdin.fileno() is 0 when input() looks (builtin_input_impl in bltinmodule.c).
For that one look the stream has no number, so that input() prompts on sys.stdout
and reads a line of sys.stdin, as from a pipe. It stays a C function: one of
Python's in its place would be seen in tracebacks.
"""

import builtins
import sys

original = builtins.input
stream = None  # npdb's sys.stdin
calls = {}  # id of a frame that calls input() -> its instruction, until input() has looked


class Call:
    """Input.__call__: when Python asks it what to call, a call is near."""

    def __get__(self, instance, owner):
        if instance is not None and sys.stdin is stream:
            frame = sys._getframe(1)
            calls[id(frame)] = frame.f_lasti
        return original


class Input:
    """Stands for builtins.input, and looks like it."""

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
    """Whether it is input(), called by a frame, that wants to know the number."""
    return calls.pop(id(frame), None) == frame.f_lasti


def install(stdin):
    global stream
    stream = stdin
    builtins.input = Input()
