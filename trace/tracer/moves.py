"""Stops: telling npdb where the program stands, and taking the next move.

A move is a test that the trace function makes after each event; what it means
is npdb's business, which sends one of a few predicates.
"""

import sys

import _thread
from _npdb import activations, arming, changes, channel, codes, scopes, signals, streams, tracer, unrecorded, usercode
from _npdb import render as values
from _npdb.arming import traceback_frames, user_frames, with_room
from _npdb.landing import anywhere, same, test_for
from _npdb.raised import traceback_of

reason = "landed"
met = None  # the breakpoint that ended the move
serving = False
evaluating = False  # what the user asked, while serving
frames = ()  # user frames that can be asked, the innermost first
standing = None  # the frame of the trace function's stop: where a jump is possible
load = None  # loads a module of the tracer; set by the loader
live = None
post_mortem = None  # the exception that nothing caught


class Stop:
    """A breakpoint of the move under way."""

    __slots__ = ("number", "function", "code", "ignore", "hits", "ignored", "error")

    def __init__(self, number, function, condition, ignore):
        self.number = number
        self.function = function
        self.ignore = ignore
        self.hits = self.ignored = 0
        self.error = ""
        self.code = None
        if condition:
            try:
                self.code = compile(condition, "<condition>", "eval", dont_inherit=True)
            except Exception as e:
                self.error = "%s: %s" % (type(e).__name__, e)


def hit(here, frame):
    """Whether one of a line's breakpoints stops, as bdb.effective has it: one
    that is set on a function in a frame of it only; each crossing counts, one
    that is ignored only where the condition holds; a condition that raises
    stops at once."""
    global reason, met
    for stop in here:
        if stop.function and frame.f_code.co_name != stop.function:
            continue
        stop.hits += 1
        if stop.code is not None:
            try:
                if not evaluate(stop.code, frame.f_globals, scopes.of(frame)):
                    continue
            except BaseException as e:
                stop.error = "%s: %s" % (type(e).__name__, e)
        if stop.ignored < stop.ignore and not stop.error:
            stop.ignored += 1
            continue
        reason, met = "breakpoint", stop
        return True
    return False


def evaluate(code, global_names, local_names):
    """eval, with the locals visible in comprehensions and lambdas too."""
    if any(hasattr(const, "co_code") for const in code.co_consts):
        return eval(code, {**global_names, **local_names})
    return eval(code, global_names, local_names)


def names(frame):
    """The globals and the locals of a frame, of the program's module without one."""
    if frame is None:
        main = sys.modules["__main__"].__dict__
        return main, main
    return frame.f_globals, scopes.of(frame)


def limit_reached(what, act, line):
    global reason
    reason = "limit"
    return True


def requested(what, act, line):
    global reason
    reason = request
    return True


request = "interrupted"
noted = None  # sends what the program took from chance; set by launch
at_stops = None  # the module that asks objects for their texts where a move lands; set by launch


def stop(frame):
    """In the trace function: the move has landed."""
    global standing, frames
    with_room(True)
    standing = frame
    serve(user_frames(frame))
    standing = None
    with_room(False)
    if unrecorded.running:
        unrecorded.install()


def stop_outside(frame, why):
    """Anywhere else: in a signal handler or a breakpoint hook."""
    global reason
    with_room(True)
    if unrecorded.running:
        unrecorded.halt(frame)
    reason = why
    traced = tracer.original_gettrace()
    tracer.original_settrace(None)
    try:
        found = user_frames(frame)
        if why == "program" and found and not found[0].f_trace_lines:
            show_lines(found)
        serve(found)
    finally:
        with_room(False)
        if unrecorded.running:
            unrecorded.install()
        else:
            tracer.original_settrace(traced if channel.open_here else None)
    if streams.waiting:
        streams.announce()  # the read goes on (PEP 475)


looking = False  # at a traceback that the program asks to look at
watched = []  # stops of the move under way that are on no line


def look(frame, exception):
    """pdb.post_mortem(): a stop here that shows the frames of a traceback alone."""
    global post_mortem, chosen, looking
    post_mortem = chosen = exception
    looking = True
    try:
        stop_outside(frame, "traceback")
    finally:
        post_mortem = chosen = None
        looking = False


silent = []  # frames whose lines the program wants no events of, and that are debugged


def show_lines(found):
    """The program has set f_trace_lines of a frame in which it calls the debugger
    to False: as in pdb its lines are events until the user lets the program run."""
    for frame in found:
        if not frame.f_trace_lines:
            silent.append(frame)
            frame.f_trace_lines = True
    again(found[0])


