"""Tests of tokens and shards: python3 -m unittest lab.train.test_shards"""

import argparse
import json
import pathlib
import struct
import tempfile
import unittest
from array import array
from unittest import mock

from lab.train import sets, shards, trajectories
from lab.train.tokens import KIND, PADDING, Tokenizer


def read(path):
    """Returns the rows of a shard, as numpy.load would return them."""
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


CONTEXT = "<|trace_context_start|>1|é = 2\n2|b = é\n<|frame_sep|>"
FIRST = '<|line_sep|><|stack_sep|>[["<module>", 1]]{}<|action_sep|>1|é = 2\n<|frame_sep|>'
ASKED = "<|debug_sep|>step_over<|frame_sep|>"
REPLY = ['<|line_sep|>{', '"é": "2"', "}<|action_sep|>", "2", "|", "b = é\n", "<|frame_sep|>"]
END = ['<|end_sep|>', '{"code": 0}', "<|frame_sep|>"]
KINDS = [1, 2, 1, 2, 1, 3, 1]


def trajectory(i):
    """Returns a line of a dataset: two replies with known parts."""
    text, predict, changed = (CONTEXT + FIRST).encode(), [], []
    for reply, kinds in ((REPLY, KINDS), (END, [1, 2, 1])):
        text += ASKED.encode()
        lo = len(text)
        for part, kind in zip(reply, kinds):
            if kind == 2:
                changed.append([len(text), len(text) + len(part.encode())])
            text += part.encode()
        predict.append([lo, len(text)])
    return {"id": f"{i}", "text": text.decode(), "predict": predict, "changed": changed,
            "actions": ["step_over", "breakpoint 2"], "horizons": [1, 0], "source": {"number": i}}


class Segments(unittest.TestCase):
    def test_what_is_given_said_changed_and_copied(self):
        line = trajectory(0)
        parts, replies = trajectories.segments(line)
        self.assertEqual("".join(text for text, _ in parts), line["text"])
        self.assertEqual([parts[lo:hi] for lo, hi in replies], [list(zip(REPLY, KINDS)), list(zip(END, [1, 2, 1]))])
        self.assertEqual([kind for text, kind in parts if text == CONTEXT + FIRST + ASKED], [0])

    def test_what_ends_with_an_action_is_given(self):
        line = trajectory(0)
        line["text"] += ASKED
        parts, _ = trajectories.segments(line)
        self.assertEqual(parts[-1], (ASKED, 0))

    def test_a_place_in_one_of_several_files(self):
        text = "<|debug_sep|>step_into<|frame_sep|><|line_sep|>{}<|action_sep|>b:12|x\n<|frame_sep|>"
        lo, at = text.index("<|line_sep|>"), text.index("b:12")
        parts, _ = trajectories.segments({"text": text, "predict": [[lo, len(text)]], "changed": [[at, at + 4]]})
        self.assertEqual([p for p in parts if p[1] > 1], [("b:12", 2), ("x\n", 3)])

    def test_other_dialects_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            npdb = pathlib.Path(folder) / "npdb"
            npdb.write_text('#!/bin/sh\necho \'{"dialect": "cwm", "id": 1}\'\necho \'{"dialect": "nd/1", "id": 2}\'\n')
            npdb.chmod(0o700)
            self.assertEqual([line["id"] for line in trajectories.read("x", str(npdb))], [2])
            npdb.write_text("#!/bin/sh\nexit 3\n")
            with self.assertRaises(OSError):
                list(trajectories.read("x", str(npdb)))

    def test_a_set_knows_where_its_replies_are(self):
        line, tokenizer = trajectory(0), Tokenizer()
        made = sets.document(tokenizer, "some", line)
        said = [tokenizer.decode(n & 0x1FF for n in made["numbers"][lo:hi]).decode() for lo, hi, *_ in made["replies"]]
        self.assertEqual(said, ["".join(REPLY), "".join(END)])
        self.assertEqual([tuple(r[2:]) for r in made["replies"]], [("step_over", 1, 0), ("breakpoint", 0, 1)])


class Shards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        quiet = mock.patch("builtins.print")
        quiet.start()
        self.addCleanup(quiet.stop)
        # Here the lines are read without npdb, which normally unpacks them.
        lines = mock.patch.object(shards, "read", lambda path, _: map(json.loads, path.read_text().splitlines()))
        lines.start()
        self.addCleanup(lines.stop)

    def dataset(self, files, lines=40):
        data = self.out / "data"
        data.mkdir()
        for n in range(files):
            text = "".join(json.dumps(trajectory(n * lines + i)) + "\n" for i in range(lines))
            (data / f"train-{n:05d}-of-{files:05d}.jsonl.zst").write_text(text)
        (data / "manifest.json").write_text("{}")
        return data

    def pack(self, data, name, workers=1):
        """Returns the bytes of the shards by name."""
        out = self.out / name
        out.mkdir(exist_ok=True)
        for me in range(workers):
            shards.work(me, argparse.Namespace(data=str(data), out=str(out), window=512, workers=workers, npdb=""))
        return {p.name: p.read_bytes() for p in out.glob("*.npy")}

    def test_the_same_bytes_whoever_packs_them(self):
        data = self.dataset(3)
        alone = self.pack(data, "alone")
        self.assertEqual(len(alone), 3)
        self.assertEqual(self.pack(data, "two", workers=2), alone)
        next((self.out / "alone").glob("*.npy")).unlink()
        self.assertEqual(self.pack(data, "alone"), alone)

    def test_rows_are_whole_trajectories(self):
        data, tokenizer = self.dataset(1), Tokenizer()
        self.pack(data, "rows")
        padding, text = tokenizer.id(PADDING), trajectory(0)["text"]
        count = 0
        for row in read(next((self.out / "rows").glob("*.npy"))):
            self.assertEqual(len(row), 513)
            said = tokenizer.decode(n & 0x1FF for n in row if n != padding).decode()
            self.assertEqual(said, text * (len(said) // len(text)))
            count += said.count(text)
        self.assertEqual(count, 40)

    def test_it_waits_for_what_is_still_made(self):
        data = self.dataset(1)
        (data / "manifest.json").unlink()
        late = (data / "train-00000-of-00001.jsonl.zst").read_text()

        def more(_):
            (data / "train-00001-of-00002.jsonl.zst").write_text(late)
            (data / "manifest.json").write_text("{}")

        with mock.patch("time.sleep", more):
            self.assertEqual(len(self.pack(data, "late")), 2)


if __name__ == "__main__":
    unittest.main()
