"""The third observer of the witness: every name of every frame on the stack, as
it is at the event, by looking at all of them.

It remembers nothing from one event to the next and knows nothing of what a line
may change: that is what a recording is held against. It must not be noticed
either. Reading f_locals of a function up to 3.12 leaves a dict in the frame that
keeps alive what the names no longer hold, and in a module or class body it may
write: so frames are read without leaving a trace.
"""

import collections
import random
import sys
import types

from witness_observers import FUNCTION, Flat, plain

KEPT = sys.version_info < (3, 11)  # what f_locals gives of a function stays with its frame
WRITTEN = (3, 11) <= sys.version_info < (3, 13)  # and is written back, where it was read
NOT_WALKED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
SHOWN = {list, tuple, dict, collections.deque, collections.OrderedDict, collections.defaultdict}
ONE_WALKED_IN, DEPTH, BREADTH, MOST_PATHS = 6, 3, 4, 120
GIVE_LOCALS = {"locals", "vars"}


class Frames(Flat):
    """Events with "frames": for each frame of user code, from the outermost in,
    [function, [[name, text, hidden], ...]], or the number of such a one that came
    before (they are numbered in order). "lines" are their lines. Of a long program only some events have
    them: the first ones, and others at random. A few of these have "paths" too, to
    what the names reach: [number of the frame, name, [step, ...], text, id, whether
    the way there is shown], with steps as ["item", index] and ["entry", key]."""

    def __init__(self, observer, job, quietly):
        super().__init__(observer, job)
        self.random = random.Random(job.get("seed", 0))
        self.all, self.one_in = job["all"], job["one_in"]
        self.events = 0
        self.top = 0  # id of the frame that the event is of
        self.numbers = {}
        self.quietly = quietly
        self.names_of, observer.names_of = observer.names_of, self.names

    def trace(self, frame, event, arg):
        self.top = id(frame)
        return super().trace(frame, event, arg)

    def names(self, frame):
        """The names of a frame and their values."""
        code = frame.f_code
        if not code.co_flags & FUNCTION:
            return self.names_of(frame)
        if WRITTEN:
            return self.quietly(frame, None)
        found = self.names_of(frame)
        if KEPT and id(frame) != self.top and GIVE_LOCALS.isdisjoint(code.co_names):
            # The interpreter fills it anew before it is used again.
            found, kept = dict(found), found
            kept.clear()
        return found

    def beyond(self, frame):
        self.events += 1
        if self.events > self.all and self.random.randrange(self.one_in):
            return {}
        stack, values, lines = [], [], []
        walked = self.random.randrange(ONE_WALKED_IN) == 0
        while frame is not None:
            if self.observer.program.owns(frame.f_code):
                names = [[n, plain(t), h] for n, t, h in self.observer.locals(frame)]
                stack.append([frame.f_code.co_name, names])
                lines.append(frame.f_lineno)
                if walked:
                    values.append(dict(self.observer.names_of(frame)))
            frame = frame.f_back
        found = []
        for shown in reversed(stack):
            key = repr(shown)
            found.append(self.numbers.get(key, shown))
            self.numbers.setdefault(key, len(self.numbers))
        paths = []
        for n, names in enumerate(reversed(values)):
            for name, value in names.items():
                if isinstance(name, str) and not (name.startswith("__") or isinstance(value, NOT_WALKED)):
                    for steps, text, number, shown in self.reached(value, [], True):
                        paths.append([n, name, steps, text, number, shown])
        return {"frames": found, "lines": lines[::-1], "paths": paths[:MOST_PATHS]}

    def atomic(self, value):
        atoms = self.observer.render.ATOMS
        return type(value) is tuple and all(type(part) in atoms or self.atomic(part) for part in value)

    def reached(self, value, steps, shown):
        """What a value reaches, itself first."""
        render = self.observer.render
        kind = type(value)
        atom = kind in render.ATOMS
        yield steps, plain(render.render(value)), None if atom else id(value), shown
        if len(steps) == DEPTH or atom:
            return
        parts = []
        for base in (list, tuple, collections.deque):
            if isinstance(value, base):
                parts = [("item", i, part) for i, part in enumerate(base.__iter__(value))]
        if isinstance(value, dict):
            keys = [k for k in dict.keys(value) if type(k) in render.ATOMS]
            parts = [("entry", plain(render.atom(k)), dict.__getitem__(value, k)) for k in keys]
        elif not parts:
            try:
                names = object.__getattribute__(value, "__dict__")
            except AttributeError:
                names = {}
            parts = [("entry", k, part) for k, part in names.items()]
        # A tuple of nothing but atoms may be known as a whole only.
        structure = kind in SHOWN or render.member_of(kind, "__repr__") is object.__repr__
        shown = shown and structure and not self.atomic(value)
        for step, at, part in parts[:BREADTH]:
            if not isinstance(part, NOT_WALKED):
                yield from self.reached(part, steps + [[step, at]], shown)
