"""Tests of tokens and shards: PYTHONHASHSEED=0 python3 -m unittest train.test_shards"""

import argparse
import pathlib
import struct
import tempfile
import unittest
from array import array
from unittest import mock

from train import shards
from train.tokens import KIND, PADDING, Tokenizer, held_out
from maker.program import Program
from maker.recording import RECORDS


def options(out, **others):
    """Small shards."""
    o = {"seed": "t", "shards": 2, "first": 0, "rows": 6, "window": 512, "workers": 1, "ramp": 0}
    return argparse.Namespace(out=str(out), **(o | others))


def read(path):
    """The rows of a shard, as numpy.load would give them."""
    data = path.read_bytes()
    (n,) = struct.unpack_from("<H", data, 8)
    shape = eval(data[10 : 10 + n].decode(), {})["shape"]
    flat = array("H", data[10 + n :])
    return [flat[i * shape[1] : (i + 1) * shape[1]] for i in range(shape[0])]


class Tokens(unittest.TestCase):
    def setUp(self):
        self.tokenizer = Tokenizer()

    def test_longest_from_the_left(self):
        words = [self.tokenizer.words[i].decode() for i in self.tokenizer.encode('{"ab": "..", "n": "12"}')]
        self.assertEqual(words, ['{"', "a", "b", '": "..", "', "n", '": "', "1", "2", '"}'])

    def test_every_text_comes_back(self):
        for text in ("", "é𝛼\0", "<|frame_sep", "            x\n" * 3, '": ".."": "'):
            self.assertEqual(self.tokenizer.decode(self.tokenizer.encode(text)).decode(), text)

    def test_a_token_across_segments_is_of_the_one_it_ends_in(self):
        numbers, counts = self.tokenizer.numbers([('{"x', 0), ('": "', 1), ("é7", 2), ("", 1), ('"}', 1)])
        self.assertEqual([n >> KIND for n in numbers], [0, 0, 1, 2, 2, 2, 1])
        self.assertEqual(counts, [2, 3, 6, 6, 7])
        numbers, counts = self.tokenizer.numbers([("re", 0), ("turn 1", 2)])
        self.assertEqual([n >> KIND for n in numbers], [2, 2])
        self.assertEqual(counts, [0, 2])


class Packing(unittest.TestCase):
    def test_whole_and_where_they_fit_best(self):
        packer = shards.Packer(9, 7, open_rows=2)
        for length in (6, 7, 3, 4, 12):
            packer.add([length] * length)
        self.assertEqual([list(r) for r in packer.rows], [[7] * 7 + [3] * 3, [6] * 6 + [4] * 4])
        self.assertEqual([used for used, _ in packer.open], [10])


@unittest.skipUnless(RECORDS, "recordings are made by CPython 3.12")
class Shards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        quiet = mock.patch("builtins.print")
        quiet.start()
        self.addCleanup(quiet.stop)

    def make(self, name, **others):
        """The bytes of the shards that are made, by name."""
        o = options(self.out / name, **others)
        (self.out / name).mkdir(exist_ok=True)
        for me in range(o.workers):
            shards.work(me, o)
        return {p.name: p.read_bytes() for p in (self.out / name).glob("*.npy")}

    def test_the_same_bytes_whoever_makes_them(self):
        alone = self.make("alone")
        self.assertEqual(len(alone), 2)
        self.assertEqual(self.make("two", workers=2), alone)
        lost = next((self.out / "alone").glob("*.npy"))
        lost.unlink()
        self.assertEqual(self.make("alone"), alone)

    def test_rows_are_trajectories(self):
        self.make("rows")
        tokenizer = Tokenizer()
        padding = tokenizer.id(PADDING)
        for path in (self.out / "rows").glob("*.npy"):
            for row in read(path):
                self.assertEqual(len(row), 513)
                text = tokenizer.decode(n & 0x1FF for n in row if n != padding).decode()
                self.assertTrue(text.startswith("<|trace_context_start|>1|"), text[:40])
                said = tokenizer.decode(n & 0x1FF for n in row if n >> KIND).decode()
                self.assertNotIn("<|trace_context_start|>", said)
                self.assertNotIn("<|debug_sep|>", said)

    def test_a_program_that_hangs_costs_its_place(self):
        asked = []

        def make(rng, difficulty):
            n = rng.randrange(10**6)
            asked.append(n)
            # Nothing but a kill ends a power of that size.
            source = "x = 9 ** 9 ** 9 ** 9\n" if n % 50 == 0 else f"x = {n}\ny = x + 1\n"
            return Program(source, None, "t")

        with mock.patch.object(shards, "make", make), mock.patch.object(shards, "HANGS", 0.5):
            made = self.make("hangs", shards=1, window=128, rows=20)
        self.assertEqual(len(made), 1)

    def test_what_is_held_out_is_not_learnt_from(self):
        sources = [f"x = {i}\ny = x + 1\n" for i in range(600)]
        self.assertTrue(0 < sum(map(held_out, sources)) < 20)

        def make(rng, difficulty):
            return Program(rng.choice(sources), None, "t")

        with mock.patch.object(shards, "make", make):
            self.make("held", shards=1, window=128, rows=150)
        tokenizer = Tokenizer()
        for row in read(next((self.out / "held").glob("*.npy"))):
            text = tokenizer.decode(n & 0x1FF for n in row).decode()
            for context in text.split("<|trace_context_start|>")[1:]:
                program = context.split("<|frame_sep|>")[0]
                source = "".join(line.split("|", 1)[1] + "\n" for line in program.splitlines())
                self.assertFalse(held_out(source), source)


if __name__ == "__main__":
    unittest.main()
