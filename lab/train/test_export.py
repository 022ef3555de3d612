"""Tests of the exports, and of npdb's reader of its own format, for which this module writes test
vectors.

Run from the repository's root:

    python3 -m unittest lab.train.test_export
    python3 -m lab.train.test_export write    # writes new vectors; needs PyTorch
"""

import json
import pathlib
import struct
import sys
import tempfile
import unittest

import numpy

from lab.train import export, gguf, weights
from lab.train.tokens import Tokenizer, letters

ROOT = pathlib.Path(__file__).parents[2]
TESTDATA = ROOT / "backend" / "embedded" / "testdata"
WALKS = ROOT / "dsl" / "vectors" / "nd1.jsonl"

try:
    import torch

    from lab.train.model import SIZES, Decoder, Size
except ImportError:
    torch = None


def walks():
    """Returns texts in nd/1."""
    return [json.loads(line)["wire"] for line in WALKS.read_text(encoding="utf-8").splitlines()]


def token_vectors():
    """Returns texts and their tokens."""
    texts = walks()[::9] + [
        "",
        "a",
        "é ≥ 𝛼\n\t\x7f",
        '{"x": "\\"..\\"", "yy": "..", "z": ".."}',
        "                         deep = 1\n",
        "1234567890",
        '<|end_sep|>{"code": 1, "exception": "ValueError(\'x\')"}<|frame_sep|>',
        '[["<module>", 9], ["f", null]]',
        "<\\|frame_sep|> <| |> <|frame_se",
        "def f(self, *a): return self.x.append(a)[::-1] == None != True",
        "\\u002e\\u002e \\\\ \\",
    ]
    tokenizer = Tokenizer()
    return [{"text": t, "tokens": tokenizer.encode(t)} for t in texts]


def dequantised(model):
    """Returns the model with the weights as npdb's format rounds them."""
    kept = dict(model.tensors)
    for name, a in kept.items():
        if name == "model.embed_tokens.weight":
            kept[name] = a.astype(numpy.float16).astype(numpy.float32)
        elif a.ndim == 2:
            numbers, scale = export.quantised(a)
            kept[name] = numbers * scale[:, None]
    return export.Model(kept, model.size)


def random_model(seed=7):
    """Returns a tiny model in which every weight affects the output."""
    torch.manual_seed(seed)
    size = Size(len(Tokenizer()), **SIZES["tiny"])
    decoder = Decoder(size)
    for p in decoder.parameters():
        torch.nn.init.normal_(p, std=0.7 / p.shape[-1] ** 0.5) if p.dim() == 2 else torch.nn.init.uniform_(p, 0.5, 1.5)
    torch.nn.init.normal_(decoder.model.embed_tokens.weight)
    torch.nn.init.normal_(decoder.lm_head.weight, std=0.3)
    tensors = {n: p.detach().numpy() for n, p in decoder.state_dict().items()}
    return export.Model(tensors, vars(size), {"seed": seed})


def logits(model, tokens):
    """Returns the logits that PyTorch computes, [tokens, vocabulary]."""
    decoder = Decoder(Size(**model.size))
    decoder.load_state_dict({n: torch.from_numpy(numpy.ascontiguousarray(a)) for n, a in model.tensors.items()})
    with torch.no_grad():
        return decoder(torch.tensor([tokens]))[0].numpy()


