"""Checks the counts of variety.py and overlap.py.

Run by Go's tests of this folder, or: python3.12 -m unittest test_counts
"""

import ast
import contextlib
import io
import json
import os
import random
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import overlap
import variety
from observed import METHODS, observed
from overlap import Overlap
from rerun.forked import CannotRun, forked
from rerun.running import run as rerun
from shapes import functions, nameless, shapes
from rerun.cwm import MARK
from sources import program_of, programs
from walks import WALKS

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "recorder"))

from maker.programs.synth_core import Retry
from maker.programs.synth_methods import methods

BY_NAME = {walk.name: walk for walk in WALKS}


def run(module, lines, *options):
    """Returns the exit status and the output of a command for a file of lines."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "programs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        said = io.StringIO()
        with mock.patch.object(sys, "argv", ["", *options, folder]), contextlib.redirect_stdout(said):
            try:
                module.main()
            except SystemExit as e:
                return e.code, said.getvalue()
    return 0, said.getvalue()


class Sources(unittest.TestCase):
    def test_programs_of_lines(self):
        source, entry = program_of(BY_NAME["generator"].line())
        self.assertTrue(source.startswith("def g(n):\n    while True:\n"))
        self.assertIn("def f(i, d):  # <| <\\\n", source)
        self.assertEqual(entry, "f(0, D())")
        source, entry = program_of(BY_NAME["trace of a call"].line())
        self.assertTrue(source.startswith("def g(x):\n"))
        self.assertTrue(source.endswith("    return 'é' * y\n"))
        self.assertEqual(entry, "f(1)")
        source, entry = program_of(BY_NAME["trace of a script"].line())
        self.assertTrue(source.startswith("def f(x):\n    x += 1\n"))
        self.assertEqual(entry, "")
        self.assertEqual(program_of({"code": "def f(x):\n    return x\n", "input": "3, y=2"})[1], "f(3, y=2)")
        self.assertEqual(program_of({"code": "x = 1\n"}), ("x = 1\n", ""))
        with self.assertRaisesRegex(SystemExit, "generator: no program .* dialect chat"):
            program_of({**BY_NAME["generator"].line(), "dialect": "chat"})

    def test_a_program_in_two_dialects_is_one(self):
        forward = BY_NAME["forward"].line()
        source, begin = program_of(forward)[0], "<|begin_of_text|><|trace_context_start|>"
        script = f"{begin}{source.replace(':', ':' + MARK, 1)}<|frame_sep|>"
        call = f"{begin}\n{source}def main():{MARK}\n    return f(1)\n<|frame_sep|>"
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            for text, entry in ((script, ""), (call, "f(1)")):
                for line in (forward, {**forward, "dialect": "cwm", "text": text}):
                    file.write(json.dumps({**line, "source": {"entry": entry}}) + "\n")
            file.flush()
            self.assertEqual(list(programs([file.name])), [(source, ""), (source, "f(1)")])


class Forked(unittest.TestCase):
    def test_what_a_program_leaves_behind_holds_nothing(self):
        source = "import os, signal\nif os.fork() == 0:\n    signal.pause()\nx = ''.join([])\n"
        self.assertEqual(observed(source, ""), (5, {("str", "join"): 1}))
        self.assertEqual([e.line for e in rerun(source, None).events], [1, 2, 4, 4])
        here, there = os.pipe()
        forked(lambda: os.fork() or signal.pause(), 5)
        os.close(there)
        self.assertEqual(os.read(here, 1), b"")  # the process has ended
        os.close(here)

    def test_of_two_that_end_one_answers(self):
        source = "import os\npid = os.fork()\nif pid:\n    os.waitpid(pid, 0)\nx = 1 if pid else 22\n"
        self.assertEqual(rerun(source, None).events[-1].names["x"], "1")

    def test_what_does_not_end(self):
        with self.assertRaisesRegex(CannotRun, "more than 0 seconds"):
            forked(signal.pause, 0)


class Methods(unittest.TestCase):
    def test_calls_by_the_receivers_type(self):
        source = """
def f(a):
    a.count(1)
    b = a.copy().pop
    b()
    return str.upper('x'), dict.fromkeys('ab'), bytes.maketrans(b'', b''), [*map(str.lower, 'ab')]
