"""Runs the program unrecorded: only breakpoints and the landing of the current move are
watched, and no events are written.

There are two watchers: by_monitoring from Python 3.12 on, and by_trace for older
versions or if no tool of sys.monitoring is free. Both report events in code objects
that matter; this module decides what to do with them. At the stop the stack is rebuilt,
and the landing is an ordinary event, which the trace function of its frame writes.
"""

import sys
import _thread

from _npdb import activations, arming, channel, landing, library, scopes, store, tracer
from _npdb.codes import HOLE, ON_LINE, ON_YIELD

running = False
missed = False  # something happened that would have been an event
wanted = False  # the program must start unrecorded
ever = False  # something has run unrecorded
on_entry = None  # called as on_entry(code, info) with code that the recorded thread enters; see firsttest
top = None  # the activation in which the move began
goals = {}  # activation -> test(what, line) of a landing in it
watcher = None  # of the current move
watchers = {}  # by_monitoring and by_trace; the first is missing up to 3.11
lock = _thread.RLock()  # other threads also enter code for the first time
load = hit = anywhere = again = None  # set by moves
counting = None  # called when the program is recorded again or ends, while ticks are counted; see ticking
tick = None  # called with the frame of each line that a trace function meets, while ticks are counted
held = None  # the trace function, kept alive because it may be running when it is removed


def begin(mode, a, b, c):
    """Makes the move that begins now run unrecorded, from install on. Returns False if
    its landing can only be found by recording."""
    global running, missed, ever, top, goals, watcher, held
    found = goals_of(mode, a, b, c)
    if found is None:
        return False
    held = tracer.original_gettrace()
    arming.disarm()
    tracer.check = None
    running, missed, ever, goals = True, False, True, found
    top = activations.stack[-1].number if activations.stack else None
    watcher = chosen()
    watcher.begin(stack_of(sys._getframe()))
    return True


def goals_of(mode, a, b, c):
    """Returns the tests of the move, by activation: those of goals_in, which in a block move
    also pass over the lines of the block where the move began."""
    mode, block = landing.block_of(mode, c)
    found = goals_in(mode, a, b, c)
    if block is not None and found:
        own = landing.own_of(mode, a)
        test = found.get(own)
        if test is not None:
            found[own] = lambda what, line: not (what == ON_LINE and block.straight(line)) and test(what, line)
    return found


def goals_in(mode, a, b, c):
    """The tests of tracer's move, as of the activations that they are about; None
    where one of them is not on the stack. It is landing.test_for once more, because
    no stack is kept meanwhile; predicate_test.go holds both equal."""
    stack = activations.stack
    places, finals = tracer.PLACES, tracer.FINAL
    found = {}

    def all_of(depth):
        if 0 <= depth < len(stack):
            found[stack[depth].number] = lambda what, line: True

    if mode == "free":
        return found
    if mode == "depth":
        all_of(a)
        all_of(a - 1)
        return found or None
    on_stack = {me.number for me in stack}
    if a not in on_stack:
        return None
    if mode == "until":
        found[a] = lambda what, line: what in finals or (what == ON_LINE and line >= b)
    elif mode == "over":
        found[a] = lambda what, line: what in places or what in finals
    elif mode == "final":
        all_of(c - 1)
        found[a] = lambda what, line: what in finals
    else:
        return None
    if b in on_stack and mode != "until":
        found[b] = lambda what, line: what in finals
    return found


def chosen():
    """Returns by_monitoring if a tool is free, otherwise by_trace."""
    if hasattr(sys, "monitoring"):
        if loaded("by_monitoring").available():
            return watchers["by_monitoring"]
        if "by_trace" not in watchers:
            channel.send(b"N", NO_TOOL)
    return loaded("by_trace")


NO_TOOL = (
    "all tools of sys.monitoring are taken by the program: what runs unrecorded is watched by a trace function,"
    " and slower for it"
)


def loaded(name):
    if name not in watchers:
        watchers[name] = load(name)
    return watchers[name]


def stack_of(frame):
    """Returns the frames of user code from one outwards, whether or not they are
    traced."""
    found = []
    while frame is not None:
        if info_of(frame.f_code):
            found.append(frame)
        frame = frame.f_back
    return found


def info_of(code):
    info = tracer.infos.get(id(code))
    if info is None:
        with lock:
            info = tracer.infos.get(id(code))
            if info is None:
                info = tracer.classify(code)
    return info


