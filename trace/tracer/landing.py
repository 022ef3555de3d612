"""Tests after each event whether the current move lands on it. This repeats the rules of dsl.Goal,
because the test runs in the program; predicate_test.go checks that both agree."""

from _npdb import activations, tracer
from _npdb.codes import ON_CALL, ON_LINE, ON_RETURN, ON_UNWIND, ON_YIELD

CALLS = frozenset((ON_CALL, ON_RETURN, ON_YIELD, ON_UNWIND))


def anywhere(what, act, line):
    return True


class Block:
    """The basic block in which a move begins. The move passes over its lines. text has, for
    each part, the first line, the last line and the value of Again: see python.BlockPart.
    place is the line of the activation's latest line event."""

    def __init__(self, text, place):
        self.place = place
        self.parts = {}
        for number, part in enumerate(text.split(",")):
            first, last, again = map(int, part.split("-"))
            for line in range(first, last + 1):
                self.parts[line] = number, again

    def straight(self, line):
        """Reports whether a line event continues the block. Call it for each line event of
        the activation, in order."""
        before, self.place = self.place, line
        if line not in self.parts or before not in self.parts:
            return False
        (was, _), (now, again) = self.parts[before], self.parts[line]
        return was < now or was == now and (again == 1 or again == 2 and before < line)


def block_of(mode, place):
    """Splits a mode with an optional block. Returns the mode alone, and the block or None."""
    mode, _, text = mode.partition(" ")
    return mode, Block(text, place) if text else None


def test_for(mode, a, b, c):
    """Returns the test of a move, or None for other modes: see predicate in move.go."""
    stack, finals, places = activations.stack, tracer.FINAL, tracer.PLACES
    mode, block = block_of(mode, c)
    if block is not None:
        test = test_for(mode, a, b, 0)
        own = own_of(mode, a)
        return lambda what, act, line: (
            not (act == own and what == ON_LINE and block.straight(line)) and test(what, act, line)
        )
    if mode == "calls":
        return lambda what, act, line: what in CALLS
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


def own_of(mode, a):
    """Returns the activation in which a move of mode depth or over begins."""
    if mode == "over":
        return a
    return activations.stack[a].number if a < len(activations.stack) else None


def same(events):
    """The end of the given events of another run, or the first event that is not the one
    there: a line and a kind in four bytes each."""
    wanted = iter(memoryview(events).cast("I"))
    left = [len(events) // 4]

    def differs(what, act, line):
        left[0] -= 1
        return next(wanted) != line << 3 | what or not left[0]

    return differs
