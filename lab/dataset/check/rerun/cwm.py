"""Reads and writes trajectories as traces of the Code World Model (arXiv 2510.02387).

In a trace, every state has a frame of its own, except in calls that a move passes over: there
the frame of the call is followed by the token of its return. Locals are shown at calls and
lines. A value is ".." if it is the same as in the previous frame of the same scope. The line
where the trace begins is marked. A trace of a call begins in a function main that makes the
call and is added to the source.
"""

import json
import re

from rerun.moves import RETURNS
from rerun.text import CONTEXT, FRAME, Text

BEGIN, END = "<|begin_of_text|>", "<|end_of_text|>"
MARK = "  # << START_OF_TRACE"
MAIN = re.compile(r"\n(.*\n)def main\(\):  # << START_OF_TRACE\n    return (.*)\n", re.DOTALL)


def program(text):
    """Returns the source of a trace, and the call that its added function main makes.
    The call is None if there is no main."""
    context = text.partition(CONTEXT)[2].partition(FRAME)[0]
    main = MAIN.fullmatch(context)
    return main.groups() if main else (context.replace(MARK, ""), None)


class Writer(Text):
    """Writes a trace step by step, with the ranges of bytes that a model must
    predict."""

    string = value = staticmethod(json.dumps)

    def __init__(self, source, call, run):
        super().__init__()
        self.lines, self.call, self.run = source.split("\n"), call, run
        self.horizons = []
        self.scopes = []  # for each scope, the values as last shown
        self.at = -1  # the index of the event that was written last
        self.rest = []  # frames of main that are not yet written
        self.left = False  # all frames of the program itself are written
        first = run.events[0]
        if call is None:
            marked = self.lines[: first.line - 1] + [self.lines[first.line - 1] + MARK] + self.lines[first.line :]
            self.write(BEGIN + CONTEXT + "\n".join(marked) + FRAME)
            if first.kind == "line":
                self.scopes.append({})
            self.event(0)
            del self.changed[:]
        else:
            self.write(f"{BEGIN}{CONTEXT}\n{source}def main():{MARK}\n    return {call}\n{FRAME}")
            self.frame("call", {}, "def main():", None)
            del self.changed[:]
            self.rest = [("line", None)]

    def step(self, action):
        """Makes an action and writes its result. Returns False if the action is not
        possible."""
        events = self.run.events
        begin = self.size
        if self.at + 1 == len(events) and not self.left:
            self.left = True
            self.rest = self.leaving()
        if action == "step_return":
            if self.at < 0 or events[self.at].kind != "call" or self.left:
                return False
            me = events[self.at].activation
            landing = next((j for j in range(self.at + 1, len(events)) if events[j].activation == me and events[j].kind in RETURNS), None)
            if landing is None:
                return False
            begin += len("<|return_sep|>")
            self.horizons.append(landing - self.at)
            self.event(landing)
        elif action != "step_into":
            return False
        elif self.rest:
            kind, value = self.rest.pop(0)
            self.horizons.append(-1)
            self.frame(kind, {}, f"    return {self.call}", value)
        elif self.left:
            self.horizons.append(0)
            self.write(END)
        else:
            self.horizons.append(1)
            self.event(self.at + 1)
        self.predict.append((begin, self.size))
        return True

    def leaving(self):
        """Returns the last frames of main. It ends like the call that it made: with the same value
        or the same exception."""
        last = self.run.events[-1]
        if self.call is None:
            return []
        if last.kind == "unwind":
            raised = [e for e in self.run.events if e.kind == "exception" and e.activation == last.activation]
            return [("exception", raised[-1].value), ("unwind", None)]
        return [(last.kind, last.value)]

    def event(self, i):
        self.at = i
        event = self.run.events[i]
        self.frame(event.kind, event.names, self.lines[event.line - 1], event.value)

    def frame(self, kind, names, source, value):
        if kind == "call":
            self.scopes.append({})
        self.write(f"<|{'return' if kind in RETURNS else kind}_sep|>")
        if kind in ("call", "line"):
            self.locals(names, self.scopes[-1])
            self.scopes[-1] = names
        self.write("<|action_sep|>")
        self.write(source, changed=True)
        self.write("\n")
        if kind in (*RETURNS, "exception"):
            self.write("<|arg_sep|>")
            self.write(self.value("None" if kind == "unwind" else value), changed=True)
        if kind in RETURNS:
            self.scopes.pop()
        self.write(FRAME)
