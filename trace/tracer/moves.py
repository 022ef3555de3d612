"""Stops: telling npdb where the program stands, and taking the next move.

A move is a test that the trace function makes after each event; what it means
is npdb's business, which sends one of a few predicates.
"""

import os
import sys

from _npdb import channel, signals, streams, tracer, usercode
from _npdb import render as values
from _npdb.codes import ADOPT, GAP, ON_LINE, varint

reason = "landed"
serving = False
evaluating = False  # what the user asked, while serving
frames = ()  # user frames that can be asked, the innermost first
standing = None  # the frame of the trace function's stop: where a jump is possible
load = None  # loads a module of the tracer; set by the loader
live = None
post_mortem = None  # the exception that nothing caught


class Stop:
    """A breakpoint of the move under way."""

    __slots__ = ("path", "line", "text", "code", "ignore", "hits", "error")

    def __init__(self, path, line, condition, ignore):
        self.path = path
        self.line = line
        self.ignore = ignore
        self.hits = 0
        self.error = ""
        self.text = condition
        self.code = None
        if condition:
            try:
                self.code = compile(condition, "<condition>", "eval", dont_inherit=True)
            except Exception as e:
                self.error = "%s: %s" % (type(e).__name__, e)


def hit(stop, frame):
    """Whether a breakpoint's condition holds and its ignore count is used up."""
    global reason
    if stop.code is not None:
        try:
            if not evaluate(stop.code, frame.f_globals, frame.f_locals):
                return False
        except BaseException as e:
            stop.error = "%s: %s" % (type(e).__name__, e)
    stop.hits += 1
    if stop.hits <= stop.ignore:
        return False
    reason = "breakpoint"
    return True


def evaluate(code, global_names, local_names):
    """eval, with the locals visible in comprehensions and lambdas too."""
    if any(hasattr(const, "co_code") for const in code.co_consts):
        return eval(code, {**global_names, **local_names})
    return eval(code, global_names, local_names)


def anywhere(what, act, line):
    return True


def limit_reached(what, act, line):
    global reason
    reason = "limit"
    return True


def requested(what, act, line):
    global reason
    reason = request
    return True


request = "interrupted"


def test_for(mode, a, b, c):
    """The predicate of a move: see Recording.Move."""
    stack, finals, places = tracer.stack, tracer.FINAL, tracer.PLACES
    if mode == "any":
        return anywhere
    if mode == "depth":  # back at depth a or less
        return lambda what, act, line: len(stack) <= a + 1
    if mode == "over":  # a generator's next place, its end, or the end of what is outermost
        return lambda what, act, line: (act == a and (what in places or what in finals)) or (act == b and what in finals)
    if mode == "final":  # the return of activation a (or of b), or a depth below c
        return lambda what, act, line: (what in finals and (act == a or act == b)) or len(stack) <= c
    if mode == "count":  # the a-th event from here
        left = [a]

        def count(what, act, line):
            left[0] -= 1
            return left[0] <= 0

        return count
    if mode == "until":  # line b of activation a, or its return
        return lambda what, act, line: (
            act == a and (what in finals or (what == ON_LINE and line >= b))
        )
    return None


def user_frames(frame):
    found = []
    while frame is not None:
        if tracer.infos.get(id(frame.f_code)):
            found.append(frame)
        frame = frame.f_back
    return found


def with_room(more):
    """Lets the tracer go deeper than the program may. Up to Python 3.10 the
    limit cannot be lowered near it: then it is the next time."""
    try:
        set_limit(program_limit + (EXTRA if more else 0))
    except RecursionError:
        pass


EXTRA = 200
program_limit = 1000


def stop(frame):
    """In the trace function: the move has landed."""
    global standing, frames
    with_room(True)
    standing = frame
    serve(user_frames(frame))
    standing = None
    with_room(False)


def stop_outside(frame, why):
    """Anywhere else: in a signal handler or a breakpoint hook."""
    global reason
    with_room(True)
    reason = why
    traced = tracer.original_gettrace()
    tracer.original_settrace(None)
    try:
        serve(user_frames(frame))
    finally:
        tracer.original_settrace(traced)
        with_room(False)


def serve(found, innermost=""):
    """Tells npdb of the stop and answers it until it asks for a move."""
    global frames, reason, serving, live
    frames = found
    fields = []
    for lines in usercode.stops.values():
        for at in lines.values():
            if at.hits or at.error:
                fields += (at.path, str(at.line), str(at.hits), at.error)
        lines.clear()
    tracer.check = None
    channel.header[channel.INTERRUPT] = 0
    serving = True
    streams.asking = True
    flush()
    channel.send(b"S", reason, innermost, *fields)
    try:
        while True:
            message = channel.receive()
            verb = message[0].decode()
            if verb == "move":
                take(message)
                return
            if live is None:
                live = load("live")
            live.answer(verb, message[1:])
    finally:
        serving = False
        streams.asking = False
        frames = ()


def take(message):
    """A move: mode, three numbers, then path, line, condition, ignore of each stop."""
    global reason
    text = [field.decode("utf-8", "replace") for field in message[1:]]
    reason = "landed"
    values.budget["large"] = values.LARGE
    tracer.check = test_for(text[0], int(text[1]), int(text[2]), int(text[3]))
    if signals.waiting:
        signals.wait()
    for n in range(4, len(text), 4):
        path, line, condition, ignore = text[n : n + 4]
        lines = usercode.stops.setdefault(path, {})
        lines[int(line)] = Stop(path, int(line), condition, int(ignore))


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def breakpoint_hook(*args, **kwargs):
    """breakpoint(): a stop, unless the program's environment says otherwise
    (PEP 553)."""
    wanted = os.environ.get("PYTHONBREAKPOINT")
    if wanted and wanted != "pdb.set_trace":
        return original_hook(*args, **kwargs)
    set_trace(*args, **kwargs)


