"""Has the interpreter run the program with nothing of npdb's below it on the stack.

What calls the program may be no function of Python's: its frame would lie there.
It is CPython's own C, all the way down. The loader ends with an exception; the
interpreter shows that by sys.excepthook, which is print here, to a file whose
write() prepares everything and whose flush() is the close() of a buffered writer.
That flushes the writer, which is to call the program, and then closes what lies
below it, whatever the program raised. There npdb raises SystemExit, the context of
which is what the program raised; the interpreter asks it for its code, and ends.
"""

import os
import sys

import _io
from _functools import partial
from _operator import methodcaller

from _npdb.bound import program_sys

LAST = ("last_type", "last_value", "last_traceback", "last_exc")


class Begin(Exception):
    """What the loader ends with."""


class Below:
    """What lies below the writer: it is closed when the program is over."""

    closed = False
    orderly = False  # the program came to its end, and raised nothing

    def __init__(self, end):
        self.end = end
        self.writer = None

    def over(self):
        """Records that the program ended regularly. max calls it after the program."""
        self.orderly = True
        return self

    def __gt__(self, other):
        return False  # max compares the results of both calls

    def writable(self):
        return True

    def close(self):
        self.closed = True
        del type(self.writer).flush  # which would keep the program's names to the last
        if self.orderly:
            self.end(None)
            if os.environ.get("PYTHONINSPECT") and os.isatty(0):
                return  # the interpreter goes on to ask for statements
        raise End(self)


class End(SystemExit):
    """Ends the interpreter with the code that end() says."""

    def __init__(self, below):
        self.below = below

    @property
    def code(self):
        return None if self.below.orderly else self.below.end(self.__context__)


class File:
    """What print writes to."""

    def __init__(self, begin, flush):
        self.begin, self.flush, self.hook = begin, flush, sys.excepthook

    def write(self, text):
        self.write = len
        program_sys.excepthook = self.hook
        tb = sys.last_traceback
        while tb is not None:
            tb.tb_frame.clear()
            tb = tb.tb_next
        for name in LAST:
            program_sys.__dict__.pop(name, None)
        self.begin()


def run(program, begin, end):
    """Calls begin(), then program(), which is written in C, then end(exception) with
    what it raised, None for nothing, which says the exit code. To be called as the
    last thing that the loader does."""
    if sys.flags.inspect:  # PYTHONINSPECT: no SystemExit ends the interpreter
        return above(program, begin, end)
    below = Below(end)
    # max calls both in order until one raises. An iterator would swallow a StopIteration.
    flush = staticmethod(partial(max, (program, below.over), key=methodcaller("__call__")))
    below.writer = type("Writer", (_io.BufferedWriter,), {"flush": flush})(below)
    program_sys.excepthook = partial(print, file=File(begin, below.writer.close), flush=True)
    raise Begin


def above(program, begin, end):
    """The program with npdb's frames below it."""
    begin()
    raised = None
    try:
        program()
    except BaseException as e:
        e.__traceback__ = e.__traceback__.tb_next
        raised = e
    end(raised)
    if raised is None:
        return
    hook, last = sys.excepthook, {name: program_sys.__dict__[name] for name in LAST if name in program_sys.__dict__}

    def shown(*_):
        program_sys.excepthook = hook
        program_sys.__dict__.update(last)

    program_sys.excepthook = shown
    raise Begin
