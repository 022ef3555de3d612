"""Watches unrecorded code with trace functions. Only code objects with a breakpoint and
frames in which the move may land have one.

A frame that is recorded keeps its recording trace function inside a Paused, which
restores it later. npdb finds the activation of the frame through it.
"""

from _npdb import activations, arming, tracer, unrecorded
from _npdb.codes import CO_GENERATORS, ON_EXCEPTION, ON_LINE

known = {}  # id of a code object -> the trace function of its frames, or None
began = 0  # number of times that watching began
Installed = None  # creates the function to install; see arming.Room


class Paused:
    """Replaces a frame's own trace function while nothing is recorded. It looks like
    one (activations.ours)."""

    __slots__ = ("original", "lines", "since", "raised", "goal", "stops")

    def __init__(self, frame):
        self.original = frame.f_trace
        self.lines = frame.f_trace_lines

    def prepare(self, frame):
        self.since = began
        self.raised = raised_in(self.original)
        self.stops = unrecorded.lines_of(tracer.infos[id(frame.f_code)])
        self.goal = unrecorded.goal_of(self.original)
        frame.f_trace = self
        frame.f_trace_lines = True  # the first line event shows that the program continued

    __code__ = property(lambda self: self.original.__code__)
    __closure__ = property(lambda self: self.original.__closure__)

    def __call__(self, frame, event, arg):
        if not unrecorded.running:
            self.restore(frame)
            return self.original(frame, event, arg)
        info = tracer.infos[id(frame.f_code)]
        if event == "line":
            self.raised = -1
            if unrecorded.tick is not None and unrecorded.tick(frame):
                return frame.f_trace
            if self.goal or self.stops and frame.f_lineno in self.stops:
                unrecorded.seen(frame, event, arg, ON_LINE)
            else:
                unrecorded.missed = True
                if not self.stops and unrecorded.tick is None:
                    frame.f_trace_lines = False
        elif event == "return":
            unrecorded.seen(frame, event, arg, info.left_by(frame, arg, self.raised), self.raised)
        elif event == "exception" and not (info.generator and arg[0] is StopIteration and arg[2] is None):
            self.raised = frame.f_lasti
            unrecorded.seen(frame, event, arg, ON_EXCEPTION)
        return frame.f_trace

    def restore(self, frame):
        frame.f_trace = self.original
        frame.f_trace_lines = self.lines


def raised_in(local):
    """Returns the instruction of the latest exception since the last line, as a trace function
    stores it: the exception at which the move begins may end the frame."""
    return activations.cell(local, "raised").cell_contents if "raised" in local.__code__.co_freevars else -1


def available():
    return True


def begin(frames):
    global began
    known.clear()
    began += 1
    for frame in frames:
        pause(frame)


def pause(frame):
    """Puts a Paused in place of the trace function of a recorded frame."""
    local = frame.f_trace
    if isinstance(local, Paused):
        if local.since != began:
            local.prepare(frame)
    elif local is not None and activations.ours(local):
        Paused(frame).prepare(frame)


def install():
    global Installed
    if Installed is None:
        Installed = arming.room_for(entered)
    arming.arm(Installed)


def end(frame):
    arming.disarm()
    while frame is not None:
        if isinstance(frame.f_trace, Paused):
            frame.f_trace.restore(frame)
        frame = frame.f_back


def entered(frame, event, arg):
    """The global trace function."""
    try:
        return known[id(frame.f_code)]
    except KeyError:
        return learn(frame)


def forget():
    """Makes the tracer check each code object again when it is next entered."""
    known.clear()


def learn(frame):
    """Chooses the trace function for the frames of a code object. Each generator frame
    gets its own."""
    code = frame.f_code
    try:
        info = unrecorded.info_of(code)
        if unrecorded.on_entry is not None:
            unrecorded.on_entry(code, info)
        if not info:
            known[id(code)] = None
            return None
        unrecorded.missed = True
        local = line if unrecorded.lines_of(info) or unrecorded.tick is not None else None
        if not info.generator:
            known[id(code)] = local
            return local
        back = frame
        while back is not None and back.f_code.co_flags & CO_GENERATORS:  # throw() skips the generators that wait for this one
            pause(back)
            back = back.f_back
        return frame.f_trace if isinstance(frame.f_trace, Paused) else local
    except (RecursionError, MemoryError):
        return None  # the stack is full


def line(frame, event, arg):
    """The trace function of a frame that is not recorded and has breakpoints."""
    if event == "line" and unrecorded.running:
        if unrecorded.tick is not None and unrecorded.tick(frame):
            return frame.f_trace
        if frame.f_lineno in tracer.infos[id(frame.f_code)].file.stops:
            unrecorded.seen(frame, event, arg, ON_LINE)
    return frame.f_trace