def lines_of(info):
    """Returns the breakpoints of a code object's file by line, if one of them is on a
    line of this code."""
    stops = info.file.stops
    if any(stops.get(line) for line in own_lines(info.code)):
        return stops
    return None


def own_lines(code):
    if hasattr(code, "co_lines"):
        return {line for _, _, line in code.co_lines()}
    return {line for _, line in library.take("dis").findlinestarts(code)}


def goal_of(local):
    """Returns the test of the move for the activation of a trace function."""
    return goals.get(activation(local)) if goals else None


def activation(local):
    if local is not None and activations.ours(local):
        me = activations.cell(local, "me").cell_contents
        if me is not None:
            return me.number
    return None


def seen(frame, event, arg, what, raised=-1):
    """Handles an event of a watched code object in the recorded thread. raised is the
    instruction of the latest exception of the activation, as its own trace function
    stores it."""
    global missed
    test = goal_of(frame.f_trace)
    line = frame.f_lineno
    if not tracer.infos[id(frame.f_code)].has(line):
        return  # not an event
    if test is None or not test(what, line):
        here = tracer.infos[id(frame.f_code)].file.stops.get(line) if what == ON_LINE else None
        if not here or not hit(here, frame):
            missed = True
            return
    over(frame)
    local = frame.f_trace
    if raised >= 0 and "raised" in local.__code__.co_freevars:
        activations.cell(local, "raised").cell_contents = raised
    tracer.check = anywhere
    local(frame, event, arg)
    settle(frame)


def over(frame):
    """Records the program again, starting with the next event at frame."""
    global held, missed
    held = None
    stop_watching(frame)
    store.broken = True  # the unrecorded code has changed remembered objects
    found = stack_of(frame)
    if not found or activation(found[0].f_trace) != top:
        missed = True  # at least the activation top was left
    if missed:
        arming.resynchronise(found, True)
        for n, one in enumerate(found):
            count_waiting(one, found[n + 1 :], n == 0)
    arming.arm()


def count_waiting(frame, below, innermost):
    """throw() runs a generator and leaves the generators that wait for it suspended.
    They leave the stack together with it. See tracer.delegating. The innermost frame runs,
    although it looks suspended where throw() has raised an exception in it."""
    names = frame.f_trace.__code__.co_freevars
    if "below" not in names:
        return
    waiting = 0
    if innermost or not suspended(frame):
        for back in below:
            if not suspended(back):
                break
            waiting += 1
    frame.f_trace.__closure__[names.index("below")].cell_contents = waiting


def suspended(frame):
    info = tracer.infos[id(frame.f_code)]
    return info.generator and info.left_by(frame, frame, -1) == ON_YIELD


def stop_watching(frame):
    """Restores frame and the frames below it."""
    global running, lock
    if not channel.open_here:  # a forked child, in which no thread may be left to release it
        lock = _thread.RLock()
    with lock:
        running = False
    if counting is not None:
        counting()
    watcher.end(frame)


def leave():
    """Handles the end of the program, or of npdb's part in it."""
    if running:
        stop_watching(None)
        if channel.open_here and (missed or sys.exc_info()[1] is not None):
            channel.put(HOLE + b"\0")
            activations.stack.clear()


def halt(frame):
    """Stops without an event: for an interrupt, or when the program calls the debugger.
    The current line becomes an event, unless nothing happened since the last one."""
    over(frame)
    found = arming.user_frames(frame) if missed else ()
    if found:
        again(found[0])
        settle(found[0])


def between_lines(frame):
    """Returns whether the program runs unrecorded and is at an instruction without a
    line, such as a jump back on 3.11. It cannot stop there, so it is recorded from
    there on."""
    if not running:
        return False
    found = arming.user_frames(frame)
    if not found or found[0].f_lineno is not None:
        return False
    over(frame)
    return True


def hides(exception):
    """Returns whether an exception was raised where nothing was recorded."""
    found = arming.traceback_frames(exception) if ever else ()
    return bool(found) and (found[0].f_trace is None or not activations.ours(found[0].f_trace))


def install():
    """Installs the watcher, so that the program can run."""
    watcher.install()


def settle(frame):
    """On 3.11 and 3.12, prevents that f_locals is written back to a frame later: see
    scopes. After a trace function the interpreter does that at once."""
    if scopes.LOCALS is None or not channel.open_here:
        return
    while frame is not None:
        if tracer.infos.get(id(frame.f_code)):
            scopes.unwritten(frame)
        frame = frame.f_back


def on_recorded():
    return _thread.get_ident() == channel.recorded


arming.watching_ends = leave
