"""Draws walks through a recording, as people who debug make them, and writes them.

What is drawn follows from the random generator alone: the same one gives the same bytes.
"""

from dataclasses import dataclass

from .moves import BACKWARD, END, FORWARD, START, STATE, Position
from maker.recording import CALL, LINE, UNWIND
from .wire import Page, Trajectory, Writer

MAX_CHARS = 6000
ROOM = 300  # characters that a text must have for its replies
SINGLE_SHARES = (0.5, 0.8, 0.95, 1.0)
CONTINUES = 0.3  # of the share that an action has: it ends the text


@dataclass(frozen=True)
class Plan:
    """What kind of walk is made. start: the events of the given states, the current one
    last, or None for the first state. ask: one question instead of a walk, "return" or
    "breakpoint"."""

    start: tuple | None
    inverse: bool
    single: float  # share of single steps
    ask: str | None = None


def plan(rng, r):
    """Draws a plan. A recording without a state has only its start, which is the end."""
    if len(r) == 0:
        return Plan(None, False, 1.0)
    if rng.random() < 0.15:
        calls = [i for i in range(len(r)) if r.kind[i] == CALL and r.first[r.activation[i]] == i]
        if calls:
            start = None
            if r.kind[0] != CALL or rng.random() < 0.28:
                start = compacted(rng, r, rng.choice(calls))
            return Plan(start, False, 1.0, rng.choice(("return", "breakpoint")))
    start = compacted(rng, r, rng.randrange(len(r))) if rng.random() < 0.28 else None
    return Plan(start, rng.random() < 0.3, rng.choice(SINGLE_SHARES))


def compacted(rng, r, i):
    """The states that a text beginning in the middle of a run is given. Mostly all
    activations below are known as they are; sometimes they were seen only now and then."""
    stack = []
    j = r.below[i]
    while j >= 0:
        stack.append(j)
        j = r.below[j]
    stack.reverse()
    if stack and rng.random() < 0.25:
        seen = rng.choice((0.2, 0.5, 0.8))
        known = []
        for j in stack:
            act = r.activation[j]
            for k in range(j, -1, -1):
                if r.activation[k] == act and rng.random() < seen:
                    known.append(k)
                    break
        stack = known
    return (*stack, i)


def walk(rng, recording, kind):
    """The moves of a walk of a kind (a Plan), one after another: (action, outcome, event,
    horizon). It ends with the program or where a walk has said enough; who reads it may
    stop earlier."""
    r = recording
    at = kind.start[-1] if kind.start else 0
    position = Position(r, at)
    if kind.ask:
        actions = question(rng, r, at, kind.ask)
        if rng.random() < 0.3:
            actions.append(rng.choice(("step_into", "step_over")))
        for action in actions:
            yield made(position, action)
        return
    back = False
    left = None  # moves until the direction turns
    if kind.inverse:
        back = bool(at) and rng.random() < (0.6 if kind.start else 0.2)
        left = run_length(rng)
    for _ in range(3 * len(r) + 10):
        if left == 0:
            back, left = not back, run_length(rng)
        action = draw(rng, r, position, back, kind.single)
        step = made(position, action)
        yield step
        if step[1] == END:
            if not kind.inverse or rng.random() < 0.6:
                return
            back, left = True, run_length(rng)
        elif step[1] == START:
            if rng.random() < 0.4:
                return
            back, left = False, run_length(rng)
        elif left is not None:
            left -= 1


def run_length(rng):
    """How many moves are made in one direction: mostly a few."""
    return rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 10, 14))


def question(rng, r, i, ask):
    """The actions that ask what a call comes to."""
    last = r.last[r.activation[i]]
    if ask == "return" or last < 0:
        return ["step_return"]
    line = r.line[last]
    if r.kind[last] == UNWIND:
        lines = {line}
    else:
        lines = {r.line[j] for j in range(i, last) if r.kind[j] == LINE and r.line[j] == line}
    if not lines:
        return ["step_return"]
    return ["breakpoint %d" % line, "step_into"]


def made(position, action):
    """Makes a move, and says how far it goes."""
    at, n = position.at, len(position.recording)
    outcome, event = position.move(action)
    if outcome == STATE:
        horizon = abs(event - at)
    elif outcome == END:
        horizon = max(n - 1 - at, 0)
    else:
        horizon = 0
    return action, outcome, event, horizon


def draw(rng, r, position, back, single):
    """The next action: a single step, or any action of the direction."""
    into, over, leave, stop, go = BACKWARD if back else FORWARD
    if rng.random() < single:
        return rng.choice((into, over))
    what = rng.random() * (4 + CONTINUES)
    if what >= 4:
        return go
    action = (into, over, leave, stop)[int(what)]
    if action == stop:
        return stop + " " + ",".join(map(str, sorted(lines(rng, r, position.at, back))))
    return action


def lines(rng, r, at, back):
    """One to three lines for a breakpoint: mostly such as are still to come."""
    span = range(at - 1, -1, -1) if back else range(at + 1, len(r))
    coming = sorted({r.line[j] for j in span if r.kind[j] == LINE})
    found = set()
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        if coming and rng.random() < 0.85:
            found.add(rng.choice(coming))
        else:
            found.add(rng.choice([n for n, text in enumerate(r.lines, 1) if text.strip()] or [1]))
    return found


def written(rng, page, kind, max_chars=MAX_CHARS):
    """The trajectory of a walk of a kind; None if it leaves no room for a reply."""
    r = page.recording
    writer = Writer(page)
    if kind.start:
        writer.begin_compacted(kind.start)
    else:
        writer.begin(0)
    if writer.size > max_chars - ROOM:
        return None
    if len(r):
        for step in walk(rng, r, kind):
            writer.step(*step)
            if writer.size >= max_chars:
                break
    return writer.finish()


def trajectories(rng, recording, n, max_chars=MAX_CHARS):
    """Up to n trajectories of a recording, no two alike."""
    page = Page(recording)
    found, seen = [], set()
    if len(recording) == 0:
        return found
    for _ in range(n):
        one = written(rng, page, plan(rng, recording), max_chars)
        if one is None:
            continue
        text = one.text
        if text not in seen:
            seen.add(text)
            found.append(one)
    return found


__all__ = ["MAX_CHARS", "Plan", "Trajectory", "plan", "trajectories", "walk", "written"]
