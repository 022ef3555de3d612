"""The trace function put in place, and brought back when it is lost.

The program's recursion limit is part of this: npdb's frames come on top of it.
"""

import sys

from _npdb import activations, channel, store, tracer
from _npdb.codes import ADOPT, GAP, HOLE, varint

get_limit = sys.getrecursionlimit
set_limit = sys.setrecursionlimit
EXTRA = 200  # frames for npdb while the program stands
program_limit = 1000  # the program's own limit and what npdb needs with it


def with_room(more):
    """Lets the tracer go deeper than the program may. Up to Python 3.10 the
    limit cannot be lowered near it: then it is the next time."""
    try:
        set_limit(program_limit + (EXTRA if more else 0))
    except RecursionError:
        pass


def user_frames(frame):
    found = []
    while frame is not None:
        if tracer.infos.get(id(frame.f_code)):
            found.append(frame)
        frame = frame.f_back
    return found


def traceback_frames(exception):
    """The user's frames of a traceback, the innermost first. A frame can stand
    in it twice running, as the one that had no room left in early 3.11."""
    found = []
    tb = exception.__traceback__
    while tb is not None:
        if tracer.infos.get(id(tb.tb_frame.f_code)) and tb.tb_frame not in found[:1]:
            found.insert(0, tb.tb_frame)
        tb = tb.tb_next
    return found


tracing = False


def arm(kind=None):
    """Installs the trace function, or one of another kind. Only the interpreter holds it, so that weak
    references tell when it is turned off: an exception in a trace function (no
    stack left to call it) does that (trace_trampoline in sysmodule.c). Their
    callbacks are all C and need no frame: one raises npdb's signal, whose
    handler runs as soon as the program does, the other marks the header for
    npdb, which repeats the signal if the handler too found no room."""
    global tracing
    function = (kind or Room)()
    channel.header.seek(channel.OFF)
    watches[:] = [Watch(function, CALL_ALARM), Watch(function, CALL_ALARM)]
    watches[0].alarm = alarm
    watches[1].alarm = Partial(channel.header.write_byte, 1)
    tracing = True
    tracer.original_settrace(function)


def nested(function):
    """A class whose instances call function, for one level of C recursion."""
    return type("Room", (), {"__call__": staticmethod(function)})


def enter(frame, event, arg):
    return enter_again(frame, event, arg)


def enter_again(frame, event, arg):
    return tracer.trace(frame, event, arg)


# What the trace function takes of the stack beyond its own frame is what the
# callbacks and the signal's handler have left when it finds no room. Up to
# 3.11 calls of C functions and frames count against one limit.
if sys.version_info >= (3, 12):
    Room = nested(enter)
else:
    Room = nested(nested(nested(tracer.trace)())())


def room_for(function):
    """What arm installs for another trace function: it takes as much of the stack."""
    if sys.version_info >= (3, 12):
        return nested(nested(function)())
    return nested(nested(nested(function)())())


watches = []
CALL_ALARM = Watch = Partial = alarm = None
SIGNAL = 0


def prepare(signal_number, handler):
    """Takes npdb's own signal, and makes what arm needs."""
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
    # raise_signal runs the handler at once from 3.12 on, where there is no room.
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


def resynchronise(frames, hole=False):
    """After a gap or a hole the stack is looked at anew: frames, the innermost first."""
    channel.header[channel.OFF] = 0
    found = []
    claimed = set()
    below = () if hole else list(activations.stack)  # after a hole a frame need not be the one that was there
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
        me.effect = tracer.EVERYTHING  # of the line that it is at now nothing is known
        found.append(me)
    activations.stack[:] = found
    store.broken = True  # nobody knows what ran meanwhile
    if hole:
        lines = [varint(frame.f_lineno or 0) for frame in reversed(frames)]
        channel.put(HOLE + varint(len(found)) + b"".join(varint(me.number) + line for me, line in zip(found, lines)))
        return
    record = GAP + varint(len(found))
    channel.put(record + b"".join(varint(me.number) for me in found))


def adopted(frame, info, me):
    """A closure for a frame that has none: of its activation, or a new one."""
    if me is None:
        channel.put(ADOPT + varint(info.index))
        me = activations.Activation(info, frame)
        activations.begun += 1
    local = (tracer.function if info.fast else tracer.scope)(info)
    activations.cell(local, "me").cell_contents = me
    return local, me


tracer.resynchronise, tracer.user_frames = resynchronise, user_frames
