"""Stops: telling npdb where the program stands, and taking the next move.

A move is a test that the trace function makes after each event; what it means
is npdb's business, which sends one of a few predicates.
"""

import sys

from _npdb import arming, channel, codes, signals, streams, tracer, usercode
from _npdb import render as values
from _npdb.arming import cell, traceback_frames, user_frames, with_room
from _npdb.codes import ON_LINE

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
    if streams.waiting:
        streams.announce()  # the read goes on (PEP 475)


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


chosen = None  # the exception of the chain that is looked at


def look_at(exception):
    """Makes the frames of an exception's traceback the ones that are asked;
    returns the activation of the innermost and its line there, None if none is
    the user's."""
    global frames, chosen
    found = traceback_frames(exception)
    if not found or not tracer.ours(found[0].f_trace):
        return None
    frames, chosen = found, exception
    me = cell(found[0].f_trace, "me").cell_contents
    line = 0
    tb = exception.__traceback__
    while tb is not None:
        if tb.tb_frame is found[0]:
            line = tb.tb_lineno
        tb = tb.tb_next
    return None if me is None else "%d %d" % (me[0], line)


def record_death(exception):
    """Tracing was off when an exception ended the program: its place is put
    down now, so that there is one to stop at."""
    found = traceback_frames(exception)
    if found:
        tracer.check = None
        arming.resynchronise(found)
        found[0].f_trace(found[0], "exception", (type(exception), exception, None))


def on_signal(signum, frame):
    """npdb's own signal: an interrupt, a __repr__ that hangs, or tracing that
    the interpreter turned off because the trace function could not be called."""
    if not channel.open_here:
        return
    arming.set_limit(arming.program_limit + arming.EXTRA)  # there may be room for just this frame
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
    if not serving and tracer.original_gettrace() is None and arming.tracing:
        found = user_frames(frame)
        if found:
            arming.resynchronise(found)
            arming.arm()
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
    mine = [m.__dict__ for m in (tracer, channel, values, codes, usercode, arming)] + [globals()]
    while frame is not None:
        if any(frame.f_globals is one for one in mine):
            return True
        if tracer.infos.get(id(frame.f_code)):
            return False
        frame = frame.f_back
    return False


def prepare(signal_number):
    """Connects the modules and takes npdb's own signal."""
    arming.prepare(signal_number, on_signal)
    tracer.stop = stop
    tracer.hit = hit
    tracer.limit_reached = limit_reached
    tracer.with_room = with_room
    signals.inside_tracer = inside_tracer
    signals.install()
