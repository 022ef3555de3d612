"""Installs the trace function, and installs it again when the interpreter has removed
it.

This includes the program's recursion limit, because npdb's frames come on top of it.
"""

import sys

from _npdb import activations, channel, namespaces, store, tracer
from _npdb.codes import ADOPT, GAP, HOLE, varint
from _npdb.raised import traceback_of
from _npdb.tracer import EXTRA, LOWERED, get_limit, set_limit

program_limit = 1000  # the program's own limit plus the frames that npdb needs while it runs
raised = False  # the limit is higher, because it could not be lowered


def with_room(more):
    """Raises the recursion limit for the tracer, or lowers it again."""
    lower(program_limit + (EXTRA if more else 0))


def lower(limit):
    """Sets the recursion limit. It cannot be lowered while the stack is as deep, or almost as
    deep up to Python 3.10; then it stays as it is until the next call."""
    global raised
    try:
        set_limit(limit)
        raised = False
    except RecursionError:
        raised = True


def limits(overhead, below):
    """Returns the functions that get and set the program's recursion limit, which is lower
    than the interpreter's by the frames that npdb needs. below is the number of them that
    are below the program."""

    def getrecursionlimit():
        return program_limit - overhead

    def setrecursionlimit(limit, /):
        global program_limit
        wanted = limit
        if issubclass(type(limit), int) and limit > 0:
            wanted += overhead
            try:
                set_limit(limit + below + 1)  # this frame is one more
            except RecursionError as e:
                depth = int(e.args[0].rpartition(" depth ")[2].partition(":")[0])
                e.args = (TOO_LOW % (limit, depth - below - 1),)
                raise
            except OverflowError:
                pass
        set_limit(wanted)
        program_limit = wanted

    return getrecursionlimit, setrecursionlimit


TOO_LOW = "cannot set the recursion limit to %d at the recursion depth %d: the limit is too low"


def levels(most):
    """Returns how many further calls of Python functions the stack has room for, most at
    most."""
    if most == 0:
        return 0
    try:
        return 1 + levels(most - 1)
    except RecursionError:
        return 0


def untrace(frame, number):
    """Stops tracing the frames from a given one on, innermost first: their events would
    find no stack."""
    for _ in range(number):
        if frame is not None:
            frame.f_trace = None
            frame = frame.f_back


ROOM = 3  # levels above a function that a frame calls, so that the frame can be traced; see tracer.room


def user_frames(frame):
    found = []
    while frame is not None:
        if tracer.infos.get(id(frame.f_code)):
            found.append(frame)
        frame = frame.f_back
    return found


def traceback_frames(exception):
    """Returns the user's frames of a traceback, innermost first. A frame can appear
    twice in a row: early 3.11 does this for a frame that had no stack left."""
    found = []
    tb = traceback_of(exception)
    while tb is not None:
        if tracer.infos.get(id(tb.tb_frame.f_code)) and tb.tb_frame not in found[:1]:
            found.insert(0, tb.tb_frame)
        tb = tb.tb_next
    return found


tracing = False


def arm(kind=None):
    """Installs the trace function, or another kind of one. The interpreter removes a
    trace function that raises an exception, for example because no stack is left to
    call it (trace_trampoline in sysmodule.c). Only the interpreter refers to the
    function, so weak references detect this. Their callbacks are written in C and need
    no frame. One raises npdb's signal, whose handler runs as soon as the program
    continues. The other sets a byte in the header; npdb then repeats the signal, in
    case the handler found no stack either."""
    global tracing
    function = (kind or Room)()
    channel.header.seek(channel.OFF)
    watches[:] = [Watch(function, CALL_ALARM), Watch(function, CALL_ALARM)]
    watches[0].alarm = alarm
    watches[1].alarm = Partial(channel.header.write_byte, 1)
    tracing = True
    tracer.original_settrace(function)


def nested(function):
    """Returns a class whose instances call function. Each call uses one level of C
    recursion."""
    return type("Room", (), {"__call__": staticmethod(function)})


