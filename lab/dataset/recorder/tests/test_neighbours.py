"""Tests of definitions that surround a generated program."""

import random
import unittest

from maker import programs
from maker.program import Program
from maker.programs.neighbours import surrounded
from recorded import recorded

FUNCTION = Program("import math\n\n\ndef f(x):\n    return math.floor(x) + 1\n", "f(2.5)", "")
SCRIPT = Program("total = 0\nfor n in [1, 2]:\n    total += n\n", None, "")
OTHER = Program("import re\n\n\n@staticmethod\ndef clean(text):\n    return re.sub('a', '', text)\n", "clean('ab')", "")


def lines(program):
    """Returns the texts of the lines of a program's events."""
    source = program.source.splitlines()
    return [source[n - 1] for n in recorded(program).line]


class Surrounded(unittest.TestCase):
    def test_runs_the_same_lines(self):
        for program in (FUNCTION, SCRIPT):
            for seed in range(8):
                other = surrounded(random.Random(seed), program, OTHER)
                self.assertIn("def clean(text):", other.source)
                met = [line for line in lines(other) if line not in OTHER.source.splitlines()]
                self.assertEqual(met, lines(program), other.source)

    def test_names_that_collide_leave_it_alone(self):
        for program, name, alone in ((FUNCTION, "math", True), (FUNCTION, "f", True), (FUNCTION, "total", False),
                                     (SCRIPT, "total", True), (SCRIPT, "n", True), (SCRIPT, "f", False)):
            other = Program(f"def {name}(value):\n    return value\n", f"{name}(1)", "")
            self.assertEqual(surrounded(random.Random(1), program, other) is program, alone, (program.source, name))

    def test_generated_programs_run_the_same(self):
        changed = 0
        for seed in range(120):
            rng = random.Random(seed)
            program, other = (programs.drawn(rng)(rng, 0.5) for _ in "ab")
            if program.entry is None:
                continue
            beside = surrounded(rng, program, other)
            before, after = recorded(program), recorded(beside)
            if isinstance(before, str) or beside is program:
                continue
            changed += 1
            self.assertEqual((before.texts, before.names, before.kind, before.value),
                             (after.texts, after.names, after.kind, after.value), beside.source)
        self.assertGreater(changed, 15)


if __name__ == "__main__":
    unittest.main()
