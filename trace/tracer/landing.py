"""Where a move lands: its test of each event. It is dsl.Goal once more, because it runs in the
program after each event; predicate_test.go holds both equal."""

from _npdb import activations, tracer
from _npdb.codes import ON_LINE


def anywhere(what, act, line):
    return True


def test_for(mode, a, b, c):
    """The predicate of a move: see predicate in move.go."""
    stack, finals, places = activations.stack, tracer.FINAL, tracer.PLACES
    if mode == "any":
        return anywhere
    if mode == "depth":  # depth a or less is reached again
        return lambda what, act, line: len(stack) <= a + 1
    if mode == "over":  # the next place of generator a, its end, or the end of the outermost activation b
        return lambda what, act, line: (act == a and (what in places or what in finals)) or (act == b and what in finals)
    if mode == "final":  # the return of activation a (or of b), or a depth below c
        return lambda what, act, line: (what in finals and (act == a or act == b)) or len(stack) <= c
    if mode == "count":  # the a-th event from here
        left = [a]

        def count(what, act, line):
            left[0] -= 1
            return left[0] <= 0

        return count
    if mode == "until":  # line b of activation a, or its return
        return lambda what, act, line: (
            act == a and (what in finals or (what == ON_LINE and line >= b))
        )
    return None
