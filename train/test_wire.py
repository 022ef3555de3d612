"""Recordings, moves and their text, against the walks that npdb's own dialect is tested by.

Run from the repository's root: PYTHONHASHSEED=0 python3 -m unittest train.test_wire
"""

import gc
import json
import random
import sys
import unittest
from pathlib import Path

from .moves import BACKWARD, END, FORWARD, START, STATE, Position
from .policy import trajectories
from maker.program import Program
from maker.recording import RECORDS, record
from .wire import CONTENT, GIVEN, SOURCE, STRUCTURE, Page, Writer

VECTORS = Path(__file__).parent.parent / "dsl" / "vectors" / "nd1.jsonl"


def walked(recording, actions, start=0):
    """The text of a walk, and where it went."""
    writer = Writer(Page(recording))
    if isinstance(start, int):
        writer.begin(start)
        at = start
    else:
        writer.begin_compacted(start)
        at = start[-1]
    position = Position(recording, at)
    events = [at]
    for action in actions:
        outcome, event = position.move(action)
        writer.step(action, outcome, event, 0)
        events.append(event if outcome == STATE else outcome)
    return writer.finish(), events


@unittest.skipUnless(RECORDS, "recordings are made by Python 3.12")
class Vectors(unittest.TestCase):
    def test_walks(self):
        for line in VECTORS.read_text(encoding="utf-8").splitlines():
            vector = json.loads(line)
            with self.subTest(vector["name"]):
                recording = record(Program(vector["program"], None, ""))
                trajectory, events = walked(recording, vector["actions"])
                self.assertEqual(events, vector["events"])
                self.assertEqual(trajectory.text, vector["wire"])


def recorded(source, entry=None, **options):
    return record(Program(source, entry, ""), **options)


def events(recording):
    """Events in a form that is easily written down."""
    r = recording
    names = ("call", "line", "return", "yield", "unwind", "exception")
    return [(names[r.kind[i]], r.line[i], r.function[i], r.depth[i], r.value[i]) for i in range(len(r))]


def held(recording, i):
    return dict(zip(recording.names[i], recording.texts[i]))


