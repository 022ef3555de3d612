"""Checks trajectories of `npdb dataset` against CPython, and against the table of moves alone.

    python3 check.py [--sample N] [--seed S] [--family NAME] FILE|DIR…

For each trajectory it finds the program in the text and runs it again, under a recorder over
sys.settrace that shares no code with npdb's. It repeats the actions by the table of moves, and
the edits by setting the variable in the run. It writes the results by the rules of nd/1 or of
the Code World Model's traces. The text, the actions, the horizons, and the byte ranges of
predicted and of changed text must be equal, byte for byte.

The Python must be the one that created the dataset, because events differ between versions.
Files are JSON lines, plain or .zst; for a folder, it reads all such files in it. It prints the
differences, then one line with the counts. The exit status is 1 if a trajectory is wrong, and 2
if nothing could be checked.
"""

import argparse
import ast
import json
import os
import random
import sys

from rerun import cwm
from rerun.forked import CannotRun
from rerun.lines import lines_of
from rerun.moves import Walk
from rerun.reading import Malformed, State, read
from rerun.running import Edit, run
from rerun.writing import Writer

FIELDS = ("id", "dialect", "text", "predict", "changed", "actions", "horizons", "source")
SHOWN = 10  # the largest number of trajectories whose differences are printed


class Wrong(Exception):
    """Raised if a trajectory is wrong. The message says what is wrong."""


class Declined(Exception):
    """Raised if a trajectory cannot be checked. The message says why."""


class Runs:
    """Runs programs and caches the runs of the latest program, because the trajectories of a
    program follow one another in a file."""

    def __init__(self):
        self.program, self.runs = None, {}

    def of(self, source, entry, edits):
        if self.program != (source, entry):
            self.program, self.runs = (source, entry), {}
        key = tuple((e.at, e.name, e.literal) for e in edits)
        if key not in self.runs:
            try:
                self.runs[key] = run(source, entry, edits)
            except CannotRun as e:
                raise Declined(f"the program does not run: {e}") from None
        return self.runs[key]


def check(line, runs):
    """Raises Wrong if the trajectory in a line is wrong, and Declined if it cannot be checked."""
    missing = [name for name in FIELDS if name not in line]
    if missing:
        raise Wrong(f"lacks {', '.join(missing)}")
    entry = line["source"].get("entry") or None
    if line["dialect"] == "cwm":
        return check_trace(line, entry, runs)
    if line["dialect"] != "nd/1":
        raise Declined(f"dialect {line['dialect']}")
    try:
        text = read(line["text"])
    except Malformed as e:
        raise Wrong(f"malformed: {e}") from None
    if [step.action for step in text.steps if step.action != "set"] != line["actions"]:
        raise Wrong("the actions are not those of the text")
    source = "".join(one + "\n" for one in text.lines)
    found = runs.of(source, entry, ())
    best = None
    for start in starts(text, found):
        writer, horizons = written(text, found, start, lambda edits: runs.of(source, entry, edits))
        fault = difference(line, writer, horizons)
        if fault is None:
            return
        if best is None or fault > best:
            best = fault
    if best is None:
        raise Wrong("no event of the program is the state that it begins with")
    raise Wrong(best[1])


def check_trace(line, entry, runs):
    """Raises Wrong if a trace in the Code World Model's format is wrong, and Declined if it cannot
    be checked."""
    source, call = cwm.program(line["text"])
    for what, one in (("token", "<|"), ("line end", "\r")):
        if one in source:
            raise Wrong(f"malformed: {what} in the program")
    if call is not None and call != entry:
        raise Wrong(f"its function main calls {call}, and the program's entry is {entry}")
    found = runs.of(source, entry, ())
    if not found.events:
        raise Wrong("the program has no state")
    writer = cwm.Writer(source, call, found)
    for action in line["actions"]:
        if not writer.step(action):
            break
    fault = difference(line, writer, writer.horizons)
    if fault is not None:
        raise Wrong(fault[1])


def starts(text, found):
    """Returns all possible beginnings of a text. Each is a list of events: one for each
    given state of the text, the current one last."""
    if not text.compacted:
        return [[0]]
    current = text.given[-1]
    events = found.events
    if not isinstance(current, State):
        return [[len(events)]]
    ways = []
    for i in range(len(events)):
        if not same(text, events[i], current):
            continue
        chain, used = [], -1
        for state in text.given[:-1]:
            below = [
                (depth, j)
                for depth, (_, _, activation) in enumerate(events[i].stack[:-1])
                for j in range(i - 1, -1, -1)
                if depth > used and events[j].activation == activation and same(text, events[j], state)
            ]
            if not below:
                break
            used, j = below[0]
            chain.append(j)
        else:
            ways.append([*chain, i])
    return ways


