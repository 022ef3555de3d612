"""Trains a tiny model on a CPU: python3 -m unittest lab.train.test_fit (needs PyTorch)"""

import json
import pathlib
import sys
import tempfile
import unittest
from array import array
from unittest import mock

try:
    import torch

    from lab.train import documents, export, fit, measure, weights
    from lab.train.model import SIZES, Decoder, Size
    from lab.train.muon import orthogonal
except ImportError:
    torch = None
from lab.train.npy import write
from lab.train.tokens import KIND, PADDING, Tokenizer

WINDOW = 48


def counting(first):
    """Returns a text whose replies count up, as numbers with their kinds."""
    parts, numbers, replies = Tokenizer(), [], []
    for i in range(first, first + 4):
        given = parts.encode("<|debug_sep|>step_into<|frame_sep|>")
        reply = parts.encode(f"<|line_sep|>{i % 10}<|frame_sep|>")
        replies.append((len(numbers) + len(given), len(numbers) + len(given) + len(reply), "step_into", 1, len(replies)))
        numbers += given + [n | (2 << KIND) for n in reply]
    return numbers, replies


@unittest.skipIf(torch is None, "there is no PyTorch")
class Fit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        padding = Tokenizer().id(PADDING)
        rows, documents = [], []
        for first in range(10):
            numbers, replies = counting(first)
            rows.append(array("H", (numbers + [padding] * WINDOW)[: WINDOW + 1]))
            documents.append({"set": "counting", "numbers": numbers, "replies": replies})
        write(self.out / "shard-t-000000.npy", rows * 8)
        (self.out / "sets.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))

    def fit(self, steps, *more):
        line = ["fit", str(self.out), "--size", "tiny", "--minutes", "9", "--steps", str(steps), "--batch", "16", "--micro", "8",
                "--window", str(WINDOW), "--out", str(self.out / "run"), "--measure", str(self.out / "sets.jsonl"), *more]
        with mock.patch.object(sys, "argv", line), mock.patch("builtins.print"):
            fit.main()
        return [json.loads(line) for line in (self.out / "run" / "log.jsonl").read_text().splitlines()]

    def test_it_learns_goes_on_and_exports(self):
        log = self.fit(120)
        right, _, asked = log[-1]["exact"]["counting/step_into"]
        self.assertEqual(asked, 40)
        # The first number of a text cannot be predicted; those after it can.
        self.assertGreater(right, 0.5)
        self.assertEqual(log[-1]["step"], 120)
        log = self.fit(130)
        self.assertEqual(log[-1]["step"], 130)
        tensors, about = weights.load(self.out / "run" / "model.safetensors")
        self.assertEqual(json.loads(about["size"])["width"], 64)
        self.assertEqual(tensors["model.embed_tokens.weight"].shape, (len(Tokenizer()), 64))

    def test_it_begins_with_trained_weights(self):
        self.fit(1)
        (self.out / "run" / "checkpoint.pt").unlink()
        trained, about = weights.load(self.out / "run" / "model.safetensors")
        export.npdb(export.Model(trained, json.loads(about["size"])), self.out / "begun.npdb", "begun")
        self.fit(1, "--init", str(self.out / "begun.npdb"), "--rate", "0", "--adam", "0")
        again, _ = weights.load(self.out / "run" / "model.safetensors")
        for name, a in trained.items():
            near = float(abs(a).max()) / 127 + 1e-6
            self.assertLess(float(abs(a - again[name]).max()), near, name)

    def test_documents_of_a_row_do_not_see_each_other(self):
        torch.manual_seed(1)
        model = Decoder(Size(len(Tokenizer()), **SIZES["tiny"]))
        torch.nn.init.normal_(model.lm_head.weight)
        for block in model.model.layers:
            torch.nn.init.normal_(block.self_attn.o_proj.weight, std=0.1)
        opening = Tokenizer().id(documents.OPENING)
        first, second = [opening, *b"a = 1"], [opening, *b"b = 22"]
        row = torch.tensor([first + second])
        alone = model(torch.tensor([second]))[0]
        apart = model(row, documents.dense(documents.numbered(row, opening)))[0]
        self.assertTrue(torch.allclose(apart[len(first) :], alone, atol=1e-4))
        self.assertFalse(torch.allclose(model(row)[0, len(first) :], alone, atol=1e-2))

    def test_measure_counts_faults(self):
        documents = measure.load(self.out / "sets.jsonl")

        class Right(torch.nn.Module):
            """A model that predicts every next token except one digit."""

            def forward(self, tokens):
                logits = torch.nn.functional.one_hot(tokens.roll(-1, 1), 512).float()
                return logits.masked_fill(tokens.roll(-1, 1)[..., None] == ord("7"), 0)

        # Each text with a 7 has one wrong digit, and roll removes the last token.
        looked = measure.look(Right(), documents, "cpu", torch.no_grad, None, WINDOW)["exact"]
        self.assertEqual(looked["counting/step_into"][2], 40)
        self.assertAlmostEqual(looked["counting/step_into"][0], 36 / 40)

    def test_orthogonal(self):
        g = torch.randn(2, 6, 24, generator=torch.Generator().manual_seed(1))
        s = torch.linalg.svdvals(orthogonal(g))
        self.assertTrue(bool(((s > 0.6) & (s < 1.3)).all()), s)


if __name__ == "__main__":
    unittest.main()
