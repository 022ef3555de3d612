"""Tests of recordings: the events of programs, and their values."""

import sys
import unittest

from maker.program import Program
from recorded import recorded


def run(source, entry=None, **options):
    return recorded(Program(source, entry, ""), **options)


def events(r):
    """Returns events in a short form for comparison."""
    names = ("call", "line", "return", "yield", "unwind", "exception")
    return [(names[r.kind[i]], r.line[i], r.function[i], r.depth[i], r.value[i]) for i in range(len(r.kind))]


def held(r, i):
    return dict(zip(r.names[i], r.texts[i]))


class Recordings(unittest.TestCase):
    def test_the_first_state_of_an_entry_is_its_call(self):
        r = run("k = 2\ndef f(x):\n    return x * k\n", "f(3)")
        self.assertEqual(
            events(r),
            [("call", 2, "f", 0, None), ("line", 3, "f", 0, None), ("return", 3, "f", 0, "6")],
        )
        self.assertEqual(held(r, 0), {"x": "3"})

    def test_ways_to_leave(self):
        r = run(
            "def g():\n    yield 1\ndef f():\n    return None\ndef h():\n    raise ValueError\n"
            "list(g())\nf()\ntry:\n    h()\nexcept ValueError:\n    pass\n"
        )
        left = [(kind, name, value) for kind, _, name, _, value in events(r) if kind in ("return", "yield", "unwind")]
        self.assertEqual(
            left,
            [
                ("yield", "g", "1"),
                ("return", "g", "None"),
                ("return", "f", "None"),
                ("unwind", "h", None),
                ("return", "<module>", "None"),
            ],
        )

    def test_a_generator_keeps_its_activation(self):
        r = run("def g():\n    x = yield 1\n    return x\ni = g()\nnext(i)\nn = next(i, 5)\n")
        self.assertEqual({r.activation[k] for k in range(len(r.kind)) if r.function[k] == "g"}, {1})
        self.assertEqual([r.kind[k] for k in range(len(r.kind)) if r.function[k] == "g"].count(0), 2)

    def test_the_stop_iteration_of_a_delegation_is_no_event(self):
        r = run("def a():\n    yield 1\ndef b():\n    yield from a()\nx = list(b())\n")
        self.assertNotIn("exception", [kind for kind, *_ in events(r)])

    def test_locals(self):
        r = run(
            "import math\nclass C:\n    pass\ndef f():\n    pass\nn = 1\n__x__ = 2\nm = [c * n for c in 'ab']\nf\n"
        )
        self.assertEqual(list(held(r, len(r.kind) - 1)), ["n", "m"])
        self.assertEqual([held(r, k).get("c") for k in range(len(r.kind)) if r.line[k] == 8], [None, "'a'", "'b'"])

    def test_values(self):
        r = run(
            "class A:\n    def __init__(self, v):\n        self.v = v\n        self.w = None\n"
            "class B(A):\n    __slots__ = ('s',)\n    def __repr__(self):\n        return 'B' + str(self.w)\n"
            "a = A(A(A(A(1))))\na.v.w = a\nb = B('x')\nf = [len, print, lambda: 0]\nt = (a.v.v.v,)\nend = 0\n"
        )
        found = held(r, len(r.kind) - 1)
        self.assertEqual(found["a"], "A(v=A(v=A(v=A(...), w=None), w=A(...)), w=None)")
        self.assertEqual(found["f"], "[<built-in function len>, <built-in function print>, <function <lambda>>]")
        self.assertEqual(found["t"], "(A(v=1, w=None),)")
        self.assertEqual(found["b"], "BNone")
        unfinished = [held(r, k)["self"] for k in range(len(r.kind)) if "self" in r.names[k]]
        self.assertIn("B()", unfinished)  # its __repr__ still raises at this point

    def test_ends(self):
        r = run("import sys\nsys.exit(3)\n")
        self.assertEqual((r.code, r.exception, r.fatal), (3, None, -1))
        r = run("import sys\nsys.exit('no')\n")
        self.assertEqual((r.code, r.exception), (1, None))
        r = run("def f():\n    raise ValueError('x')\ntry:\n    f()\nfinally:\n    y = 1\n")
        self.assertEqual((r.code, r.exception), (1, "ValueError('x')"))
        self.assertEqual((r.line[r.fatal], r.function[r.fatal]), (2, "f"))

    def test_what_is_given_up(self):
        for reason, source, *more in (
            ("too many events", "while True: pass\n"),
            ("too many events", "while True:\n    try:\n        while True: x = 1\n    except:\n        pass\n"),
            ("long value", "x = 'a' * 400\ny = 1\n"),
            ("syntax error", "x = (\n"),
            ("address in a value", "x = repr(object())\ny = 1\n"),
            ("address in a value", "x = [str(object())]\ny = 1\n"),
            ("the entry is no call that can be made", "1/0\ndef f(): pass\n", "f()"),
        ):
            self.assertEqual(run(source, *more), reason)
        self.assertEqual(len(run("x = 1\n" * 8, limit=9).kind), 9)
        self.assertEqual(run("x = 1\n" * 9, limit=9), "too many events")

    def test_locals_that_notice(self):
        # From Python 3.13 on, locals() in a function is not affected if something else reads the
        # locals.
        given_up = run("def f():\n    return locals()\nf()\n") == "reads its locals"
        self.assertEqual(given_up, sys.version_info < (3, 13))

    def test_names_that_crash_when_read(self):
        given_up = run("def f(c):\n    k = [n for n in c]\n    n = 7\n    return sum(n for x in k)\nf([1])\n")
        self.assertEqual(given_up == "names that this Python cannot read", (3, 13) <= sys.version_info < (3, 13, 3))
