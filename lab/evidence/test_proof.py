"""Tests which answers count as a proof."""

import unittest

from proof import Turn, missing

SOURCE = "    total += i"
STOP = Turn("c", "> /tmp/sums.py(4)f()\n-> total += i\n")


class Proof(unittest.TestCase):
    def lacks(self, *turns, proof=None):
        return missing(turns, "sums.py:4", SOURCE, {"i": "3"} if proof is None else proof)

    def test_shown(self):
        for name, turns in {
            "pdb": [STOP, Turn("p i", "3\n")],
            "several": [STOP, Turn("p total, i", "(3, 3)\n")],
            "marked": [STOP, Turn("p i", "3 (from recorded text)\n")],
            "hop": [Turn("prov total", "  1  9  total = 6  augmented  sums.py:4 in f  total += i\n  from i = 3\n")],
            "listed": [Turn("ll", "  3  \tfor i in range(n):\n  4  ->\t    total += i\n"), Turn("p i", "3\n")],
            "aligned": [STOP, Turn("vars", "    i                = 3  (int)\n")],
            "history": [STOP, Turn("history i", "   9  2  by sums.py:3 in f\n> 12  3  by sums.py:3 in f\n")],
            "locals": [STOP, Turn("l", "   4      total += i\n", cost=0), Turn("n", "sums.py:3 in f\ni = 3\n")],
        }.items():
            with self.subTest(name):
                self.assertIsNone(self.lacks(*turns))

    def test_missing(self):
        for name, turns, wanted in [
            ("no line", [Turn("p i", "3\n")], "the line sums.py:4"),
            ("breakpoint", [Turn("b sums.py:4", "Breakpoint 1 at /tmp/sums.py:4\n"), Turn("p i", "3\n")], "the line sums.py:4"),
            ("other line", [Turn("c", "> /tmp/sums.py(44)f()\n"), Turn("p i", "3\n")], "the line sums.py:4"),
            ("other file", [Turn("c", "> /tmp/checksums.py(4)f()\n"), Turn("p i", "3\n")], "the line sums.py:4"),
            ("before the line", [Turn("p i", "3\n"), STOP], "i = 3"),
            ("other value", [STOP, Turn("p i", "33\n")], "i = 3"),
            ("other name", [STOP, Turn("n", "hi = 3\n")], "i = 3"),
            ("longer value", [STOP, Turn("n", "i = 3.5\n")], "i = 3"),
        ]:
            with self.subTest(name):
                self.assertEqual(self.lacks(*turns), wanted)

    def test_alternatives(self):
        self.assertIsNone(self.lacks(STOP, Turn("p i", "3\n"), proof={"j | i": ["1", "3"]}))
        self.assertEqual(self.lacks(STOP, Turn("p i", "2\n"), proof={"j | i": ["1", "3"]}), "j | i = 1 or 3")


if __name__ == "__main__":
    unittest.main()
