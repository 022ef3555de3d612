"""Makes the interpreter run the program with no frame of npdb below it on the stack.

The caller of the program cannot be a Python function, because its frame would be on the
stack. So the program is called by C code of CPython only, in these steps. The loader
ends with an exception. The interpreter displays it with sys.excepthook, which is print
here. print writes to a file whose write() prepares everything and whose flush() is the
close() of a buffered writer. close() first flushes the writer, which calls the program.
It then closes the object below the writer, regardless of what the program raised. There
npdb raises SystemExit, whose context is the exception of the program. The interpreter
reads its code, and exits.
"""

import os
import sys

import _io
from _functools import partial
from _operator import methodcaller

from _npdb.bound import program_sys

LAST = ("last_type", "last_value", "last_traceback", "last_exc")


class Begin(Exception):
    """The exception that the loader ends with."""


class Below:
    """The object below the writer. It is closed when the program has ended."""

    closed = False
    orderly = False  # the program reached its end and raised no exception

    def __init__(self, end):
        self.end = end
        self.writer = None

    def over(self):
        """Records that the program ended without an exception. max calls it after the
        program."""
        self.orderly = True
        return self

    def __gt__(self, other):
        return False  # max compares the results of both calls

    def writable(self):
        return True

    def close(self):
        self.closed = True
        del type(self.writer).flush  # it would keep the program's names alive until the interpreter exits
        if self.orderly:
            self.end(None)
            if os.environ.get("PYTHONINSPECT") and os.isatty(0):
                return  # the interpreter continues with its interactive prompt
        raise End(self)


class End(SystemExit):
    """Ends the interpreter with the exit code that end() returns."""

    def __init__(self, below):
        self.below = below

    @property
    def code(self):
        return None if self.below.orderly else self.below.end(self.__context__)


class File:
    """The file that print writes to."""

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
    """Calls begin(), then program(), which is written in C, then end(exception), where
    exception is what the program raised or None. end returns the exit code. run must be
    the last call of the loader."""
    if sys.flags.inspect:  # with PYTHONINSPECT, SystemExit does not end the interpreter
        return above(program, begin, end)
    below = Below(end)
    # max calls both in order until one raises an exception. An iterator would swallow a
    # StopIteration.
    flush = staticmethod(partial(max, (program, below.over), key=methodcaller("__call__")))
    below.writer = type("Writer", (_io.BufferedWriter,), {"flush": flush})(below)
    program_sys.excepthook = partial(print, file=File(begin, below.writer.close), flush=True)
    raise Begin


def above(program, begin, end):
    """Runs the program with npdb's frames below it."""
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
