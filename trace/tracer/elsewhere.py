"""Reports breakpoints that are hit in threads which npdb does not record, and that it sees
none in child processes.

Nothing is watched as long as the program has one thread or no breakpoint. From Python
3.12 on, sys.monitoring watches the lines of code objects that have a breakpoint, in all
threads. Up to 3.11 a trace function does that in each thread that threading starts
while there are breakpoints.
"""

import _thread
import os
import sys

from _npdb import channel, imports, moves, scopes, threads, tracer, unrecorded

asked = []  # what npdb has said of the breakpoints, to detect a change
stops = {}  # path without symbolic links -> {line: breakpoints} of the last move that had some
paths = {}  # co_filename -> path without symbolic links
known = {}  # id of a code object -> (the code object, its breakpoints by line or None)
told = {}  # (path, line) -> names of the threads that were reported
MOST = 3  # maximum threads that are reported for one line
tool = None  # the tool of sys.monitoring, from 3.12 on
begins = None  # called as begins(name) in each new thread; returns whether it is recorded. See chosen


def hook(frame, event, arg):
    """The trace function of threading. It is never called: launch.settrace gets it in
    each new thread."""


def install():
    """Makes every thread that the program starts with threading call begin."""
    imports.on_import("threading", watch_threading)


def watch_threading(module):
    module._trace_hook = hook


def begin():
    """Handles the beginning of a thread. It runs in that thread."""
    if not channel.open_here or begins is not None and begins(threads.name_of(_thread.get_ident())):
        return
    if stops:
        watch()


def replace(told, found):
    """Sets the breakpoints. told is what npdb said of them, found has them by path and line."""
    if channel.open_here and told != asked:
        asked[:] = told
        stops.clear()
        stops.update(found)
        known.clear()
        if tool is not None:
            unwatch()
        if stops and threads.others():
            watch()


def watch():
    """Watches the breakpoints: up to 3.11 in this thread, later in all threads."""
    if not hasattr(sys, "monitoring"):
        if _thread.get_ident() != channel.recorded:
            tracer.original_settrace(entered)
    elif tool is None:
        monitor()


def unwatch():
    """Ends the watch by sys.monitoring."""
    global tool
    monitoring = sys.monitoring
    monitoring.set_events(tool, 0)
    for code in list(watched.values()):
        monitoring.set_local_events(tool, code, 0)
    watched.clear()
    for event in (monitoring.events.PY_START, monitoring.events.PY_RESUME, monitoring.events.LINE):
        monitoring.register_callback(tool, event, None)
    monitoring.free_tool_id(tool)
    tool = None


watched = {}  # id of a code object -> the code object, whose lines sys.monitoring watches
FULL = "breakpoints in other threads are not seen: the program has taken all tools of sys.monitoring"


UNSEEN = "breakpoints in child processes are not seen: npdb --children records child processes"
forked = False  # a child process was reported


def after_fork():
    """Says once that the program has begun a process by os.fork."""
    global forked
    if stops and channel.open_here and not forked:
        forked = True
        channel.send(b"N", UNSEEN)


def monitor():
    global tool
    monitoring = sys.monitoring
    tool = next((n for n in (3, 4, 0, 2, 1, 5) if monitoring.get_tool(n) is None), None)
    if tool is None:
        channel.send(b"N", FULL)
        return
    monitoring.use_tool_id(tool, "npdb threads")
    events = monitoring.events
    monitoring.register_callback(tool, events.PY_START, started)
    monitoring.register_callback(tool, events.PY_RESUME, started)
    monitoring.register_callback(tool, events.LINE, reached)
    monitoring.set_events(tool, events.PY_START | events.PY_RESUME)
    for frame in sys._current_frames().values():
        while frame is not None:
            started(frame.f_code)
            frame = frame.f_back


def started(code, *_):
    """Handles a code object that is entered for the first time."""
    try:
        if tool is not None and id(code) not in watched and lines_of(code):
            watched[id(code)] = code
            sys.monitoring.set_local_events(tool, code, sys.monitoring.events.LINE)
    except (RecursionError, MemoryError):
        return None  # the stack is full
    return sys.monitoring.DISABLE


def reached(code, number):
    """Handles a line of a code object with a breakpoint."""
    try:
        here = (lines_of(code) or {}).get(number)
        if not here:
            return sys.monitoring.DISABLE
        if _thread.get_ident() != channel.recorded:
            frame = sys._getframe(1)
            hit(here, frame if frame.f_code is code else frame.f_back)
    except (RecursionError, MemoryError):
        pass
    return None


def entered(frame, event, arg):
    """The trace function of a thread that is not recorded, up to 3.11."""
    try:
        return line if lines_of(frame.f_code) else None
    except (RecursionError, MemoryError):
        return None


def line(frame, event, arg):
    """The trace function of a frame whose code has a breakpoint, up to 3.11."""
    try:
        if event == "line":
            here = (lines_of(frame.f_code) or {}).get(frame.f_lineno)
            if here:
                hit(here, frame)
    except (RecursionError, MemoryError):
        pass
    return line


def lines_of(code):
    """Returns the breakpoints of a code object's file by line, or None if the code object
    has none."""
    found = known.get(id(code))
    if found is None:
        there = stops.get(real(code.co_filename))
        if there and not any(there.get(number) for number in unrecorded.own_lines(code)):
            there = None
        found = known[id(code)] = code, there
    return found[1]


def real(name):
    path = paths.get(name)
    if path is None:
        path = paths[name] = name if name.startswith("<") else os.path.realpath(name)
    return path


def hit(here, frame):
    """Reports the breakpoints of a line whose condition holds. Their counts are those of the
    recorded thread."""
    for stop in here:
        if stop.function and frame.f_code.co_name != stop.function:
            continue
        if stop.code is not None:
            try:
                if not moves.evaluate(stop.code, frame.f_globals, scopes.of(frame)):
                    continue
            except BaseException:
                pass  # as in the recorded thread, such a breakpoint stops
        report(frame, "")
        return


def report(frame, how):
    """Tells npdb of a breakpoint in another thread: once for each line and thread, up to MOST
    threads. how is "call" for a call of breakpoint()."""
    if not channel.open_here:
        return
    while frame.f_code.co_filename.startswith("<npdb ") and frame.f_back is not None:
        frame = frame.f_back  # npdb's breakpoint hook has called npdb.set_trace()
    name, place = threads.name_of(_thread.get_ident()), (real(frame.f_code.co_filename), frame.f_lineno)
    names = told.setdefault(place, [])
    if name in names or len(names) >= MOST:
        return
    names.append(name)
    channel.send(b"D", place[0], str(place[1]), name, how, "last" if len(names) == MOST else "")


def end():
    """Ends npdb's part in the threads of the program."""
    global begins
    begins = None
    stops.clear()
    known.clear()
    if tool is not None:
        unwatch()
    module = sys.modules.get("threading")
    if getattr(module, "_trace_hook", None) is hook:
        module._trace_hook = None


moves.elsewhere = sys.modules[__name__]