def set_trace(*args, **kwargs):
    """pdb.set_trace(): a stop, here where the program calls it."""
    frame = sys._getframe(1)
    if channel.open_here and not serving and tracer.original_gettrace() is not None:
        stop_outside(frame, "program")


original_hook = sys.breakpointhook
chosen = None  # the exception of the chain that is looked at


def look_at(exception):
    """Makes the frames of an exception's traceback the ones that are asked;
    returns the activation of the innermost, None if none is the user's."""
    global frames, chosen
    found = traceback_frames(exception)
    if not found or not tracer.ours(found[0].f_trace):
        return None
    frames, chosen = found, exception
    me = cell(found[0].f_trace, "me").cell_contents
    return None if me is None else me[0]


def traceback_frames(exception):
    """The user's frames of a traceback, the innermost first."""
    found = []
    tb = exception.__traceback__
    while tb is not None:
        if tracer.infos.get(id(tb.tb_frame.f_code)):
            found.insert(0, tb.tb_frame)
        tb = tb.tb_next
    return found


def record_death(exception):
    """Tracing was off when an exception ended the program: its place is put
    down now, so that there is one to stop at."""
    found = traceback_frames(exception)
    if found:
        tracer.check = None
        resynchronise(found)
        found[0].f_trace(found[0], "exception", (type(exception), exception, None))


class PdbFinder:
    """Makes pdb.set_trace() npdb's when the program imports pdb."""

    def find_spec(self, name, path=None, target=None):
        if name != "pdb":
            return None
        sys.meta_path.remove(self)
        import _frozen_importlib_external as external

        spec = external.PathFinder.find_spec("pdb")
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            module.set_trace = set_trace

        spec.loader.exec_module = exec_module
        return spec


def on_signal(signum, frame):
    """npdb's own signal: an interrupt, a __repr__ that hangs, or tracing that
    the interpreter turned off because the trace function could not be called."""
    if not channel.open_here:
        return
    set_limit(program_limit + EXTRA)  # there may be room for just this frame
    try:
        heed(frame)
    finally:
        with_room(False)


def heed(frame):
    global request
    header = channel.header
    if header[channel.STOP_REPR]:
        header[channel.STOP_REPR] = 0
        if header[channel.IN_REPR]:
            raise values.Refused
        return
    if not serving and tracer.original_gettrace() is None and tracing:
        found = user_frames(frame)
        if found:
            resynchronise(found)
            arm()
    if header[channel.INTERRUPT]:
        if serving:
            header[channel.INTERRUPT] = 0
            if evaluating:
                raise KeyboardInterrupt
        elif inside_tracer(frame):
            # At the next event, or the next signal: npdb repeats it, for there
            # may be no event for long.
            request = "interrupted"
            tracer.check = requested
        else:
            stop_outside(frame, "interrupted")
    if signals.waiting and not serving and not inside_tracer(frame):
        # No event came: the program waits for something.
        with_room(False)
        signals.deliver(frame, outside=True)


def inside_tracer(frame):
    mine = (tracer.__dict__, channel.__dict__, values.__dict__, globals())
    while frame is not None:
        if any(frame.f_globals is one for one in mine):
            return True
        if tracer.infos.get(id(frame.f_code)):
            return False
        frame = frame.f_back
    return False


tracing = False
get_limit = sys.getrecursionlimit
set_limit = sys.setrecursionlimit


def arm():
    """Installs the trace function. Only the interpreter holds it, so that weak
    references tell when it is turned off: an exception in a trace function (no
    stack left to call it) does that (trace_trampoline in sysmodule.c). Their
    callbacks are all C and need no frame: one raises npdb's signal, whose
    handler runs as soon as the program does, the other marks the header for
    npdb, which repeats the signal if the handler too found no room."""
    global tracing
    function = Room()
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

watches = []
CALL_ALARM = Watch = Partial = alarm = None
SIGNAL = 0


def prepare(signal_number):
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
    signals.original_signal(SIGNAL, on_signal)
    tracer.stop = stop
    tracer.hit = hit
    tracer.limit_reached = limit_reached
    tracer.with_room = with_room
    signals.inside_tracer = inside_tracer
    signals.install()


def disarm():
    global tracing
    tracing = False
    watches.clear()
    tracer.original_settrace(None)


def resynchronise(frames):
    """After a gap the stack is looked at anew: frames, the innermost first."""
    channel.header[channel.OFF] = 0
    found = []
    claimed = set()
    below = list(tracer.stack)
    for one in reversed(frames):
        info = tracer.infos[id(one.f_code)]
        local = one.f_trace
        me = None
        if local is not None and tracer.ours(local):
            me = cell(local, "me").cell_contents
        if me is not None:
            claimed.add(me[0])
        else:
            me = next((m for m in below if m[1] is info and m[0] not in claimed), None)
            one.f_trace, me = adopted(info, me)
            claimed.add(me[0])
        found.append(me)
    tracer.stack[:] = found
    record = GAP + varint(len(found))
    channel.put(record + b"".join(varint(me[0]) for me in found))


def cell(local, name):
    """A variable of a closure of the trace function."""
    return local.__closure__[local.__code__.co_freevars.index(name)]


def adopted(info, me):
    """A closure for a frame that has none: of its activation, or a new one."""
    if me is None:
        channel.put(ADOPT + varint(info.index))
        me = (tracer.activations, info)
        tracer.activations += 1
    local = (tracer.function if info.fast else tracer.scope)(info)
    cell(local, "me").cell_contents = me
    cell(local, "act").cell_contents = me[0]
    return local, me