def read_gguf(data):
    """Returns ({key: value}, {name: float32 array}) of a GGUF file."""
    at = 0

    def take(form):
        nonlocal at
        values = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def string():
        nonlocal at
        n = take("Q")
        at += n
        return data[at - n : at].decode()

    def value(kind):
        if kind == 9:
            inner, n = take("IQ")
            return [value(inner) for _ in range(n)]
        return string() if kind == 8 else take({4: "I", 5: "i", 6: "f", 7: "?"}[kind])

    magic, version, tensors, pairs = take("4sIQQ")
    assert (magic, version) == (b"GGUF", 3)
    about = {}
    for _ in range(pairs):
        key = string()
        about[key] = value(take("I"))
    infos = []
    for _ in range(tensors):
        name, n = string(), take("I")
        shape = [take("Q") for _ in range(n)][::-1]
        infos.append((name, shape, *take("IQ")))
    base, out = -(-at // 32) * 32, {}
    for name, shape, kind, offset in infos:
        n, start = int(numpy.prod(shape)), base + offset
        if kind == gguf.Q8_0:
            blocks = numpy.frombuffer(data, [("scale", "<f2"), ("numbers", "i1", 32)], n // 32, start)
            a = blocks["numbers"] * blocks["scale"].astype(numpy.float32)[:, None]
        else:
            a = numpy.frombuffer(data, {gguf.F32: "<f4", gguf.F16: "<f2"}[kind], n, start)
        out[name] = a.astype(numpy.float32).reshape(shape)
    return about, out


class Export(unittest.TestCase):
    def test_token_vectors(self):
        self.assertEqual(json.loads((TESTDATA / "tokens.json").read_text(encoding="utf-8")), token_vectors())

    def test_rows(self):
        a = numpy.random.default_rng(1).standard_normal((5, 64)).astype(numpy.float32)
        a[3] = 0
        numbers, scale = export.quantised(a)
        self.assertEqual(int(numpy.abs(numbers[0]).max()), 127)
        self.assertLess(numpy.abs(numbers * scale[:, None] - a).max(), numpy.abs(a).max() / 250)

    def test_tokenizer_json(self):
        """Checks that the tokens have the numbers used in training, and that no single-byte token
        is written as another token's letter."""
        t = export.tokenizer_json()
        self.assertEqual(len(t["model"]["vocab"]), 256)
        self.assertEqual(len(set(t["model"]["vocab"].values())), 256)
        self.assertEqual(t["model"]["vocab"]["A"], 65)
        self.assertEqual(t["model"]["vocab"]["\u0120"], 32)
        words = Tokenizer().words
        for a in t["added_tokens"]:
            self.assertEqual(words[a["id"]].decode(), a["content"])
            self.assertTrue(a["content"].isascii())
        # A character that stands for itself must not be the letter of another byte.
        plain = {letter for b, letter in letters().items() if letter == chr(b)}
        self.assertTrue(all(set(a["content"]) <= plain | {" "} for a in t["added_tokens"]))

    @unittest.skipIf(torch is None, "without PyTorch")
    def test_other_formats(self):
        model = random_model()
        with tempfile.TemporaryDirectory() as there:
            path = pathlib.Path(there)
            export.folder(model, path / "hf")
            tensors, _ = weights.load(path / "hf" / "model.safetensors")
            self.assertEqual(set(tensors), set(model.tensors))
            a = tensors["lm_head.weight"]
            self.assertLess(numpy.abs(a - model["lm_head.weight"]).max(), 0.01)
            config = json.loads((path / "hf" / "config.json").read_text())
            self.assertEqual(config["vocab_size"], a.shape[0])
            for kind, most in (("f16", 1e-3), ("q8_0", 1e-2)):
                gguf.write(model, path / "g", "tiny", kind)
                pairs, read = read_gguf((path / "g").read_bytes())
                self.assertEqual(pairs["general.architecture"], "qwen3")
                self.assertEqual(len(pairs["tokenizer.ggml.tokens"]), len(Tokenizer()))
                self.assertEqual(len(pairs["tokenizer.ggml.token_type"]), len(Tokenizer()))
                self.assertEqual(len(read), 2 * 11 + 3)
                name = "blk.1.ffn_down.weight"
                want = model["model.layers.1.mlp.down_proj.weight"]
                self.assertEqual(read[name].shape, want.shape)
                self.assertLess(numpy.abs(read[name] - want).max(), most)

    @unittest.skipIf(torch is None, "without PyTorch")
    def test_from_safetensors(self):
        model = random_model()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            weights.save(path / "m.safetensors", model.tensors, {"size": json.dumps(model.size), "seed": 7})
            read = export.Model.load(path / "m.safetensors")
            self.assertEqual(read.size, model.size)
            export.npdb(read, path / "a", "tiny", {"step_into": 1.5})
            export.npdb(model, path / "b", "tiny", {"step_into": 1.5})
            a, b = (path / "a").read_bytes(), (path / "b").read_bytes()
            self.assertEqual(a[-100000:], b[-100000:])
            with self.assertRaises(ValueError):
                export.npdb(model, path / "c", "tiny", {"step_in": 1.5})

    def test_from_npdb(self):
        """Checks that a file in npdb's own format is read unchanged, and that a damaged one is
        rejected."""
        path = TESTDATA / "tiny.npdb"
        read = export.Model.load(path)
        with tempfile.TemporaryDirectory() as folder:
            again = pathlib.Path(folder) / "again"
            export.npdb(read, again, "tiny", {"step_into": 2.0})
            self.assertEqual(again.read_bytes(), path.read_bytes())
            gguf.write(read, again, "tiny", "f32")
            _, tensors = read_gguf(again.read_bytes())
            for theirs, a in gguf.tensors(read):
                self.assertTrue((tensors[theirs] == a).all(), theirs)
            for broken in (path.read_bytes()[:-64], path.read_bytes() + bytes(64)):
                again.write_bytes(broken)
                with self.assertRaises(ValueError):
                    export.Model.load(again)

    @unittest.skipIf(torch is None, "without PyTorch")
    def test_npdb_of_random(self):
        """Checks that the weights that are read equal the numbers times their scales."""
        model = random_model()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m"
            export.npdb(model, path, "tiny")
            read, want = export.Model.load(path), dequantised(model)
            self.assertEqual((read.size, read.about, set(read.tensors)), (model.size, model.about, set(want.tensors)))
            for name, a in want.tensors.items():
                self.assertTrue((read[name] == a).all(), name)


def write():
    """Writes the vectors."""
    TESTDATA.mkdir(exist_ok=True)
    (TESTDATA / "tokens.json").write_text(
        "[\n" + ",\n".join(json.dumps(v, separators=(",", ":")) for v in token_vectors()) + "\n]\n"
    )
    model = random_model()
    export.npdb(model, TESTDATA / "tiny.npdb", "tiny", {"step_into": 2.0})
    tokens = Tokenizer().encode(walks()[0])[:150]
    computed = logits(dequantised(model), tokens)
    places = list(range(9, len(tokens), 20))
    (TESTDATA / "tiny.json").write_text(
        json.dumps(
            {
                "tokens": tokens,
                "places": places,
                "logits": [[round(float(x), 5) for x in computed[p]] for p in places],
            },
            separators=(",", ":"),
        )
        + "\n"
    )


if __name__ == "__main__":
    write() if sys.argv[1:] == ["write"] else unittest.main()