def again(frame):
    """The line at which a frame stands is an event once more; it stops there already."""
    tests = tracer.check, tracer.hit
    tracer.check, tracer.hit = None, lambda *_: False
    try:
        changes.doubt(frame)
        frame.f_trace(frame, "line", None)
    finally:
        tracer.check, tracer.hit = tests


def serve(found, innermost=""):
    """Tells npdb of the stop and answers it until it asks for a move."""
    global frames, reason, serving, live
    frames = found
    serving = True
    streams.asking = True
    if at_stops is not None and post_mortem is None:
        at_stops.ask(found)
    tell(innermost)
    try:
        while True:
            message = channel.receive()
            verb = message[0].decode()
            if verb in ("move", "fast", "seek", "same"):
                if at_stops is not None:
                    at_stops.withdraw()
                take(message)
                return
            if verb in ("detach", "quit"):
                load("visiting").leave(verb)
                return
            if verb == "settled":
                load("chance").settle()
                channel.send(b"A", "ok", "", "", "")
                continue
            if verb == "fatal":
                unreported.record_death(post_mortem)
                reason = "post_mortem"
                tell(look_at(post_mortem))
                continue
            if live is None:
                live = load("live")
            if verb == "debug":
                reason = "landed"
                load("nested").debug(int(message[1]), message[2].decode("utf-8", "replace"))
                reason = "landed"
                tell("")
                continue
            live.answer(verb, message[1:])
            for frame in found[:1]:  # what was asked may have changed anything
                changes.doubt(frame)
    finally:
        serving = False
        streams.asking = False
        frames = ()


def calm(raised=False):
    """Withdraws an exception that was to interrupt an evaluation which has ended; see chosen."""


idle = None  # the test of events while the program is stopped; see chosen


def tell(innermost):
    """Says why the program stands and which breakpoints were met."""
    global met
    fields = [str(met.number) if met is not None and reason == "breakpoint" else ""]
    met = None
    for lines in usercode.stops.values():
        for here in lines.values():
            for at in here:
                if at.hits:
                    fields += (str(at.number), str(at.hits), str(at.ignored), at.error)
        lines.clear()
    fields += of_watched()
    tracer.check = idle
    channel.header[channel.INTERRUPT] = 0
    flush()
    if noted is not None:
        noted()
    channel.send(b"S", reason, innermost, *fields)


def of_watched():
    """What became of the stops that are on no line; they are over."""
    found = []
    for at in watched:
        if at.hits:
            found += (str(at.number), str(at.hits), str(at.ignored), at.error)
    watched.clear()
    return found


def take(message):
    """A move: mode, three numbers, then path, line, function, condition, ignore of
    each stop. A fast one runs unrecorded, as far as that can be. One that repeats ("same")
    has the events of an earlier run before the mode. One that seeks counts
    ticks, and records from the one on that is given before the mode."""
    global reason
    alike = message.pop(1) if message[0] == b"same" else None
    text = [field.decode("utf-8", "replace") for field in message[1:]]
    tick = int(text.pop(0)) if message[0] == b"seek" else None
    reason = "landed"
    if text[0] == "free":
        while silent:
            silent.pop().f_trace_lines = False
    if live is not None:
        live.typed.variables.clear()
    values.budget["large"] = values.LARGE
    tracer.check = test_for(text[0], int(text[1]), int(text[2]), int(text[3])) if alike is None else same(alike)
    if signals.waiting:
        signals.wait()
    expressions = []
    told, found = text[4:], {}
    for number, n in enumerate(range(4, len(text), 5)):
        path, line, function, condition, ignore = text[n : n + 5]
        if not path:  # see watching.watch
            watched.append(Stop(number, "", condition, int(ignore)))
            expressions.append(load("watching").watch(watched[-1], function, int(line)))
            continue
        lines = usercode.stops.setdefault(path, {})
        lines.setdefault(int(line), []).append(Stop(number, function, condition, int(ignore)))
        found.setdefault(path, {}).setdefault(int(line), []).append(lines[int(line)][-1])
    if elsewhere is not None and (told or text[0] not in SINGLE):
        elsewhere.replace(told, found)
    if tick is not None:
        load("ticking").begin(tick, text[0], int(text[1]), int(text[2]), int(text[3]))
    elif message[0] == b"fast" and (post_mortem is None or looking):
        unrecorded.begin(text[0], int(text[1]), int(text[2]), int(text[3]))
    elif expressions:
        tracer.check = load("watching").also(tracer.check, expressions)


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


SINGLE = frozenset(("any", "count", "calls"))  # moves for which npdb names no breakpoints
elsewhere = None  # watches breakpoints in other threads; set by elsewhere
chosen = None  # the exception of the chain that is looked at


