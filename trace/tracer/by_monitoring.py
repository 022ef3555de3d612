"""Watches unrecorded code with sys.monitoring (PEP 669). Lines are only examined in
code objects that have a breakpoint. A code object without one costs nothing after its
first call."""

import _thread
import sys

from _npdb import channel, tracer, unrecorded
from _npdb.codes import ON_CALL, ON_EXCEPTION, ON_LINE, ON_RETURN, ON_UNWIND, ON_YIELD
from _npdb.raised import traceback_of

monitoring = sys.monitoring
events = monitoring.events
DISABLE = monitoring.DISABLE
get_ident = _thread.get_ident

# Ids without a predefined meaning come first, the optimizer's last, so that a tool of
# the program finds its own id free.
PREFERRED = (4, 3, 0, 2, 1, 5)
ENTERED = events.PY_START | events.PY_RESUME | events.PY_THROW
LINES = events.LINE | events.JUMP
GOAL = events.PY_RETURN | events.PY_YIELD | events.STOP_ITERATION
tool = None
watched = {}  # id of a code object -> (code object, its breakpoints by line, whether the move may land in it)
goal_codes = frozenset()  # ids of code objects in which the move may land
standing = []  # code objects on the stack, until the program continues


def available():
    """Returns whether a tool is available, and reserves it."""
    global tool
    for number in PREFERRED:
        if monitoring.get_tool(number) is None:
            monitoring.use_tool_id(number, "npdb")
            tool = number
            return True
    return False


def begin(frames):
    global goal_codes
    found = [frame.f_code for frame in frames if unrecorded.goal_of(frame.f_trace)]
    goal_codes = frozenset(map(id, found))
    for event, function in CALLBACKS.items():
        monitoring.register_callback(tool, event, function)
    standing[:] = [frame.f_code for frame in frames]


def install():
    monitoring.restart_events()
    monitoring.set_events(tool, ENTERED | (events.RAISE | events.PY_UNWIND if goal_codes else 0))
    for code in standing:
        watch(code, tracer.infos[id(code)], True)
    standing.clear()


def end(frame):
    global tool
    monitoring.set_events(tool, 0)
    for code, _, _ in watched.values():
        monitoring.set_local_events(tool, code, 0)
    watched.clear()
    for event in CALLBACKS:
        monitoring.register_callback(tool, event, None)
    monitoring.free_tool_id(tool)
    tool = None


def forget():
    """Makes the tracer check each code object again when it is next entered."""
    monitoring.restart_events()


def watch(code, info, standing=False):
    """Watches the lines of a code object if they matter. For one that is on the stack
    (standing), it watches the first line in any case, to detect that the program
    continued."""
    stops, goal = unrecorded.lines_of(info), id(code) in goal_codes
    if stops or goal or standing:
        watched[id(code)] = (code, stops or {}, goal)
        monitoring.set_local_events(tool, code, LINES | (GOAL if goal else 0))


def entered(code, *_):
    """Handles a code object that starts, or a generator that resumes, for the first
    time."""
    if not unrecorded.running:
        return None
    try:
        with unrecorded.lock:
            info = unrecorded.info_of(code)
            if unrecorded.on_entry is not None and get_ident() == channel.recorded:
                unrecorded.on_entry(code, info)
            if info and unrecorded.running and id(code) not in watched:
                watch(code, info)
    except (RecursionError, MemoryError):
        return None  # the stack is full
    if info:
        if get_ident() == channel.recorded:
            unrecorded.missed = True
        elif not unrecorded.missed:
            return None  # the recorded thread has not entered it yet
    return DISABLE


def thrown(code, *_):
    entered(code)  # an event that cannot be disabled


def line(code, number):
    found = watched.get(id(code))
    if found is None:
        return DISABLE
    _, stops, goal = found
    if not goal and number not in stops:
        if get_ident() == channel.recorded:
            unrecorded.missed = True
        elif not unrecorded.missed:
            return None
        return DISABLE
    if get_ident() == channel.recorded:
        frame = sys._getframe(1)
        unrecorded.seen(frame if frame.f_code is code else frame.f_back, "line", None, ON_LINE)
    return None


def jumped(code, start, to):
    """Handles a jump back to the beginning of its own line. It counts as a line event,
    as for the interpreter's trace function."""
    found = watched.get(id(code))
    if found is None or to > start:
        return DISABLE
    number = line_at(code, start)  # on 3.12 the frame's f_lineno is the line that the jump leads to
    if line_at(code, to) != number:
        return DISABLE  # the jump leads to a line event of its own
    return line(code, number)


def line_at(code, offset):
    for start, end, number in code.co_lines():
        if start <= offset < end:
            return number
    return None


def of_goal(code):
    return id(code) in goal_codes and unrecorded.running and get_ident() == channel.recorded


def returned(code, _, value):
    if of_goal(code):
        unrecorded.seen(sys._getframe(1), "return", value, ON_RETURN)


def yielded(code, _, value):
    if of_goal(code):
        unrecorded.seen(sys._getframe(1), "return", value, ON_YIELD)


def raised(code, _, exception):
    if of_goal(code) and not ended_quietly(code, exception):
        frame = sys._getframe(1)
        unrecorded.seen(frame, "exception", (type(exception), exception, traceback_of(exception)), ON_EXCEPTION)


def ended_quietly(code, exception):
    """Handles the end of an iterator that a generator delegates to. This is not an
    event."""
    return (
        issubclass(type(exception), StopIteration) and traceback_of(exception) is None and tracer.infos[id(code)].generator
    )


def unwound(code, _, exception):
    if of_goal(code):
        frame = sys._getframe(1)
        unrecorded.seen(frame, "return", None, ON_UNWIND, frame.f_lasti)


CALLBACKS = {
    events.PY_START: entered,
    events.PY_RESUME: entered,
    events.PY_THROW: thrown,
    events.LINE: line,
    events.JUMP: jumped,
    events.PY_RETURN: returned,
    events.PY_YIELD: yielded,
    events.STOP_ITERATION: raised,
    events.RAISE: raised,
    events.PY_UNWIND: unwound,
}