def enter(frame, event, arg):
    if raised:
        with_room(False)
    try:
        return enter_again(frame, event, arg)
    except RecursionError:
        if frame.f_code.co_filename.startswith("<npdb "):
            return None  # the program called npdb's function instead of one written in C
        raise


def enter_again(frame, event, arg):
    return tracer.trace(frame, event, arg)


# The trace function uses more stack than its own frame needs. When it finds no stack
# left, the callbacks and the signal's handler can still use this reserve. Up to 3.11
# one limit counts both frames and calls of C functions.
if sys.version_info >= (3, 12):
    Room = nested(enter)
else:
    Room = nested(nested(nested(tracer.trace)())())


def room_for(function):
    """Wraps another trace function for arm, so that it uses as much of the stack."""
    if sys.version_info >= (3, 12):
        return nested(nested(function)())
    return nested(nested(nested(function)())())


watches = []
CALL_ALARM = Watch = Partial = alarm = None
SIGNAL = 0


def prepare(signal_number, handler):
    """Installs the handler of npdb's own signal, and creates the objects that arm
    needs."""
    global CALL_ALARM, Watch, Partial, SIGNAL, alarm
    import _functools
    import _operator
    import _signal
    import _thread
    import _weakref

    SIGNAL = signal_number
    CALL_ALARM = _operator.methodcaller("alarm")
    Watch = type("Watch", (_weakref.ref,), {})
    Partial = _functools.partial
    # From 3.12 on raise_signal would run the handler at once, when there is no stack
    # left.
    later = _thread.interrupt_main if sys.version_info >= (3, 10) else _signal.raise_signal
    alarm = Partial(later, SIGNAL)
    _signal.signal(SIGNAL, handler)


watching_ends = None  # set by unrecorded


def disarm():
    global tracing
    watching_ends()
    tracing = False
    watches.clear()
    tracer.original_settrace(None)


def resynchronise(frames, hole=False, places={}):
    """Rebuilds the stack after a gap or a hole from the frames, innermost first. places has the lines
    of frames, by id, that are not at their current line."""
    channel.header[channel.OFF] = 0
    found = []
    claimed = set()
    below = [] if hole else list(activations.stack)  # after a hole, a frame need not belong to the activation that was there
    namespaces.resynchronise([activations.activation_of(one) for one in frames] + below)
    for one in reversed(frames):
        info = tracer.infos[id(one.f_code)]
        local = one.f_trace
        me = None
        if local is not None and activations.ours(local):
            me = activations.cell(local, "me").cell_contents
        if me is not None:
            claimed.add(me.number)
        else:
            me = next((m for m in below if m.info is info and m.number not in claimed), None)
            one.f_trace, me = adopted(one, info, me)
            claimed.add(me.number)
        me.address = id(one)
        me.effect = tracer.EVERYTHING  # what its current line has changed is unknown
        found.append(me)
    activations.stack[:] = found
    store.broken = True  # what ran meanwhile is unknown
    if hole:
        lines = [varint(places.get(id(frame)) or frame.f_lineno or 0) for frame in reversed(frames)]
        channel.put(HOLE + varint(len(found)) + b"".join(varint(me.number) + line for me, line in zip(found, lines)))
        return
    record = GAP + varint(len(found))
    channel.put(record + b"".join(varint(me.number) for me in found))


def adopted(frame, info, me):
    """Returns a trace function for a frame that has none, for its activation or for a
    new one."""
    if me is None:
        if info.code.co_name != "<module>":
            namespaces.attach(frame, info)
        channel.put(ADOPT + varint(info.index))
        me = activations.Activation(info, frame)
        activations.begun += 1
        namespaces.enter(frame, me)
    local = (tracer.function if info.fast else tracer.scope)(info)
    activations.cell(local, "me").cell_contents = me
    return local, me


tracer.resynchronise, tracer.user_frames = resynchronise, user_frames
