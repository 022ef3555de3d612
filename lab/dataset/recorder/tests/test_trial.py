"""Tests of running generated programs within bounds."""

import sys
import unittest

from maker.programs.trial import FILE, Bounds, run_bounded

BOUNDS = Bounds(100, number=10**6, string=40, items=10, shown=60)
CATCHES = """\
while True:
    try:
        x = 1
    except BaseException:
        pass
"""


def indented(text):
    return "".join("    " + line + "\n" for line in text.splitlines())


class Runs(unittest.TestCase):
    def stopped(self, source, entry=None, bounds=BOUNDS):
        trace, hook = sys.gettrace(), sys.unraisablehook
        outcome = run_bounded(source, entry, bounds)
        self.assertFalse(outcome.ended, source)
        self.assertEqual((sys.gettrace(), sys.unraisablehook), (trace, hook))
        # The stopped run has no effect on the next one, which runs to its end.
        self.assertTrue(run_bounded("for i in range(9):\n    i\n", None, BOUNDS).ended)
        return outcome

    def test_what_counts(self):
        outcome = run_bounded("x = 1\ny = 2\n", None, BOUNDS)
        self.assertEqual((outcome.ended, outcome.events, outcome.lines, outcome.raised), (True, 4, {1, 2}, ""))
        outcome = run_bounded("x = 1\ndef f(a):\n    return a + x\n", "f(2)", BOUNDS)
        self.assertEqual((outcome.ended, outcome.events, outcome.lines, outcome.value), (True, 3, {3}, 3))

    def test_names(self):
        space = {"x": 20}
        self.assertTrue(run_bounded("y = x + 1\n", None, BOUNDS, space).ended)
        self.assertEqual(space["y"], 21)
        self.assertEqual(run_bounded("def f():\n    return __name__\n", "f()", BOUNDS).value, "program")
        self.assertEqual(run_bounded("if __name__ == '__main__':\n    print(1, sep='', file=None)\n", None, BOUNDS).lines, {1, 2})

    def test_code(self):
        code = compile("def f(a):\n    return a\n", FILE, "exec")
        self.assertEqual(run_bounded(code, "f('q')", BOUNDS).value, "q")

    def test_not_a_program(self):
        self.stopped("x = (\n")
        self.stopped("x = '\0'\n")
        self.stopped("x = 1\n", "f(")

    def test_exception_is_named(self):
        self.assertEqual(run_bounded("1 // 0\n", None, BOUNDS).raised, "ZeroDivisionError")
        self.assertEqual(run_bounded("class E(Exception): pass\ndef f():\n    raise E('x')\n", "f()", BOUNDS).raised, "E")
        outcome = run_bounded("raise SystemExit(3)\n", None, BOUNDS)
        self.assertEqual((outcome.ended, outcome.raised), (True, "SystemExit"))

    def test_exception_of_the_definitions(self):
        outcome = run_bounded("x = y\ndef f(): pass\n", "f()", BOUNDS)
        self.assertEqual((outcome.raised, outcome.events), ("NameError", 0))

    def test_endless_loop(self):
        self.assertEqual(self.stopped("while True:\n    pass\n").events, 101)
        self.stopped("def f():\n    while True:\n        pass\n", "f()")
        self.stopped("while True:\n    pass\n", "f()")

    def test_deep_recursion(self):
        self.stopped("def f(n):\n    return f(n + 1)\n", "f(0)")
        deep = "def f(n):\n    return f(n + 1)\n"
        self.assertEqual(run_bounded(deep, "f(0)", Bounds(10**6)).raised, "RecursionError")
        self.stopped("def f(n):\n    try:\n        return f(n + 1)\n    except BaseException:\n        return f(n + 2)\n", "f(0)")

    def test_catches_everything(self):
        self.stopped(CATCHES)
        self.stopped("def f():\n" + indented(CATCHES), "f()")
        self.stopped(CATCHES + "def f(): pass\n", "f()")
        self.stopped(CATCHES.replace("except BaseException", "except"))
        self.stopped("while True:\n" + indented(CATCHES.replace("except BaseException", "except")))
        self.stopped("while True:\n    try:\n        x = 1\n    except BaseException: continue\n")
        self.stopped("def f():\n    while True:\n        try:\n            x = 1\n        finally:\n            continue\n", "f()")
        self.stopped("from contextlib import suppress\nwhile True:\n    with suppress(BaseException):\n        x = 1\n")

    def test_stopped_within_a_generator(self):
        self.stopped("def f():\n    for x in g():\n        pass\n\ndef g():\n    while True:\n        try:\n            yield 1\n"
                     "        except BaseException:\n            pass\n", "f()")
        # The generator is closed when all() returns, and an exception that is raised at that time
        # is lost.
        self.stopped("for i in range(3000):\n    all(x for x in (0, 1))\n")

    def test_long_values(self):
        self.stopped("x = 'ab' * 21\n")
        self.stopped("x = list(range(11))\n")
        self.stopped("x = 10 ** 6\n")
        self.stopped("x = ['0123456789abc'] * 5\n")
        self.stopped("def f():\n    return 'ab' * 21\n", "f()")
        self.stopped("def f():\n    return 'ab'\n", "f() * 21")
        self.stopped("def f():\n    x = 'ab' * 21\n    x = ''\n    return x\n", "f()")
        self.assertTrue(run_bounded("x = 'ab' * 21\ny = 10 ** 6\n", None, Bounds(100)).ended)

    def test_other_values(self):
        for source, bounds in (("x = 1 / 3\n", Bounds(100, digits=9)), ("x = {'a', 'b'}\n", Bounds(100, orderly=True)),
                               ("x = 700\ny = 1\n", Bounds(100, number=900, passing=600)), ("x = str(object())\n", BOUNDS)):
            self.stopped(source, None, bounds)
        self.assertTrue(run_bounded("x = 1\nx = 700\n", None, Bounds(100, number=900, passing=600)).ended)
        self.stopped("class A:\n    def __repr__(self):\n        return 1 // 0\nx = [A()]\n")

    def test_comprehension_of_a_module(self):
        # Reading the locals of a frame can change what the program does.
        outcome = run_bounded("d = [x for x in [1, 2] if [y for y in [x]]]\nz = d[0] + 1\n", None, BOUNDS)
        self.assertEqual((outcome.ended, outcome.raised), (True, ""))
