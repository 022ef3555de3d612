"""Checks that check.py itself makes moves by the rules of docs/nd1.md. It compares with the walks
of an independent reference, and tests single cases that do not occur in these walks.

Run by Go's tests of this folder, or: python3.12 -m unittest test_law
"""

import json
import unittest
from pathlib import Path

from check import written
from rerun.moves import END, START, Walk
from rerun.reading import read
from rerun.running import Edit, run
from rerun.writing import Writer

VECTORS = Path(__file__).resolve().parent.parent.parent.parent / "dsl" / "vectors" / "nd1.jsonl"


class Vectors(unittest.TestCase):
    def test_walks(self):
        for line in VECTORS.read_text(encoding="utf-8").splitlines():
            vector = json.loads(line)
            with self.subTest(vector["name"]):
                text = read(vector["wire"])
                self.assertEqual("".join(one + "\n" for one in text.lines), vector["program"])
                self.assertEqual([step.action for step in text.steps], vector["actions"])
                found = run(vector["program"], None)
                writer, _ = written(text, found, [0], None)
                self.assertEqual(writer.text, vector["wire"])
                walk = Walk(found, 0)
                self.assertEqual([walk.move(action)[0] for action in vector["actions"]], vector["events"][1:])


def values(source, entry=None):
    """Returns the names at a program's last event."""
    return run(source, entry).events[-1].names


class Values(unittest.TestCase):
    def test_objects(self):
        found = values(
            "class A:\n    def __init__(self, v):\n        self.v = v\n"
            "class S:\n    __slots__ = ('one', '__two', 'unset')\n    def __init__(self):\n        self.one = self.__two = 1\n"
            "class B(S):\n    __slots__ = ('s', 'd')\n"
            "class R(A):\n    def __repr__(self):\n        return 'R<%s at 0x12>' % self.w\n"
            "a = A(A(A(A(1))))\nc = A(0)\nc.v = [c]\ns = S()\nb = B()\nb.s = 3\nr = R(4)\nq = [R(5)]\nq[0].w = '6'\nl = [1]\nl.append(l)\n"
            "t = (len, lambda: 0, a.v.v)\nu = 'x at 0x12>'\nv = {frozenset({1}): set(), (1,): ()}\nn = ValueError(c)\n"
        )
        self.assertEqual(found, {
            "a": "A(v=A(v=A(v=A(...))))", "c": "A(v=[A(...)])", "s": "S(one=1, _S__two=1)", "b": "B(one=1, _S__two=1, s=3)", "r": "R(v=4)", "q": "[R<6>]",
            "l": "[1, [...]]", "t": "(<built-in function len>, <function <lambda>>, A(v=A(v=1)))", "u": "'x at 0x12>'",
            "v": "{frozenset({1}): set(), (1,): ()}", "n": "ValueError(<__main__.A object>)",
        })

    def test_a_repr_that_prints_or_changes_its_object_is_not_asked_again(self):
        found = values(
            "class P:\n    def __repr__(self):\n        print('x')\n        return 'P!'\n"
            "class C:\n    n = 0\n    def __init__(self):\n        self.k = 1\n    def __repr__(self):\n        self.k += 1\n        return 'C!'\np, c = P(), C()\nend = 0\n"
        )
        self.assertEqual((found["p"], found["c"]), ("P()", "C(k=1)"))

    def test_names(self):
        found = run(
            "import os\nfrom math import pi\nclass C:\n    z = 1\n    y = [k for k in 'a']\ndef f():\n    pass\n"
            "__d__ = 1\nm = [i for i in (7, 8)]\n",
            None,
        ).events
        self.assertEqual(list(found[-1].names), ["pi", "m"])
        self.assertEqual([e.names.get("i") for e in found if e.line == 9], [None, "7", "8", None])
        self.assertIn({"z": "1", "k": "'a'"}, [e.names for e in found])
        found = run("def f(b, a):\n    def g():\n        return a\n    c = 1\n    return g()\nx = f(1, 2)\n", None).events
        self.assertEqual([list(e.names) for e in found if e.line == 5][0], ["b", "a", "g", "c"])
        self.assertEqual([e.names for e in found if e.line == 3][0], {"a": "2"})


GENERATOR = "def g(n):\n    for i in range(n):\n        yield i\n    return n\ndef f():\n    it = g(2)\n    total = next(it)\n    for x in it:\n        total += x\n    return total\na = f()\n"


