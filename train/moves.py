"""Where each action of the debugger lands on a recording.

    step_into      i+1
    step_over      the first j > i with depth(j) <= depth(i)
    step_return    the return of this activation; at a return, the first j > i less deep
    breakpoint L   the first line event after i on one of the lines L
    continue       the end

and the mirror images, inv_…. At an event of a generator or coroutine that is no return
(of inverse moves: no call), step_over passes over its yields to the next line, exception
or final return of the same activation, step_return to its final return; both no later than
the final return of the outermost activation on the stack.
"""

from maker.recording import CALL, EXCEPTION, LINE, RETURN, UNWIND, YIELD

FORWARD = ("step_into", "step_over", "step_return", "breakpoint", "continue")
BACKWARD = ("inv_step_into", "inv_step_over", "inv_step_return", "inv_breakpoint", "inv_continue")
RETURNS = (RETURN, YIELD, UNWIND)

STATE, END, START = "state", "end", "start"


def ahead(r, i, move, lines=()):
    """The event that a forward move from event i lands on; -1 for none."""
    n = len(r.kind)
    if move == "step_into":
        return i + 1 if i + 1 < n else -1
    if move == "continue":
        return -1
    kind, line = r.kind, r.line
    if move == "breakpoint":
        for j in range(i + 1, n):
            if kind[j] == LINE and line[j] in lines:
                return j
        return -1
    depth, act = r.depth, r.activation[i]
    returns = kind[i] in RETURNS
    if r.generator[act] and not returns:
        over = r.last[r.root(i)]
        if move == "step_over":
            found = -1
            for j in range(i + 1, n):
                if r.activation[j] == act and kind[j] in (LINE, EXCEPTION, RETURN, UNWIND):
                    found = j
                    break
        else:
            found = r.last[act]
        return earlier(found, over)
    limit = depth[i] if move == "step_over" else depth[i] - 1
    lower = -1
    for j in range(i + 1, n):
        if depth[j] <= limit:
            lower = j
            break
    if move == "step_over" or returns:
        return lower
    return earlier(r.last[act], lower)


def back(r, i, move, lines=()):
    """The same of an inverse move; i may be the number of events, which is the end."""
    n = len(r.kind)
    kind, line = r.kind, r.line
    if move == "inv_breakpoint":
        for j in range(i - 1, -1, -1):
            if kind[j] == LINE and line[j] in lines:
                return j
        return -1
    if move == "inv_continue":
        return min(i, 1) - 1
    if i == n or move == "inv_step_into":
        return i - 1
    depth, act = r.depth, r.activation[i]
    called = kind[i] == CALL
    if r.generator[act] and not called:
        begun = r.first[r.root(i)]
        if move == "inv_step_over":
            found = -1
            for j in range(i - 1, -1, -1):
                if r.activation[j] == act and (kind[j] == LINE or kind[j] == EXCEPTION or j == r.first[act]):
                    found = j
                    break
        else:
            found = r.first[act]
        return max(found, begun if begun < i else -1)
    limit = depth[i] if move == "inv_step_over" else depth[i] - 1
    lower = -1
    for j in range(i - 1, -1, -1):
        if depth[j] <= limit:
            lower = j
            break
    if move == "inv_step_over" or called:
        return lower
    return max(r.first[act] if r.first[act] < i else -1, lower)


def earlier(a, b):
    """The smaller of two events, of which -1 is none."""
    return b if a < 0 or 0 <= b < a else a


def parse(action):
    """The move of an action and its lines."""
    move, _, operands = action.partition(" ")
    return move, tuple(map(int, operands.split(","))) if operands else ()


class Position:
    """A place in a recording, and what of it outlives a move: an uncaught exception is
    shown once before the end that it leads to."""

    __slots__ = ("recording", "at", "dead", "died")

    def __init__(self, recording, at):
        self.recording = recording
        self.at = at  # an event, or the number of events: the end
        self.dead = False  # a post-mortem stop: forward of it is the end
        self.died = False  # there was one

    def move(self, action):
        """Makes an action; returns (STATE, event), (END, number of events) or (START, -1)."""
        r = self.recording
        n = len(r.kind)
        move, lines = parse(action)
        if move.startswith("inv_"):
            j = back(r, self.at, move, lines)
            if j < 0:
                return START, -1
            self.at, self.dead = j, False
            return STATE, j
        j = -1
        if self.at < n and not self.dead:
            j = ahead(r, self.at, move, lines)
        if j >= 0:
            self.at = j
            return STATE, j
        if r.fatal >= 0 and not self.died and self.at < n:
            self.died = self.dead = True
            self.at = r.fatal
            return STATE, r.fatal
        self.at, self.dead = n, False
        return END, n