def look_at(exception):
    """Makes the frames of an exception's traceback the ones that are asked;
    returns the activation of the innermost and its line there, None if none is
    the user's."""
    global frames, chosen
    found = traceback_frames(exception)
    if not found or not activations.ours(found[0].f_trace):
        return None
    frames, chosen = found + callers(found[-1]), exception
    me = activations.cell(found[0].f_trace, "me").cell_contents
    line = 0
    tb = traceback_of(exception)
    while tb is not None:
        if tb.tb_frame is found[0]:
            line = tb.tb_lineno
        tb = tb.tb_next
    return None if me is None else "%d %d" % (me.number, line)


def callers(frame):
    """The user's frames that called a frame, as far as the exceptions that came
    after one which ended in it hold them: a frame that is left forgets its own."""
    found = []
    for e in load("tracebacks").chain():
        held = traceback_frames(e)
        if frame in held:
            found += held[held.index(frame) + 1 :]
            frame = held[-1]
    return found


def on_signal(signum, frame):
    """npdb's own signal: an interrupt, a __repr__ that hangs, or tracing that
    the interpreter turned off because the trace function could not be called."""
    if not channel.open_here:
        return
    lost = tracer.original_gettrace() is None
    try:
        missing = arming.ROOM - arming.levels(arming.ROOM) if lost else 0
    except RecursionError:
        missing = arming.ROOM + 1
    arming.set_limit(arming.program_limit + arming.EXTRA)  # there may be room for just this frame
    try:
        heed(frame, lost, missing)
    finally:
        with_room(False)


def heed(frame, lost, missing):
    """Handles npdb's signal. missing is the number of innermost frames that lack the stack
    to be traced."""
    global request
    if _thread.get_ident() != channel.recorded:  # a handler runs in the main thread
        load("chosen").heed(frame)
        return
    header = channel.header
    if header[channel.STOP_REPR]:
        header[channel.STOP_REPR] = 0
        if header[channel.IN_REPR]:
            raise values.Refused
        return
    if lost and not serving and arming.tracing:
        found = user_frames(frame)
        if unrecorded.running:
            unrecorded.install()
        elif found:
            arming.tracing = False  # the signal may come again meanwhile
            try:
                if not unreported.caught(found):
                    arming.resynchronise(found)
                arming.untrace(frame, missing)
                arming.arm()
            finally:
                arming.tracing = True
    if header[channel.INTERRUPT]:
        if serving:
            header[channel.INTERRUPT] = 0
            if evaluating:
                raise KeyboardInterrupt
        elif inside_tracer(frame) or unrecorded.between_lines(frame):
            # At the next event, or the next signal: npdb repeats it, for there
            # may be no event for long.
            request = "interrupted"
            tracer.check = requested
        elif activations.begun or user_frames(frame):  # else there is no state to stop at yet
            stop_outside(frame, "interrupted")
    if signals.waiting and not serving and not inside_tracer(frame):
        # No event came: the program waits for something.
        with_room(False)
        signals.deliver(frame, outside=True)


unreported = None  # the module that records events which were not reported; set by prepare
RAISING = frozenset(codes.OPMAP[name] for name in ("RAISE_VARARGS", "RERAISE") if name in codes.OPMAP)


def interrupted(e):
    """Whether a KeyboardInterrupt came from outside, and no statement raised it."""
    if evaluating:
        return True
    tb = traceback_of(e)
    while tb.tb_next is not None:
        tb = tb.tb_next
    return tb.tb_frame.f_code.co_code[tb.tb_lasti] not in RAISING


def inside_tracer(frame):
    mine = [m.__dict__ for m in (tracer, channel, values, codes, usercode, arming, unrecorded)] + [globals()]
    mine += [m.__dict__ for m in (elsewhere, *unrecorded.watchers.values()) if m is not None]
    while frame is not None:
        if any(frame.f_globals is one for one in mine):
            return True
        if tracer.infos.get(id(frame.f_code)):
            return False
        frame = frame.f_back
    return False


def prepare(signal_number):
    """Connects the modules and takes npdb's own signal."""
    global unreported
    unreported = load("unreported")  # not later, in the signal handler that calls it
    arming.prepare(signal_number, on_signal)
    tracer.stop = stop
    tracer.hit = hit
    tracer.limit_reached = limit_reached
    tracer.with_room = with_room
    signals.inside_tracer = inside_tracer
    signals.install()
    unrecorded.load, unrecorded.hit, unrecorded.anywhere, unrecorded.again = load, hit, anywhere, again
