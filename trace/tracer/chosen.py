"""Records a thread other than the main one: the first that begins with a given name.

The main thread and the other threads run untraced. Signal handlers run in the main
thread, so that npdb's own signal is handled here for the recorded thread.
"""

import _thread
import sys

from _npdb import arming, channel, elsewhere, ending, library, moves, tracer, unrecorded
from _npdb import render as values

wanted = ""  # the name, or a glob
begun = False  # the thread has begun
others = []  # names of the threads that began before, at most MOST
asked = 0  # signals that asked the thread to stop at its next event
thrown = False  # an interrupt of the evaluation under way was raised in the thread
reported = False  # npdb was told that tracing was lost
MOST, PATIENCE = 100, 10


def wait_for(name):
    """Makes the recording begin with the first thread of that name."""
    global wanted
    wanted = name
    channel.recorded = 0
    elsewhere.begins = begins


def begins(name):
    """Begins the recording if a thread has the name. It runs in that thread."""
    global begun
    if begun or not matches(name):
        if not begun and len(others) < MOST and name not in others:
            others.append(name)
        return False
    begun = True
    channel.recorded = _thread.get_ident()
    tracer.silent_call = -1
    tracer.check = moves.anywhere
    moves.calm = calm
    arming.arm()
    return True


def matches(name):
    return name == wanted or library.take("fnmatch").fnmatchcase(name, wanted)


def main_ended(exception):
    """Handles the end of the main thread's code, by an exception or None. Other threads may
    run on. Returns the exit code."""
    code, said = None, ""
    if issubclass(type(exception), SystemExit) and not sys.flags.inspect:
        code = exception.code
    elif exception is not None:
        code = ending.show(exception)
        if not issubclass(type(exception), SystemExit):
            try:
                said = repr(exception)
            except Exception:
                said = type(exception).__name__
    if channel.open_here:
        channel.send(b"E", said, *([] if begun else others))
    return code


def heed(frame):
    """Handles npdb's signal."""
    global reported
    header = channel.header
    if not begun:
        if header[channel.INTERRUPT]:
            give_up(frame)
        return
    at = sys._current_frames().get(channel.recorded)
    if header[channel.STOP_REPR]:
        header[channel.STOP_REPR] = 0
        if header[channel.IN_REPR]:
            throw(values.Refused)
    if header[channel.OFF]:
        header[channel.OFF] = 0
        if at is not None and not reported:
            reported = True
            channel.send(b"N", LOST)
    if header[channel.INTERRUPT]:
        interrupt(at)


LOST = "tracing was lost in the recorded thread, because its stack was full: nothing after that is recorded"


def interrupt(at):
    """Stops the recorded thread at its next event, or where it waits if there is none. at is
    its innermost frame, None if it has ended."""
    global asked, thrown
    if moves.serving:
        channel.header[channel.INTERRUPT] = 0
        if moves.evaluating and not thrown:
            thrown = True
            throw(KeyboardInterrupt)
        return
    if tracer.check is not moves.requested:
        asked = 0
        moves.request = "interrupted"
        tracer.check = moves.requested
    asked += 1
    if at is None or asked > PATIENCE and not moves.inside_tracer(at):
        stand_in(at)


def stand_in(at):
    """Stops in the main thread for the recorded one, which waits or has ended. If it goes on
    meanwhile, it stops at its next event until npdb asks for a move."""
    gate = _thread.allocate_lock()

    def closed(what, act, line):
        with gate:
            pass
        test = tracer.check
        return test is not None and test is not closed and test(what, act, line)

    with gate:
        moves.idle = closed
        moves.with_room(True)
        moves.reason = "interrupted"
        try:
            moves.serve(arming.user_frames(at))
        finally:
            moves.idle = None
            moves.with_room(False)


def throw(exception):
    """Raises an exception in the recorded thread, at one of its next bytecodes."""
    ctypes = library.take("ctypes")
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(channel.recorded), ctypes.py_object(exception))


def calm(raised=False):
    """Withdraws the exception of an interrupt, unless it was raised: the evaluation has
    ended."""
    global thrown
    due, thrown = thrown and not raised, False
    if due:
        ctypes = library.take("ctypes")
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(channel.recorded), None)


def give_up(frame):
    """Handles an interrupt before the thread has begun: the main thread is recorded from here
    on."""
    elsewhere.begins = None
    channel.recorded = channel.main
    channel.send(b"N", "no thread named %s has begun: from here on npdb records the main thread" % wanted)
    unrecorded.begin("free", 0, 0, 0)
    unrecorded.missed = True
    unrecorded.install()
    if unrecorded.stack_of(frame):
        moves.stop_outside(frame, "interrupted")