def same(text, event, state):
    """Returns whether a given state equals the state at an event of the run. Given
    states are written in full."""
    kinds = {"yield": "return", "unwind": "return"}
    value = event.value
    if event.kind == "yield":
        value = [("yield", value)]
    return (
        kinds.get(event.kind, event.kind) == state.event
        and event.line == state.line
        and list(event.names.items()) == state.names
        and state.stack == [[name, line] for name, line, _ in event.stack]
        and value == state.value
        and text.lines[event.line - 1] == state.source
    )


def written(text, found, start, edited):
    """Repeats the actions of a text, from the events of start, and writes their results. Returns
    the Writer and the horizons."""
    walk, writer, edits, horizons = Walk(found, start[-1]), Writer(text.lines, found), [], []
    if text.compacted:
        writer.compacted(start)
    else:
        writer.given(start[-1])
    for step in text.steps:
        if step.action == "set":
            if walk.at == len(walk.run.events) or not isinstance(step.reply, State):
                break  # there is no frame that could be edited
            set_here = changes(walk, step.reply)
            if set_here is None:
                break
            edits = [e for e in edits if e.at <= walk.at] + set_here
            walk.run = edited(edits)
            if walk.at >= len(walk.run.events):
                break
            writer.edited(walk.run, walk.at)
            continue
        try:
            landing, horizon = walk.move(step.action)
        except ValueError:
            break
        writer.step(step.action, landing)
        horizons.append(horizon)
    return writer, horizons


def changes(walk, state):
    """Returns the Edits that lead to an edited state: one for each name whose value
    differs from the state before. Returns None if a value is not a literal."""
    before, found = walk.run.events[walk.at].names, []
    for name, text in state.names:
        if before.get(name) != text:
            try:
                ast.literal_eval(text)
            except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
                return None
            found.append(Edit(walk.at, name, text))
    return found


def difference(line, writer, horizons):
    """Compares a line with the trajectory that was written again. Returns None if they
    are the same, otherwise how many characters agree and what differs."""
    text = writer.text
    if line["text"] != text:
        at = len(os.path.commonprefix((line["text"], text)))
        begin = max(0, at - 60)
        return at, (
            f"text differs at character {at}, after {text[begin:at]!r}\n"
            f"    it has      {line['text'][at : at + 100]!r}\n"
            f"    true would be {text[at : at + 100]!r}"
        )
    for name, true in (("predict", writer.predict), ("changed", writer.changed), ("horizons", horizons)):
        has, true = line[name], [list(one) if isinstance(one, tuple) else one for one in true]
        if has != true:
            at = next((i for i, (a, b) in enumerate(zip(has, true)) if a != b), min(len(has), len(true)))
            return len(text), f"{name}[{at}:] is {has[at : at + 3]}, true would be {true[at : at + 3]}"
    return None


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("paths", nargs="+")
    p.add_argument("--sample", type=int, help="how many trajectories, drawn at random; all without it")
    p.add_argument("--seed", default="1", help="of what is drawn")
    p.add_argument("--family", help="only programs of one family")
    return p.parse_args()


def main():
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.argv])
    o = options()
    lines = lines_of(o.paths)
    if o.family:
        lines = (one for one in lines if one["source"].get("family") == o.family)
    if o.sample is not None:
        lines = drawn(lines, o.sample, random.Random(o.seed))
    runs, right, wrong, declined = Runs(), 0, 0, {}
    for line in lines:
        try:
            check(line, runs)
            right += 1
        except Wrong as e:
            wrong += 1
            if wrong <= SHOWN:
                print(f"{line.get('id')} ({line.get('source')}): {e}")
        except Declined as e:
            declined[str(e)] = declined.get(str(e), 0) + 1
    reasons = "".join(f"; {n} because: {why}" for why, n in sorted(declined.items()))
    total = right + wrong + sum(declined.values())
    print(f"{total} checked: {right} right, {wrong} wrong, {sum(declined.values())} declined{reasons}")
    sys.exit(1 if wrong else 0 if right else 2)


def drawn(lines, n, rng):
    """Returns n lines that are drawn at random, in their order. All lines are equally
    likely."""
    kept = []
    for number, line in enumerate(lines):
        if len(kept) < n:
            kept.append((number, line))
        else:
            at = rng.randrange(number + 1)
            if at < n:
                kept[at] = number, line
    return [line for _, line in sorted(kept, key=lambda one: one[0])]


if __name__ == "__main__":
    main()
