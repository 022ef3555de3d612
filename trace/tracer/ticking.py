"""Counts how far the program runs unrecorded, in ticks, and records it again from a given
tick on. Two runs that repeat each other count the same.

With sys.monitoring a tick is a call of user code or a jump back in it; with trace
functions it is a line of user code.
"""

import sys

from _npdb import channel, landing, tracer, unrecorded

goal = 0  # the tick at which recording begins, 0 for none
count = 0
test = None  # of the move, for the recorded part
due = False  # the goal was passed, and the next line is the first one to record
tool = None  # of sys.monitoring
marked = []  # code objects that are watched
before = None  # unrecorded.on_entry without ticks


class NoTool(Exception):
    """All tools of sys.monitoring are taken."""


def begin(at, *move):
    """Counts ticks in the move that begins now. The program is recorded from tick at on, 0
    for never. A move of mode "count" counts the events from there on."""
    global goal, count, test, due, before
    goal, count, due = at, 0, False
    test = landing.test_for(*move)
    if at == 1:
        return False  # all of it is recorded
    if not unrecorded.begin(*(("free", 0, 0, 0) if move[0] == "count" else move)):
        return False
    unrecorded.counting = stop_counting
    if unrecorded.watcher is unrecorded.watchers.get("by_monitoring"):
        watch()
        before, unrecorded.on_entry = unrecorded.on_entry, entered
    else:
        unrecorded.tick = line
    return True


def stop_counting():
    """Ends the count: the program is recorded, or has ended."""
    global tool
    unrecorded.counting = unrecorded.tick = None
    if tool is not None:
        monitoring = sys.monitoring
        monitoring.set_events(tool, 0)
        for code in marked:
            monitoring.set_local_events(tool, code, 0)
        marked.clear()
        for event in callbacks():
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)
        tool = None
        unrecorded.on_entry = before
    channel.send(b"T", str(count))


def watch():
    global tool
    monitoring = sys.monitoring
    tool = next((n for n in (3, 4, 0, 2, 1, 5) if monitoring.get_tool(n) is None), None)
    if tool is None:
        raise NoTool
    monitoring.use_tool_id(tool, "npdb ticks")
    for event, function in callbacks().items():
        monitoring.register_callback(tool, event, function)
    for info in tracer.infos.values():
        if info:
            mark(info.code)


def callbacks():
    events = sys.monitoring.events
    return {events.PY_START: started, events.PY_RESUME: started, events.JUMP: jumped, events.LINE: reached}


def mark(code):
    events = sys.monitoring.events
    marked.append(code)
    sys.monitoring.set_local_events(tool, code, events.PY_START | events.PY_RESUME | events.JUMP)


def entered(code, info):
    """Watches code that runs for the first time."""
    if info and code not in marked:
        mark(code)
    if before is not None:
        before(code, info)


def started(code, offset):
    global count
    count += 1
    if count == goal:
        record_next_line()


def jumped(code, at, to):
    global count
    if to > at:
        return sys.monitoring.DISABLE
    count += 1
    if count == goal:
        record_next_line()


def record_next_line():
    global due
    due = True
    sys.monitoring.set_events(tool, sys.monitoring.events.LINE)


def reached(code, number):
    """Records the program from a line on."""
    info = tracer.infos.get(id(code))
    if not due or not info or not info.has(number) or not unrecorded.running or not unrecorded.on_recorded():
        return None
    frame = sys._getframe(1)
    record(frame if frame.f_code is code else frame.f_back)


def line(frame):
    """Counts a line of a trace function. Returns whether the program is recorded from
    there on."""
    global count
    if not unrecorded.on_recorded():
        return False
    count += 1
    if not goal or count < goal or not tracer.infos[id(frame.f_code)].has(frame.f_lineno):
        return False
    record(frame)
    return True


def record(frame):
    global due
    due = False
    unrecorded.missed = True
    unrecorded.over(frame)
    tracer.check = test
    frame.f_trace(frame, "line", None)
    unrecorded.settle(frame)
