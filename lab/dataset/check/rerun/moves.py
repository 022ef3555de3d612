"""The table of moves of docs/nd1.md, for the events of a Run."""

import re

from rerun.blocks import straight

ACTION = re.compile("[a-z_]+( [1-9][0-9]*(,[1-9][0-9]*)*)?", re.ASCII)
LEAVING = ("return", "unwind")  # the kinds of events at which an activation ends
RETURNS = (*LEAVING, "yield")
END, START = "end", "start"  # the results of moves that land on no event


class Walk:
    """A position in a run, which actions change. A position is the index of an event; the end is
    the number of events."""

    def __init__(self, run, at):
        self.run, self.at = run, at
        self.stopped = False  # at a post-mortem stop: forward moves lead to the end
        self.died = False  # there was already a post-mortem stop in this text

    def move(self, action):
        """Makes an action. Returns the event on which it lands, END or START, and the number of
        events over which it passes. Raises ValueError if there is no such action, or if it is
        not written in its usual form."""
        if not ACTION.fullmatch(action):
            raise ValueError(f"no action {action!r}")
        name, _, operands = action.partition(" ")
        lines = {int(line) for line in operands.split(",")} if operands else set()
        at, end = self.at, len(self.run.events)
        if name.startswith("inv_"):
            landing = self.backward(name[len("inv_") :], lines, at)
            if landing is None:
                return START, 0
            self.at, self.stopped = landing, False
            return landing, at - landing
        landing = None if self.stopped or at == end else self.forward(name, lines, at)
        self.stopped = False
        if landing is None and at < end and self.run.fatal is not None and not self.died:
            landing, self.died, self.stopped = self.run.fatal, True, True
        if landing is None:
            self.at = end
            return END, max(end - 1 - at, 0)
        self.at = landing
        return landing, abs(landing - at)

    def in_block(self, j, activation):
        """Reports whether event j is a line of the activation that continues a basic block."""
        events, run = self.run.events, self.run
        if events[j].activation != activation or events[j].kind != "line":
            return False

        def before(k):
            pauses = activation in run.generators and (events[k].kind == "yield" or events[k].kind == "call" and k not in run.begins)
            return events[k].activation == activation and not pauses

        k = first(range(j - 1, -1, -1), before)
        return k is not None and events[k].kind == "line" and straight(run.slots, events[k].line, events[j].line)

    def forward(self, name, lines, i):
        events = self.run.events
        here = events[i]
        me, depth = here.activation, here.depth
        after = range(i + 1, len(events))
        if name == "step_into":
            return first(after, lambda e: True)
        if name == "continue":
            return None
        if name == "step_function":
            return first(after, lambda j: events[j].kind == "call" or events[j].kind in RETURNS)
        if name == "step_block":
            j = self.forward("step_over", lines, i)
            while j is not None and self.in_block(j, me):
                j = self.forward("step_over", lines, j)
            return j
        if name == "breakpoint":
            return first(after, lambda j: events[j].kind == "line" and events[j].line in lines)
        if me in self.run.generators and here.kind not in RETURNS:
            stops = ("line", "exception", *LEAVING) if name == "step_over" else LEAVING
            root = here.stack[0][2]

            def lands(j):
                e = events[j]
                return e.activation == me and e.kind in stops or e.activation == root and e.kind in LEAVING

            return first(after, lands)
        if name == "step_over":
            return first(after, lambda j: events[j].depth <= depth)
        if name != "step_return":
            raise ValueError(f"no move {name!r}")
        if here.kind in RETURNS:
            return first(after, lambda j: events[j].depth < depth)

        def left(j):
            e = events[j]
            return e.activation == me and e.kind in LEAVING or e.depth < depth

        return first(after, left)

    def backward(self, name, lines, i):
        events = self.run.events
        before = range(i - 1, -1, -1)
        if name == "continue":
            return 0 if i > 0 else None
        if name == "breakpoint":
            return first(before, lambda j: events[j].kind == "line" and events[j].line in lines)
        if name == "step_function":
            return first(before, lambda j: events[j].kind == "call" or events[j].kind in RETURNS)
        if name not in ("step_into", "step_over", "step_return", "step_block"):
            raise ValueError(f"no move {name!r}")
        if name == "step_into" or i == len(events):
            return first(before, lambda j: True)
        here = events[i]
        me, depth = here.activation, here.depth
        if name == "step_block":
            j = self.backward("step_over", lines, i)
            while j is not None and self.in_block(j, me):
                j = self.backward("step_over", lines, j)
            return j
        if me in self.run.generators and here.kind != "call":
            root = here.stack[0][2]

            def lands(j):
                e = events[j]
                if e.activation == me and name == "step_over" and e.kind in ("line", "exception"):
                    return True
                return e.activation in (me, root) and j in self.run.begins

            return first(before, lands)
        if name == "step_over":
            return first(before, lambda j: events[j].depth <= depth)
        if here.kind == "call":
            return first(before, lambda j: events[j].depth < depth)
        return first(before, lambda j: events[j].activation == me and j in self.run.begins or events[j].depth < depth)


def first(numbers, lands):
    return next((j for j in numbers if lands(j)), None)
