"""Records events that the interpreter did not report, usually because the program's stack was full.

When there is no stack left to call the trace function, the interpreter raises a
RecursionError in the new frame, although the program without npdb gets one in the
caller, and removes the trace function. The traceback still holds the frames that the
exception has ended, so their events are recorded afterwards.
"""

import gc
import sys

from _npdb import activations, arming, moves, tracer, unrecorded
from _npdb.channel import put
from _npdb.codes import EXCEPTION, RESUME, varint
from _npdb.raised import cause_of, context_of, raising, traceback_of


def cut(exception):
    """Removes npdb's frames from the tracebacks of an exception, its causes and its
    contexts. Returns whether its own traceback had any."""
    found, todo = {}, [exception]
    while todo:
        e = todo.pop()
        if e is not None and id(e) not in found:
            found[id(e)] = issubclass(type(e), RecursionError) and shorten(e)
            todo += cause_of(e), context_of(e)
    return found[id(exception)]


def cut_kept():
    """Does the same for exceptions that were handled before this was noticed. The program
    may have kept them."""
    for one in gc.get_objects():
        if issubclass(type(one), RecursionError):
            shorten(one)


def shorten(exception):
    """Removes npdb's frames from the end of a traceback, and the frame below them, which has
    not begun because the trace function could not be called. Returns whether there were any."""
    kept = list(entries(exception))
    whole = len(kept)
    while kept and kept[-1].tb_frame.f_code.co_filename.startswith("<npdb "):
        kept.pop()
    if len(kept) in (0, whole):
        return False
    last = kept[-1].tb_frame
    if not is_known(last):
        while kept and kept[-1].tb_frame is last:  # the first releases of 3.11 have it twice
            kept.pop()
    if kept:
        kept[-1].tb_next = None
    exception.args = tracer.IN_PLAIN_WORDS
    return bool(kept)


def is_known(frame):
    """Returns whether a frame has an activation."""
    local = frame.f_trace
    return local is not None and activations.ours(local) and activations.cell(local, "me").cell_contents is not None


def restore(frames):
    """Rebuilds the stack from the frames, innermost first. The stack was full when the
    innermost ones began, so their current lines become events now."""
    begun = 0
    while begun < len(frames) and not is_known(frames[begun]):
        begun += 1
    arming.resynchronise(frames[begun:])
    for frame in reversed(frames[:begun]):
        frame.f_trace, me = arming.adopted(frame, tracer.infos[id(frame.f_code)], None)
        put(RESUME + varint(me.number))
        activations.stack.append(me)
        moves.again(frame)


def caught(found):
    """Records how the exception that is being handled came to the frame that handles it,
    and rebuilds the stack from the frames found, innermost first. Returns False if the
    stack was not full."""
    e = sys.exc_info()[1]
    if e is None or not cut(e):
        cut_kept()
        return False
    raised = arming.traceback_frames(e)
    if not raised or raised[-1] not in found:
        return False
    handler = found.index(raised[-1])
    restore(raised + found[handler + 1 :])
    arg = type(e), e, traceback_of(e)
    check, tracer.check = tracer.check, None
    for frame in raised[:-1]:
        frame.f_trace(frame, "exception", arg)
        if frame is raised[0]:  # it has read all names: from here on nothing changes
            for ended in raised[:-1]:
                activations.activation_of(ended).effect = None
        frame.f_trace(frame, "return", None)
    tracer.check = tracer.check or check
    line = next(tb for tb in entries(e) if tb.tb_frame is raised[-1]).tb_lineno
    put(EXCEPTION + varint(line) + raising(arg))  # without changes: the frame has gone on since
    if handler:
        arming.resynchronise(found)
    return True


def record_death(exception):
    """Records where an exception was raised that ended the program while tracing was off,
    so that there is an event to stop at."""
    full = cut(exception)
    found = arming.traceback_frames(exception)
    if found:
        tracer.check = None
        if full and not unrecorded.ever:
            restore(found)
        else:
            arming.resynchronise(found, unrecorded.ever)
        found[0].f_trace(found[0], "exception", (type(exception), exception, None))


def entries(exception):
    """Yields the entries of a traceback, outermost first."""
    tb = traceback_of(exception)
    while tb is not None:
        yield tb
        tb = tb.tb_next