@unittest.skipUnless(RECORDS, "recordings are made by Python 3.12")
class Recordings(unittest.TestCase):
    def test_the_first_state_of_an_entry_is_its_call(self):
        r = recorded("k = 2\ndef f(x):\n    return x * k\n", "f(3)")
        self.assertEqual(
            events(r),
            [("call", 2, "f", 0, None), ("line", 3, "f", 0, None), ("return", 3, "f", 0, "6")],
        )
        self.assertEqual(held(r, 0), {"x": "3"})

    def test_ways_to_leave(self):
        r = recorded(
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
        r = recorded("def g():\n    x = yield 1\n    return x\ni = g()\nnext(i)\nn = next(i, 5)\n")
        self.assertEqual({r.activation[k] for k in range(len(r)) if r.function[k] == "g"}, {1})
        self.assertEqual([r.kind[k] for k in range(len(r)) if r.function[k] == "g"].count(0), 2)

    def test_the_stop_iteration_of_a_delegation_is_no_event(self):
        r = recorded("def a():\n    yield 1\ndef b():\n    yield from a()\nx = list(b())\n")
        self.assertNotIn("exception", [kind for kind, *_ in events(r)])

    def test_locals(self):
        r = recorded(
            "import math\nclass C:\n    pass\ndef f():\n    pass\nn = 1\n__x__ = 2\nm = [c * n for c in 'ab']\nf\n"
        )
        self.assertEqual(list(held(r, len(r) - 1)), ["n", "m"])
        self.assertEqual([held(r, k).get("c") for k in range(len(r)) if r.line[k] == 8], [None, "'a'", "'b'"])

    def test_values(self):
        r = recorded(
            "class A:\n    def __init__(self, v):\n        self.v = v\n        self.w = None\n"
            "class B(A):\n    __slots__ = ('s',)\n    def __repr__(self):\n        return 'B' + str(self.w)\n"
            "a = A(A(A(A(1))))\na.v.w = a\nb = B('x')\nf = [len, print, lambda: 0]\nt = (a.v.v.v,)\nend = 0\n"
        )
        found = held(r, len(r) - 1)
        self.assertEqual(found["a"], "A(v=A(v=A(v=A(...), w=None), w=A(...)), w=None)")
        self.assertEqual(found["f"], "[<built-in function len>, <built-in function print>, <function <lambda>>]")
        self.assertEqual(found["t"], "(A(v=1, w=None),)")
        self.assertEqual(found["b"], "BNone")
        unfinished = [held(r, k)["self"] for k in range(len(r)) if "self" in r.names[k]]
        self.assertIn("B()", unfinished)  # whose __repr__ raises as yet

    def test_ends(self):
        r = recorded("import sys\nsys.exit(3)\n")
        self.assertEqual((r.code, r.exception, r.fatal), (3, None, -1))
        r = recorded("import sys\nsys.exit('no')\n")
        self.assertEqual((r.code, r.exception), (1, None))
        r = recorded("def f():\n    raise ValueError('x')\ntry:\n    f()\nfinally:\n    y = 1\n")
        self.assertEqual((r.code, r.exception), (1, "ValueError('x')"))
        self.assertEqual((r.line[r.fatal], r.function[r.fatal]), (2, "f"))

    def test_what_is_given_up(self):
        self.assertIsNone(recorded("while True: pass\n"))
        self.assertIsNone(recorded("while True:\n    try:\n        while True: x = 1\n    except:\n        pass\n"))
        self.assertIsNone(recorded("x = 'a' * 400\ny = 1\n"))
        self.assertIsNone(recorded("x = (\n"))
        self.assertIsNone(recorded("1/0\ndef f(): pass\n", "f()"))
        self.assertIsNone(recorded("def f():\n    return locals()\nf()\n"))
        self.assertIsNotNone(recorded("x = 1\n" * 8, limit=9))
        self.assertIsNone(recorded("x = 1\n" * 9, limit=9))

    def test_nothing_is_left_behind(self):
        before = dict(sys.modules), sys.stdout, sys.gettrace(), gc.isenabled()
        recorded("import sys\nsys.setrecursionlimit(90)\nprint('x')\nsys.stdout = None\n")
        self.assertEqual((dict(sys.modules), sys.stdout, sys.gettrace(), gc.isenabled()), before)
        self.assertGreater(sys.getrecursionlimit(), 90)


GENERATOR = """\
def g(n):
    for i in range(n):
        yield i
    return n

total = sum(g(2))
last = 1
"""


@unittest.skipUnless(RECORDS, "recordings are made by Python 3.12")
class Moves(unittest.TestCase):
    def at(self, recording, kind, line, nth=0):
        kinds = dict(call=0, line=1, ret=2, gen=3, unwind=4, exception=5)
        return [i for i in range(len(recording)) if recording.kind[i] == kinds[kind] and recording.line[i] == line][nth]

    def land(self, recording, i, action):
        return Position(recording, i).move(action)

    def test_a_generator_is_stepped_over_and_out_of_as_one_run(self):
        r = recorded(GENERATOR)
        i = self.at(r, "line", 3)
        self.assertEqual(self.land(r, i, "step_over"), (STATE, self.at(r, "line", 2, 1)))
        self.assertEqual(self.land(r, i, "step_return"), (STATE, self.at(r, "ret", 4)))
        self.assertEqual(self.land(r, self.at(r, "line", 4), "inv_step_return"), (STATE, self.at(r, "call", 1)))
        self.assertEqual(
            self.land(r, self.at(r, "line", 2, 1), "inv_step_over"), (STATE, self.at(r, "line", 3))
        )
        # at a yield it has returned, at a resumption it is called
        self.assertEqual(self.land(r, self.at(r, "gen", 3), "step_over"), (STATE, self.at(r, "call", 3)))
        self.assertEqual(self.land(r, self.at(r, "call", 3), "inv_step_over"), (STATE, self.at(r, "gen", 3)))

    def test_a_generator_that_is_never_finished(self):
        r = recorded("def g():\n    yield 1\n    yield 2\ndef f():\n    next(i)\n    return 0\ni = g()\nf()\n")
        inside, end = self.at(r, "line", 2), self.at(r, "ret", 8)
        self.assertEqual(self.land(r, inside, "step_over"), (STATE, end))  # the module's end comes first
        self.assertEqual(self.land(r, inside, "step_return"), (STATE, end))
        self.assertEqual(self.land(r, self.at(r, "line", 6), "inv_breakpoint 2"), (STATE, inside))

    def test_boundaries(self):
        r = recorded("x = 1\ny = 2\n")
        position = Position(r, 0)
        self.assertEqual(position.move("inv_step_into"), (START, -1))
        self.assertEqual(position.move("inv_continue"), (START, -1))
        self.assertEqual(position.move("breakpoint 1"), (END, 3))
        self.assertEqual(position.move("step_into"), (END, 3))
        self.assertEqual(position.move("inv_breakpoint 1"), (STATE, 0))
        self.assertEqual(position.move("continue"), (END, 3))
        self.assertEqual(position.move("inv_step_over"), (STATE, 2))

    def test_post_mortem(self):
        r = recorded("def f(x):\n    return 1 / x\ny = f(0)\n")
        fatal = self.at(r, "exception", 2)
        position = Position(r, 0)
        self.assertEqual(position.move("continue"), (STATE, fatal))
        self.assertEqual(position.move("inv_step_into"), (STATE, fatal - 1))
        self.assertEqual(position.move("step_into"), (STATE, fatal))
        self.assertEqual(position.move("step_into"), (STATE, fatal + 1))  # the program goes on from it
        self.assertEqual(position.move("continue"), (END, len(r)))
        position = Position(r, 0)
        position.move("continue")
        self.assertEqual(position.move("step_into"), (END, len(r)))


@unittest.skipUnless(RECORDS, "recordings are made by Python 3.12")
class Texts(unittest.TestCase):
    def text(self, source, actions, start=0, entry=None):
        return walked(recorded(source, entry), actions, start)[0].text

    def test_content_never_looks_like_structure(self):
        source = "s = '<|frame_sep|>'  # <\\\nt = '..'[:1] * 2\nu = '\\x7f'\n"
        text = self.text(source, ["step_into"] * 3)
        self.assertIn("1|s = '<\\|frame_sep|>'  # <\\\\\n", text)
        self.assertIn('"s": "\'\\u003c|frame_sep|>\'"', text)
        self.assertIn('"u": "\'\\\\x7f\'"', text)
        self.assertEqual(text.count("<|frame_sep|>"), 1 + 1 + 3 * 2)

    def test_two_dots(self):
        source = "class D:\n    def __repr__(self):\n        return '..'\ndef f(d):\n    e = d\n    return d\n"
        text = self.text(source, ["step_into", "step_into", "step_into"], entry="f(D())")
        self.assertIn('{"d": "\\u002e\\u002e"}', text)
        self.assertIn('{"d": "..", "e": "\\u002e\\u002e"}', text)
        self.assertIn('<|arg_sep|>"\\u002e\\u002e"<|frame_sep|>', text)

    def test_a_yield_and_an_unwinding(self):
        text = self.text(
            "def g():\n    yield 'a'\n    raise KeyError(1)\nfor x in g():\n    pass\n", ["step_into"] * 13
        )
        self.assertIn('<|arg_sep|>{"yield": "\'a\'"}<|frame_sep|>', text)
        self.assertIn("<|arg_sep|>null<|frame_sep|>", text)
        self.assertIn('<|exception_sep|>{}<|action_sep|>3|    raise KeyError(1)\n<|arg_sep|>"KeyError(1)"', text)

    def test_the_post_mortem_stop_has_the_whole_stack(self):
        text = self.text("def f(x):\n    return 1 / x\ny = f(0)\n", ["step_over"] * 3 + ["step_into", "continue"])
        self.assertIn(
            '<|debug_sep|>step_into<|frame_sep|><|exception_sep|><|stack_sep|>[["<module>", 3], ["f", 2]]'
            '{"x": "0"}<|action_sep|>2|',
            self.text("def f(x):\n    return 1 / x\ny = f(0)\n", ["step_over"] * 3 + ["step_into"]),
        )
        self.assertTrue(
            text.endswith(
                '<|end_sep|>{"code": 1, "exception": "ZeroDivisionError(\'division by zero\')"}<|frame_sep|>'
            )
        )

    def test_a_compacted_text(self):
        r = recorded("def f(x):\n    y = x\n    return y\nn = 4\na = f(n)\n")
        line = next(i for i in range(len(r)) if r.line[i] == 3)
        text = walked(r, ["step_into", "step_into"], (r.below[line], line))[0].text
        self.assertTrue(
            text.endswith(
                "5|a = f(n)\n<|frame_sep|><|compact_sep|><|frame_sep|>"
                '<|line_sep|><|stack_sep|>[["<module>", 5]]{"n": "4"}<|action_sep|>5|a = f(n)\n<|frame_sep|>'
                '<|line_sep|><|stack_sep|>[["<module>", 5], ["f", 3]]{"x": "4", "y": "4"}<|action_sep|>3|    return y\n'
                "<|frame_sep|><|debug_sep|>step_into<|frame_sep|>"
                '<|return_sep|>{"x": "..", "y": ".."}<|action_sep|>3|    return y\n<|arg_sep|>"4"<|frame_sep|>'
                "<|debug_sep|>step_into<|frame_sep|>"
                '<|return_sep|>{"n": "4", "a": "4"}<|action_sep|>5|a = f(n)\n<|arg_sep|>"None"<|frame_sep|>'
            ),
            text,
        )

    def test_segments(self):
        r = recorded("def f(x):\n    y = x\n    x = 2\n    return y\n", "f('a')")
        trajectory = walked(r, ["step_into", "step_into", "step_into", "step_into", "step_into"])[0]
        shown = [trajectory.segments[reply.first : reply.last] for reply in trajectory.replies]
        self.assertEqual(
            shown[2],
            [
                ('<|line_sep|>{"x": ', STRUCTURE),
                ('"2"', CONTENT),
                (', "y": ".."}<|action_sep|>', STRUCTURE),
                ("4", CONTENT),
                ("|", STRUCTURE),
                ("    return y\n", SOURCE),
                ("<|frame_sep|>", STRUCTURE),
            ],
        )
        self.assertEqual(
            shown[1][:3],
            [('<|line_sep|>{"x": "..", ', STRUCTURE), ('"y": "\'a\'"', CONTENT), ("}<|action_sep|>", STRUCTURE)],
        )
        self.assertEqual(shown[4], [("<|end_sep|>", STRUCTURE), ('{"code": 0}', CONTENT), ("<|frame_sep|>", STRUCTURE)])
        given = [text for text, kind in trajectory.segments if kind == GIVEN]
        self.assertEqual(given[1], "<|debug_sep|>step_into<|frame_sep|>")


@unittest.skipUnless(RECORDS, "recordings are made by Python 3.12")
class Policies(unittest.TestCase):
    SOURCE = (
        "def f(n):\n    t = []\n    while n:\n        n -= 1\n        t.append(g(n))\n    return t\n"
        "def g(n):\n    return n % 2\n"
    )

    def test_the_same_generator_gives_the_same_bytes(self):
        r = recorded(self.SOURCE, "f(6)")
        one = [t.text for t in trajectories(random.Random(4), r, 40)]
        self.assertEqual(one, [t.text for t in trajectories(random.Random(4), r, 40)])
        self.assertEqual(len(one), len(set(one)))

    def test_trajectories_are_whole(self):
        r = recorded(self.SOURCE, "f(6)")
        moves = set()
        for t in trajectories(random.Random(5), r, 300, 2500):
            self.assertLess(len(t.text), 2500 + 400)
            self.assertTrue(t.text.endswith("<|frame_sep|>"))
            self.assertTrue(t.replies)
            at = 0
            for reply in t.replies:
                moves.add(reply.move)
                self.assertTrue(all(kind == GIVEN for _, kind in t.segments[at : reply.first]))
                self.assertTrue(all(kind != GIVEN for _, kind in t.segments[reply.first : reply.last]))
                self.assertTrue(all(text for text, _ in t.segments[reply.first : reply.last]))
                at = reply.last
            self.assertEqual(at, len(t.segments))
        self.assertEqual(moves, set(FORWARD + BACKWARD))


if __name__ == "__main__":
    unittest.main()