"""
        events, calls = observed(source, "f([1, 2])")
        self.assertEqual(events, 6)
        self.assertEqual(calls, {
            ("list", "count"): 1, ("list", "copy"): 1, ("list", "pop"): 1, ("str", "upper"): 1,
            ("dict", "fromkeys"): 1, ("bytes", "maketrans"): 1,
        })
        self.assertEqual(observed("x = ''.join([])\nraise ValueError\n", "")[1], {("str", "join"): 1})
        self.assertIsNone(observed("x = (\n", ""))
        self.assertIsNone(observed("import os\nos._exit(0)\n", ""))

    def test_the_generators_table_has_every_method(self):
        rng, missing = random.Random("methods"), set(METHODS)
        for _ in range(5000):
            if not missing:
                break
            try:
                lines, entry = methods(rng, "'")
            except Retry:
                continue
            missing.difference_update(observed("\n".join(lines) + "\n", entry)[1])
        self.assertEqual(missing, set())


class Syntax(unittest.TestCase):
    def test_names_are_put_aside(self):
        def number(source, constants=False):
            return nameless(ast.parse(source), constants)

        self.assertEqual(number("def f(a, b):\n    return a + b"), number("def g(x, y):\n    return x + y"))
        self.assertNotEqual(number("def f(a, b):\n    return a + b"), number("def g(x, y):\n    return y + x"))
        self.assertEqual(number("x = 1"), number("y = 2"))
        self.assertNotEqual(number("x = 1"), number("x = 'a'"))
        self.assertNotEqual(number("x = 1", True), number("x = 2", True))

    def test_functions(self):
        source = "@c\ndef f(a: int, *, b=1) -> int:\n    def g(x, f=2):\n        return x + b + 1.5\n    return g(a) + f(b)\nx = 1\ndef h():\n    pass\n"
        for constants, found in functions(source).items():
            one, _, other = ast.parse(source).body
            self.assertEqual(found, {
                nameless(one, constants): source[source.index("def f") : source.index("\nx = 1")],
                nameless(other, constants): "def h():\n    pass",
            })
        self.assertEqual(functions("def f("), {True: {}, False: {}})

    def test_shapes(self):
        found = list(shapes(ast.parse("if x:\n    y = f(1, 2, *z)\nelse:\n    pass")))
        self.assertIn("If(Name, orelse)", found)
        self.assertIn("Assign(Name, Call)", found)
        self.assertIn("Call(Name, Constant, Starred)", found)
        self.assertIn("Constant(int)", found)


class Variety(unittest.TestCase):
    def test_report(self):
        lines = [{"code": "def f(a):\n    return a.upper() + str(len(a))\n", "input": "'x'"}, {"code": "x = [1]\nx.append(2)\n"}]
        status, said = run(variety, lines, "--table")
        self.assertEqual(status, 1)
        self.assertIn("programs: 2, of which 0 could not be run\n", said)
        self.assertIn("methods of list: 1 of 11; not: ('list', 'clear')", said)
        self.assertIn("\n  str.upper 1\n  str.zfill 0\n", said)
        self.assertIn("distinct names: 5\n", said)  # the names f, a, str, len, x

    def test_what_is_no_program_is_counted_as_failed(self):
        deep = "x = " + "-" * 10**5 + "1\n"
        status, said = run(variety, [{"code": code} for code in ("x = (\n", "x = '\0'\n", deep, "x = 1\n")])
        self.assertEqual(status, 1)
        self.assertIn("programs: 4, of which 3 could not be run\n", said)
        self.assertIn("lines, by tenths: [1]\n", said)

    def test_benchmark(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as theirs:
            theirs.write(json.dumps({"code": "def f(a):\n    return a.upper().lower()\n", "input": "'x'"}) + "\n")
            theirs.flush()
            _, said = run(variety, [{"code": "def f(a):\n    return a.upper()\n", "input": "'x'"}], "--benchmark", theirs.name)
        self.assertIn("its methods: 1 of 2 (50.0%), 50.0% of their uses\n  lacking most: ('str', 'lower') (1)", said)
        self.assertIn("its nodes: 9 of 9", said)


class Overlaps(unittest.TestCase):
    THEIRS = (
        "def f(text, old):\n    parts = text.split(old)\n    for i, part in enumerate(parts):\n        if part.isdigit():\n"
        "            parts[i] = str(int(part) + 1)\n    return old.join(parts)\n"
    )

    def looked(self, *programs):
        found = Overlap([self.THEIRS])
        for source in programs:
            found.look(source)
        return len(found.same()), len(found.alike()), list(found.copied().values())

    def status(self, theirs, *lines):
        """Returns the exit status for a benchmark with one program, or with none."""
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write("" if theirs is None else json.dumps({"code": theirs}) + "\n")
            file.flush()
            return run(overlap, lines, file.name)

    def test_what_is_found(self):
        renamed = self.THEIRS.replace("part", "p").replace("old", "sep").replace("def f", "def g")
        self.assertEqual(self.looked("x = 1\n", renamed), (1, 0, []))
        self.assertEqual(self.looked(renamed.replace("+ 1", "+ 2")), (0, 1, []))
        self.assertEqual(self.looked(renamed.replace("+ 1", "- 1")), (0, 0, []))
        half = "def h(text, old, parts):\n" + "".join(self.THEIRS.splitlines(keepends=True)[2:])
        same, alike, copied = self.looked(half)
        self.assertEqual((same, alike), (0, 0))
        self.assertGreater(copied[0], 0.5)
        self.assertLess(copied[0], 1)
        self.assertEqual(self.looked(self.THEIRS)[2], [1])

    def test_status(self):
        for theirs, ours, status in (
            (self.THEIRS, self.THEIRS, 1),
            (self.THEIRS, "def f(x):\n    return x\n", 0),
            ("def f(a):\n    return a.copy()\n", "def g(b):\n    return b.copy()\n", 0),  # short enough to be a coincidence
        ):
            with self.subTest(ours=ours):
                found, said = self.status(theirs, {"code": ours})
                self.assertEqual(found, status, said)

    def test_a_dataset_of_traces_alone_is_looked_at(self):
        line = BY_NAME["trace of a call"].line()
        source = program_of(line)[0]
        found, said = self.status(source.replace("x + 1", "x + 1 - (x + 2) * x + (x - 1) * (x + 7)"), line)
        self.assertEqual(found, 0, said)
        self.assertIn("2 functions of 1 programs; of the benchmark's 2: 1 are the same", said)

    def test_nothing_to_look_at(self):
        for theirs, ours in ((self.THEIRS, ()), ("x = 1\n", ({"code": self.THEIRS},)), (None, ({"code": self.THEIRS},))):
            with self.subTest(theirs=theirs):
                found, said = self.status(theirs, *ours)
                self.assertEqual(found, 2, said)
                self.assertIn("nothing to look ", said)


if __name__ == "__main__":
    unittest.main()
