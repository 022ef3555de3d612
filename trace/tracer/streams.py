"""The program's standard streams.

What Python writes to sys.stdout and sys.stderr goes to npdb in order with the
events, as long as the descriptor below is still the one npdb gave. Reading
standard input tells npdb before it blocks.
"""

import io
import os
import sys
from _thread import get_ident

from _npdb import channel
from _npdb import render as values

main_thread = get_ident()  # the traced one; other threads print on meanwhile
given = {}  # stream number -> (device, inode) of the descriptor npdb gave
rendering = False  # a __repr__ is being asked by the tracer
capture = None  # a list: what is written belongs to an answer
waiting = False  # for standard input; an interrupt may stop there
asking = False  # npdb is evaluating: standard input is at its end


class Out(io.BufferedWriter):
    """sys.stdout.buffer and sys.stderr.buffer."""

    def __init__(self, raw, number):
        super().__init__(raw)
        self.number = number

    def write(self, data):
        if not channel.open_here:
            n = super().write(data)
            super().flush()
            return n
        mine = (rendering or capture is not None) and get_ident() == main_thread
        if rendering and mine:
            values.guard["printed"] = True
            raise values.Refused
        data = bytes(data)
        if capture is not None and mine:
            capture.append(data)
            return len(data)
        if given.get(self.number) != identity(self.number):
            n = super().write(data)
            super().flush()
            return n
        channel.output(self.number, data)
        return len(data)

    def flush(self):
        if not channel.open_here:
            super().flush()


class In(io.FileIO):
    """Below sys.stdin: says so before it waits."""

    def readinto(self, data):
        global waiting
        if not channel.open_here:
            return super().readinto(data)
        if asking and get_ident() == main_thread:
            return 0
        import select

        if select.select([self], [], [], 0)[0]:
            return super().readinto(data)
        channel.send(b"I")
        waiting = True
        try:
            return super().readinto(data)
        finally:
            waiting = False
            channel.send(b"J")


def identity(fd):
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def install(announce_input):
    for number, name in ((1, "stdout"), (2, "stderr")):
        old = getattr(sys, name)
        if old is None:
            continue
        given[number] = identity(number)
        raw = io.FileIO(number, "wb", closefd=False)
        raw.name = "<%s>" % name
        new = io.TextIOWrapper(
            Out(raw, number),
            encoding=old.encoding,
            errors=old.errors,
            newline="\n",
            write_through=True,
        )
        new.mode = "w"
        setattr(sys, name, new)
        setattr(sys, "__%s__" % name, new)
        replaced.append(old)
    if announce_input and sys.stdin is not None:
        old = sys.stdin
        raw = In(0, "rb", closefd=False)
        raw.name = "<stdin>"
        new = io.TextIOWrapper(
            io.BufferedReader(raw), encoding=old.encoding, errors=old.errors, newline=None
        )
        new.mode = "r"
        sys.stdin = sys.__stdin__ = new
        replaced.append(old)


replaced = []  # kept open: closing one would close its descriptor
