"""The program's signal handlers.

The interpreter runs a handler wherever its bytecode is, which is most of the
time in the trace function, where nothing is traced. Then the handler waits for
the end of the event that is being written, and runs there, traced.
"""

import sys

import _signal
from _npdb import channel, tracer
from _npdb.codes import ON_LINE

original_signal = _signal.signal
original_getsignal = _signal.getsignal
waiting = []  # (handler, signal number) that came in the trace function
inside_tracer = None  # set by moves


class Wrapper:
    """What the interpreter calls in place of a handler of the program's."""

    __slots__ = ("handler",)

    def __init__(self, handler):
        self.handler = handler

    def __call__(self, number, frame):
        if not channel.open_here or not inside_tracer(frame):
            return self.handler(number, frame)
        waiting.append((self.handler, number))
        channel.header[channel.WAITING] = 1
        wait()


def signal(number, handler):
    if callable(handler) and handler is not _signal.default_int_handler:
        handler = Wrapper(handler)
    return theirs(original_signal(number, handler))


def getsignal(number):
    return theirs(original_getsignal(number))


def theirs(handler):
    return handler.handler if isinstance(handler, Wrapper) else handler


def install():
    program_signal = sys.modules["_signal"]
    program_signal.signal, program_signal.getsignal = signal, getsignal
    module = sys.modules.get("signal")
    if module is not None:  # its functions look these two up in _signal
        module._signal = program_signal


def wait():
    """Puts the waiting handlers behind the test of the move under way."""
    test = tracer.check
    if getattr(test, "delivers", False):
        return

    def check(what, act, line):
        if test is not None and test(what, act, line):
            return True
        frame = sys._getframe(1)
        while not tracer.infos.get(id(frame.f_code)):
            frame = frame.f_back
        if what == ON_LINE and line in tracer.infos[id(frame.f_code)].file.stops:
            return False  # a stop comes first
        tracer.check = test
        deliver(frame)
        return False

    check.delivers = True
    tracer.check = check


def deliver(frame, outside=False):
    """Runs what waits, with tracing on: sys.call_tracing is made for this.
    outside the trace function it is on already."""
    while waiting:
        handler, number = waiting.pop(0)
        if not waiting:
            channel.header[channel.WAITING] = 0
        if outside:
            handler(number, frame)
        else:
            sys.call_tracing(run, (handler, number, frame))


def run(handler, number, frame):
    # 3.11 forgets to turn tracing on for call_tracing: setting it anew does.
    tracer.original_settrace(tracer.original_gettrace())
    handler(number, frame)
