"""Says where the tracer's tests of a move land in lists of events; see ../predicate_test.go.

Argument: the tracer's folder. Standard input: lists of runs, each with its events (what
happened, activation, line, the stack then) and questions (the event, mode and three numbers
of a move). Standard output: for each question the landing of the recorded move, -1 for none,
and of the unrecorded one, null where it has to be recorded.
"""

import json
import sys
import types

package = types.ModuleType("_npdb")
package.__path__ = sys.argv[1:]
sys.modules["_npdb"] = package

from _npdb import activations, landing, unrecorded  # noqa: E402


def stand(stack):
    activations.stack[:] = [runs_of[number] for number in stack]


runs_of = [types.SimpleNamespace(number=number) for number in range(1000)]


def recorded(events, at, move):
    stand(events[at][3])
    test = landing.test_for(*move)
    for n, (what, act, line, stack) in enumerate(events[at + 1 :], at + 1):
        stand(stack)
        if test is not None and test(what, act, line):
            return n
    return -1


def unrecorded_move(events, at, move):
    stand(events[at][3])
    goals = unrecorded.goals_of(*move)
    if goals is None:
        return None
    for n, (what, act, line, _) in enumerate(events[at + 1 :], at + 1):
        if act in goals and goals[act](what, line):
            return n
    return -1


json.dump(
    [
        [
            {"Recorded": recorded(run["events"], at, move), "Unrecorded": unrecorded_move(run["events"], at, move)}
            for at, *move in run["asked"]
        ]
        for run in json.load(sys.stdin)
    ],
    sys.stdout,
)
