"""The program's standard streams.

npdb receives what Python code writes to sys.stdout and sys.stderr in the order of
events, as long as the descriptor is still the one that npdb opened. A read of standard
input informs npdb before it blocks.
"""

import os
import sys

import _io as io  # the program may import io.py itself, from 3.14 on
from _thread import get_ident

from _npdb import arming, builtin_input, channel, library
from _npdb import render as values
from _npdb.bound import program_sys
from _npdb.descriptors import identity

given = {}  # stream number -> (device, inode) of the descriptor that npdb opened
rendering = False  # the tracer is calling a __repr__
capture = None  # a list: output belongs to an answer
waiting = 0  # the number of a wait for standard input, during which an interrupt may stop; 0 for none
waits = 0  # number of waits so far
unseen = False  # the input of this wait must not be shown
asking = False  # npdb is evaluating an expression: standard input is at its end
GETPASS = os.sep + "getpass.py"
HELD = 8192  # maximum bytes that are held back
DEEPEST = 12  # more frames than a write needs, the next chunk of the recording included


class Out(io.BufferedWriter):
    """Replaces sys.stdout.buffer and sys.stderr.buffer. It holds back the beginning of a
    line until the line ends or the next record is written: print writes each argument by
    itself."""

    def __init__(self, raw, number):
        super().__init__(raw)
        self.number = number
        self.held = []  # pieces of output
        self.size = 0  # of these in bytes

    def write(self, data):
        if get_ident() == channel.recorded and channel.open_here and not rendering and capture is None:
            data = bytes(data)
            first = self not in channel.holding
            ends = data.endswith(b"\n") or self.size + len(data) > HELD
            # Raises RecursionError before anything is stored.
            room = not arming.LOWERED and (first or ends) and arming.levels(DEEPEST) == DEEPEST
            if first:  # without a call, because the stack may have no room
                channel.holding.append(self)
                channel.write = channel.write_after_output
            self.held.append(data)
            self.size += len(data)
            if not ends:
                return len(data)
            if room:
                self.release()
                return len(data)
            limit = arming.program_limit if arming.raised else arming.get_limit()
            arming.set_limit(limit + arming.EXTRA)  # the streams of CPython need no frames
            try:
                self.release()
            finally:
                arming.lower(limit)
            return len(data)
        if not channel.open_here:
            n = super().write(data)
            super().flush()
            return n
        mine = get_ident() == channel.recorded
        if rendering and mine:
            values.guard["printed"] = True
            raise values.Refused
        data = bytes(data)
        if capture is not None and mine:
            capture.append(data)
        else:
            self.emit(data)
        return len(data)

    def release(self):
        """Writes the output that is held back."""
        data = b"".join(self.held)
        self.held.clear()
        self.size = 0
        self.emit(data)

    def emit(self, data):
        if not data:
            return
        if given.get(self.number) != identity(self.number):
            super().write(data)
            super().flush()
            return
        # Keeps the order with output of children and C code. npdb reads the data from
        # the descriptor, and the record says after which event it was written.
        rest = data
        while rest:
            try:
                rest = rest[os.write(self.number, rest) :]
            except BlockingIOError:
                library.take("select").select([], [self.number], [])
        channel.output(self.number, data)

    def flush(self):
        if not channel.open_here:
            super().flush()
        elif self.held and get_ident() == channel.recorded:
            try:
                room = arming.levels(DEEPEST) == DEEPEST
            except RecursionError:
                room = False
            if room:
                self.release()  # otherwise the next record does it


class In(io.FileIO):
    """Replaces the raw stream of sys.stdin: it informs npdb before it waits."""

    read = io._RawIOBase.read  # uses readinto
    readall = io._RawIOBase.readall

    def fileno(self):
        if builtin_input.asks(sys._getframe(1)):
            raise io.UnsupportedOperation("fileno")
        return super().fileno()

    def readinto(self, data):
        global unseen, waiting, waits
        if not channel.open_here:
            return super().readinto(data)
        if asking and get_ident() == channel.recorded:
            return 0
        select = library.take("select")
        if select.select([0], [], [], 0)[0] or not patient():
            return super().readinto(data)
        waiting = waits = waits % 255 + 1
        # Without a terminal getpass reads a plain line, and npdb cannot detect it by the echo.
        unseen = sys._getframe(1).f_code.co_filename.endswith(GETPASS)
        announce()
        try:
            # Wait for input without reading it until npdb knows that the wait is over.
            # Otherwise npdb would find nothing to read and assume that the program
            # still waits.
            select.select([0], [], [])
        finally:
            waiting = channel.header[channel.READING] = 0
            channel.send(b"J")
        return super().readinto(data)


def announce():
    channel.header[channel.READING] = waiting
    channel.send(b"I", str(waiting), "unseen" if unseen else "")


def patient():
    """Returns whether reading standard input blocks until input arrives."""
    if not os.get_blocking(0):
        return False
    if not os.isatty(0):
        return True
    termios = library.take("termios")
    mode = termios.tcgetattr(0)
    return bool(mode[3] & termios.ICANON or mode[6][termios.VMIN])


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
            line_buffering=old.line_buffering,
            write_through=True,
        )
        new.mode = "w"
        setattr(program_sys, name, new)
        setattr(program_sys, "__%s__" % name, new)
        replaced.append(old)
    if announce_input and sys.stdin is not None:
        old = sys.stdin
        raw = In(0, "rb", closefd=False)
        raw.name = "<stdin>"
        new = io.TextIOWrapper(
            io.BufferedReader(raw), encoding=old.encoding, errors=old.errors, newline=None
        )
        new.mode = "r"
        program_sys.stdin = program_sys.__stdin__ = new
        replaced.append(old)
        if raw.isatty():
            builtin_input.install(new)


replaced = []  # kept open: closing a stream would close its descriptor
