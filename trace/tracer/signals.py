"""The program's signal handlers.

The interpreter runs a handler at any bytecode, which is most of the time inside the
trace function, where nothing is traced. Then the handler waits for the end of the event
that is being written, and runs there, traced.
"""

import sys

import _signal
from _npdb import channel, tracer
from _npdb.codes import ON_LINE

original_signal = _signal.signal
original_getsignal = _signal.getsignal
used = False  # the program has set a handler
waiting = []  # (handler, signal number) of signals that arrived inside the trace function
inside_tracer = None  # set by moves


class Wrapper:
    """Replaces a handler of the program in the interpreter."""

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
    global used
    used = True
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
    if module is not None:  # the functions of signal look these two up in _signal
        module._signal = program_signal


def uninstall():
    program_signal = sys.modules["_signal"]
    program_signal.signal, program_signal.getsignal = original_signal, original_getsignal
    if not used:
        return
    for number in range(1, _signal.NSIG):
        handler = original_getsignal(number)
        if isinstance(handler, Wrapper):
            try:
                original_signal(number, handler.handler)
            except ValueError:
                return  # a fork in another thread than the main one, where the wrapper does no harm


def wait():
    """Makes the waiting handlers run when the current move next tests an event."""
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
    """Runs the waiting handlers with tracing on; sys.call_tracing exists for this.
    Outside the trace function tracing is already on."""
    while waiting:
        handler, number = waiting.pop(0)
        if not waiting:
            channel.header[channel.WAITING] = 0
        if outside:
            handler(number, frame)
        else:
            sys.call_tracing(run, (handler, number, frame))


def run(handler, number, frame):
    # 3.11 does not turn tracing on for call_tracing; setting the function again does.
    tracer.original_settrace(tracer.original_gettrace())
    handler(number, frame)