class Moves(unittest.TestCase):
    def land(self, found, kind, line, action, nth=0):
        at = [i for i, e in enumerate(found.events) if (e.kind, e.line) == (kind, line)][nth]
        walk = Walk(found, at)
        to = walk.move(action)[0]
        return to if isinstance(to, str) else (found.events[to].kind, found.events[to].line, to - at)

    def test_generators(self):
        found = run(GENERATOR, None)
        for kind, line, action, to in (
            ("line", 3, "step_over", ("line", 2)),
            ("line", 3, "step_return", ("return", 4)),
            ("yield", 3, "step_over", ("line", 8)),
            ("yield", 3, "step_return", ("line", 8)),
            ("line", 4, "inv_step_return", ("call", 1)),
            ("line", 4, "inv_step_over", ("line", 2)),
            ("call", 3, "inv_step_over", ("line", 8)),
            ("call", 1, "inv_step_return", ("line", 7)),
        ):
            with self.subTest(kind=kind, line=line, action=action):
                self.assertEqual(self.land(found, kind, line, action)[:2], to)

    def test_a_generator_that_is_never_finished(self):
        found = run("def g():\n    yield 1\n    yield 2\ndef f():\n    next(i)\n    return 0\ni = g()\nf()\n", None)
        self.assertEqual(self.land(found, "line", 2, "step_over")[:2], ("return", 8))
        self.assertEqual(self.land(found, "line", 2, "step_return")[:2], ("return", 8))
        alone = run("def g():\n    yield 1\n    yield 2\ni = g()\n", "next(i)")
        self.assertEqual(self.land(alone, "line", 2, "step_over"), END)
        raised = run("def g():\n    try:\n        yield 1\n        1 / 0\n    except ZeroDivisionError:\n        yield 2\nx = list(g())\n", None)
        self.assertEqual(self.land(raised, "line", 4, "step_over")[:2], ("exception", 4))
        self.assertEqual(self.land(raised, "line", 5, "inv_step_over")[:2], ("exception", 4))

    def test_blocks_and_functions(self):
        found = run(GENERATOR, None)
        for kind, line, action, to in (
            ("line", 1, "step_block", ("return", 11)),
            ("line", 1, "step_function", ("call", 5)),
            ("line", 6, "step_block", ("line", 8)),
            ("line", 7, "step_function", ("call", 1)),
            ("call", 1, "step_function", ("yield", 3)),
            ("line", 8, "step_block", ("line", 9)),
            ("line", 9, "step_block", ("line", 8)),
            ("line", 2, "step_block", ("line", 3)),
            ("line", 3, "step_block", ("line", 2)),
            ("yield", 3, "step_block", ("line", 8)),
            ("line", 9, "inv_step_block", ("line", 8)),
            ("line", 8, "inv_step_block", ("line", 6)),
            ("return", 11, "inv_step_block", ("line", 1)),
            ("line", 8, "inv_step_function", ("yield", 3)),
            ("call", 1, "inv_step_block", ("line", 7)),
        ):
            with self.subTest(kind=kind, line=line, action=action):
                self.assertEqual(self.land(found, kind, line, action)[:2], to)

    def test_step_return_is_for_one_activation(self):
        found = run("def f(n):\n    if n:\n        f(n - 1)\n    return n\nf(2)\n", None)
        inner = next(i for i, e in enumerate(found.events) if e.depth == 2 and e.line == 2)
        walk = Walk(found, inner)
        to = walk.move("step_return")[0]
        self.assertEqual((found.events[to].kind, found.events[to].depth, found.events[to].value), ("return", 2, "1"))
        to = walk.move("inv_step_return")[0]
        self.assertEqual((found.events[to].kind, found.events[to].names), ("call", {"n": "1"}))

    def test_boundaries(self):
        found = run("x = 1\ny = 2\n", None)
        walk = Walk(found, 0)
        for action, to in (
            ("inv_step_into", (START, 0)), ("inv_continue", (START, 0)), ("breakpoint 1", (END, 2)), ("step_into", (END, 0)),
            ("inv_breakpoint 1", (0, 3)), ("continue", (END, 2)), ("inv_step_return", (2, 1)), ("inv_step_return", (START, 0)),
        ):
            with self.subTest(action):
                self.assertEqual(walk.move(action), to)
        with self.assertRaises(ValueError):
            walk.move("step_out")

    def test_the_post_mortem_stop_is_at_the_innermost_exception(self):
        found = run(
            "def f(n):\n    try:\n        {}[n]\n    except KeyError:\n        pass\n    for k in (1, 2):\n"
            "        try:\n            n = g(k)\n        finally:\n            n = k\n"
            "def g(k):\n    return 1 // (2 - k)\ntry:\n    f(0)\nfinally:\n    x = 1\n",
            None,
        )
        event = found.events[found.fatal]
        self.assertEqual((event.line, event.stack[-1][0], event.names), (12, "g", {"k": "2"}))
        own = run("for n in (1, 0, 5):\n    try:\n        n = 1 // n\n    except ZeroDivisionError:\n        n = {}[n]\n", None)
        self.assertEqual((own.events[own.fatal].value, own.events[own.fatal].line), ("KeyError(0)", 5))
        again = run("for n in (0, 0):\n    try:\n        n = 1 // n\n    except ZeroDivisionError:\n        if 'm' in dir(): raise\n        m = n\n", None)
        raised = [i for i, e in enumerate(again.events) if e.kind == "exception" and e.line == 3]
        self.assertEqual((len(raised), again.fatal), (2, raised[1]))
        walk = Walk(found, 0)
        self.assertEqual(walk.move("continue"), (found.fatal, found.fatal))
        self.assertEqual(walk.move("inv_step_into"), (found.fatal - 1, 1))
        self.assertEqual(walk.move("step_into"), (found.fatal, 1))
        self.assertEqual(walk.move("step_into"), (found.fatal + 1, 1))  # after the stop, moves continue as usual
        self.assertEqual(walk.move("continue")[0], END)

    def test_the_end_of_a_delegation_is_no_event(self):
        found = run("def a():\n    yield 1\ndef b():\n    yield from a()\nx = list(b())\n", None)
        self.assertNotIn("exception", [e.kind for e in found.events])

    def test_a_generator_that_is_thrown_into(self):
        found = run("def g():\n    while True:\n        try:\n            yield\n        except ValueError:\n            pass\ni = g()\nnext(i)\ni.throw(ValueError)\ni.close()\n", None)
        self.assertEqual([e.kind for e in found.events if e.kind in ("yield", "unwind")], ["yield", "yield", "unwind"])


