"""Tests of random words, of renaming, and of the mutation of programs."""

import ast
import random
import unittest

from maker.programs import mutate_values, words
from maker.programs.mutate import mutate
from maker.program import Program
from maker.programs.rename import rename

SOURCE = '''\
TABLE = {"a": 1}


class Box:
    size = 2

    def grow(self, by=1):
        self.size += by
        return self.size


def f(text, *, limit=3):
    """Counts, up to a limit."""
    count = 0
    for i, ch in enumerate(text):
        if ch in TABLE and count < limit:   # one more
            count += TABLE[ch]
        elif ch.isdigit() or i % 2 == 0:
            continue
    box = Box()
    box.grow(by=count)
    return f"{count:>3}|{text.upper()}", [n * 2 for n in range(box.size)]
'''
ENTRY = "f('banana 42', limit=2)"


def result(source, entry):
    space = {}
    exec(source, space)
    return eval(entry, space)


class Renaming(unittest.TestCase):
    def test_meaning_stays(self):
        expected = result(SOURCE, ENTRY)
        for seed in range(60):
            source, entry = rename(random.Random(seed), SOURCE, ENTRY, 1.0)
            self.assertNotEqual(source, SOURCE)
            self.assertEqual(result(source, entry), expected)

    def test_layout_stays(self):
        source, _ = rename(random.Random(1), SOURCE, ENTRY, 1.0)
        self.assertEqual(source.count("\n"), SOURCE.count("\n"))
        self.assertIn("# one more", source)


class Mutation(unittest.TestCase):
    def test_compiles_and_varies(self):
        program = Program(SOURCE, ENTRY, "test")
        seen = set()
        for seed in range(300):
            other = mutate(random.Random(seed), program)
            compile(other.source, "<test>", "exec")
            ast.parse(other.entry, mode="eval")
            self.assertTrue(other.source.endswith("\n"))
            seen.add(other.source)
        self.assertGreater(len(seen), 200)

    def test_same_state_same_program(self):
        program = Program(SOURCE, ENTRY, "test")
        for seed in range(50):
            self.assertEqual(mutate(random.Random(seed), program),
                             mutate(random.Random(seed), program))

    def test_module_without_entry(self):
        program = Program("x = [3, 1]\nx.sort()\nprint(x)\n", None, "test")
        for seed in range(50):
            self.assertIsNone(mutate(random.Random(seed), program).entry)


class Values(unittest.TestCase):
    def test_shape_stays(self):
        for value in ("ab, c", 7, 2.5, True, b"xy", [1, 2], ("a", 3),
                      {"k": 1}, {4, 5}):
            for seed in range(50):
                other = mutate_values.vary(random.Random(seed), value)
                self.assertIs(type(other), type(value))

    def test_call_is_still_a_call(self):
        for seed in range(50):
            call = mutate_values.vary_call(random.Random(seed), ENTRY)
            self.assertTrue(call.startswith("f("))
            ast.parse(call, mode="eval")


class Words(unittest.TestCase):
    def test_names_are_distinct_identifiers(self):
        rng = random.Random(2)
        for _ in range(200):
            names = words.names(rng, 8)
            self.assertEqual(len(set(names)), 8)
            for name in names:
                self.assertTrue(name.isidentifier(), name)
                ast.parse(name + " = 1")

    def test_strings_are_short(self):
        rng = random.Random(3)
        texts = [words.string(rng) for _ in range(3000)]
        self.assertLessEqual(max(map(len, texts)), 40)
        self.assertGreater(texts.count(""), 60)