class Edits(unittest.TestCase):
    def test_the_run_goes_on_with_what_was_set(self):
        source = "def f(n):\n    t = n\n    return t\na = f(1)\nb = a\n"
        plain = run(source, None)
        at = next(i for i, e in enumerate(plain.events) if e.line == 2)
        edited = run(source, None, [Edit(at, "n", "[5]")])
        self.assertEqual([e.names.get("n") for e in edited.events[at - 1 : at + 2]], ["1", "[5]", "[5]"])
        self.assertEqual(edited.events[-1].names, {"a": "[5]", "b": "[5]"})
        later = next(i for i, e in enumerate(plain.events) if e.line == 5)
        twice = run(source, None, [Edit(at, "n", "[5]"), Edit(later, "a", "'x'")])
        self.assertEqual(twice.events[-1].names, {"a": "'x'", "b": "'x'"})


class Edited(unittest.TestCase):
    def test_of_two_edits_the_later_one_is_undone_by_one_before_it(self):
        source, lines = "a = 1\nb = 2\nc = a + b\nd = c\n", ["a = 1", "b = 2", "c = a + b", "d = c"]
        plain = run(source, None)
        writer, walk = Writer(lines, plain), Walk(plain, 0)
        writer.given(0)

        def step(action):
            writer.step(action, walk.move(action)[0])

        def edit(edits):
            walk.run = run(source, None, edits)
            writer.edited(walk.run, walk.at)

        step("step_into")
        edit([Edit(1, "a", "10")])
        step("step_into")
        edit([Edit(1, "a", "10"), Edit(2, "b", "20")])  # the first edit applies
        step("step_into")
        step("inv_step_into")
        step("inv_step_into")
        edit([Edit(1, "a", "10"), Edit(1, "a", "30")])  # the second edit is still to come
        step("step_into")
        step("step_into")
        text = read(writer.text)
        again, _ = written(text, plain, [0], lambda edits: run(source, None, edits))
        self.assertEqual(again.text, writer.text)
        self.assertIn('{"a": "..", "b": "..", "c": "32"}', writer.text)
        self.assertIn('{"a": "..", "b": "..", "c": "30"}', writer.text)


class Spans(unittest.TestCase):
    def test_they_count_bytes(self):
        found = run("def f(x):\n    return x + 'é'\n", "f('ü')")
        writer = Writer(["def f(x):", "    return x + 'é'"], found)
        writer.given(0)
        writer.step("continue", END)
        text = writer.text.encode()
        self.assertEqual([text[a:b] for a, b in writer.predict], [b'<|end_sep|>{"code": 0}<|frame_sep|>'])
        self.assertEqual([text[a:b] for a, b in writer.changed], [b'{"code": 0}'])


if __name__ == "__main__":
    unittest.main()
