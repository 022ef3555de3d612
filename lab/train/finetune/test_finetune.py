"""Tests of fine-tuning: python3 -m unittest lab.train.finetune.test_finetune

The first classes need NumPy. The others need PyTorch and transformers, and one of them peft.
They are skipped with the reason if these are missing.
"""

import http.server
import importlib.util
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy

from lab.train.finetune import config, documents, packing
from lab.train.test_shards import trajectory

try:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    from lab.train.finetune import train

    missing = None
except ImportError as e:
    missing = f"not run: {e}"

ROOT = pathlib.Path(__file__).parents[3]
CONFIGS = pathlib.Path(__file__).parent / "configs"
CODE = "def f(s):\n    n = 0\n    for c in s:\n        if c in 'aé{}':\n            n += {}\n    return n\n"


class Fake:
    """A tokenizer with the interface of a fast one. A character of several bytes becomes a token
    for each byte; the begin token has no characters."""

    def __init__(self):
        self.vocabulary, self.special = {"<begin>": 0}, []

    def get_vocab(self):
        return self.vocabulary

    def convert_tokens_to_ids(self, token):
        return self.vocabulary.setdefault(token, len(self.vocabulary))

    def add_special_tokens(self, given, replace_extra_special_tokens):
        self.special += given["extra_special_tokens"]
        for token in self.special:
            self.convert_tokens_to_ids(token)

    def __call__(self, text, add_special_tokens=True, return_offsets_mapping=False, verbose=True):
        if not isinstance(text, str):
            each = [self(t, add_special_tokens) for t in text]
            return {name: [e[name] for e in each] for name in ("input_ids", "offset_mapping")}
        pattern = "|".join([*map(re.escape, self.special), r'[a-z]+|\{"|": "|"\}', "."])
        ids, offsets = ([0], [(0, 0)]) if add_special_tokens else ([], [])
        for found in re.finditer(pattern, text, re.S):
            names = [found[0]] if found[0].isascii() else [f"byte {b}" for b in found[0].encode()]
            ids += map(self.convert_tokens_to_ids, names)
            offsets += [found.span()] * len(names)
        return {"input_ids": ids, "offset_mapping": offsets}


class Documents(unittest.TestCase):
    def setUp(self):
        self.tokenizer = Fake()
        self.new = documents.add_tokens(self.tokenizer)

    def test_each_of_the_tokens_is_one(self):
        table = re.findall(r"\{\"(\w+)\", \d+\}", (ROOT / "dsl" / "tokens.go").read_text(encoding="utf-8"))
        self.assertEqual(list(documents.ROLES), table)
        self.assertEqual(self.new, [self.tokenizer.vocabulary[t] for t in documents.TOKENS])
        self.assertEqual(documents.add_tokens(self.tokenizer), [])

    def test_weights_follow_the_byte_ranges(self):
        line = trajectory(0)
        line["text"] = line["text"].replace("b = é", "é = 𝛼", 1)  # shifts all ranges, by different numbers of bytes and characters
        more = len("𝛼".encode()) - 1
        for name in "predict", "changed":
            line[name] = [[lo + more, hi + more] for lo, hi in line[name]]
        ((ids, weights),) = documents.encode(self.tokenizer, [line], 0.3)
        offsets = self.tokenizer(line["text"])["offset_mapping"]
        before = [0, *itertools.accumulate(len(c.encode()) for c in line["text"])]
        inside = lambda lo, hi, spans: any(lo < end and start < hi for start, end in spans)
        for token, ((start, end), weight) in enumerate(zip(offsets, weights)):
            lo, hi = before[start], before[end]
            wanted = 1 if inside(lo, hi, line["changed"]) else 0.3 if inside(lo, hi, line["predict"]) else 0
            self.assertAlmostEqual(weight, wanted, msg=f"token {token}: {line['text'][start:end]!r}")
        self.assertEqual([len(ids), weights[0]], [len(offsets), 0])
        self.assertEqual({round(float(w), 3) for w in weights}, {0, 0.3, 1})

    def test_white_space_outside_the_offsets_counts_with_the_next_token(self):
        line = {"id": "0", "text": "a b", "predict": [[1, 3]], "changed": [[1, 2]]}
        self.assertEqual(list(documents.weigh(line, [(0, 1), (2, 3)], 0.5)), [0, 1])
        with self.assertRaises(ValueError):
            documents.weigh(line, [(0, 1)], 0.5)


class Packing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        lengths = enumerate([5, 9, 3, 12, 4, 1, 10] * 20)
        self.documents = [(numpy.full(n, i, numpy.uint32), numpy.full(n, i / 8, numpy.float32)) for i, n in lengths]

    def test_nothing_is_lost_or_cut(self):
        counts = packing.pack(iter(self.documents), self.out / "a", 10)
        windows = packing.Windows(self.out / "a")
        found = []
        for ids, weights, lengths in windows:
            self.assertLessEqual(len(ids), 10)
            ends = numpy.cumsum(lengths)
            found += [(ids[e - n : e].tolist(), weights[e - n : e].tolist()) for n, e in zip(lengths, ends)]
        whole = sorted((i.tolist(), w.tolist()) for i, w in self.documents if len(i) <= 10)
        self.assertEqual(sorted(found), whole)
        self.assertEqual(counts, {"windows": len(windows), "documents": 120, "tokens": 640, "too long": 20})
        self.assertLess(len(windows), 70)  # at least 91% full

    def test_the_same_bytes_each_time(self):
        for name in "a", "b":
            packing.pack(iter(self.documents), self.out / name, 16)
        for file in "ids.u32", "weights.f32", "index.npz":
            self.assertEqual((self.out / "a" / file).read_bytes(), (self.out / "b" / file).read_bytes())

    def test_no_token_attends_to_another_document(self):
        lengths = [3, 1, 4]
        self.assertEqual(packing.positions(lengths).tolist(), [0, 1, 2, 0, 0, 1, 2, 3])
        of = [0, 0, 0, 1, 2, 2, 2, 2]
        for sliding in None, 2:
            mask = packing.mask(lengths, sliding)
            self.assertEqual(mask.shape, (1, 1, 8, 8))
            for row, column in itertools.product(range(8), repeat=2):
                self.assertEqual(mask[0, 0, row, column], of[row] == of[column] and 0 <= row - column < (sliding or 8))

    def test_no_documents(self):
        self.assertEqual(packing.pack(iter([]), self.out / "none", 10)["windows"], 0)
        self.assertEqual(len(packing.Windows(self.out / "none")), 0)


class Configs(unittest.TestCase):
    def test_those_here_are_valid(self):
        for path in CONFIGS.glob("*.json"):
            config.read(path)

    def test_mistakes_are_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "c.json"
            for wrong in ({"decided": 0.2}, {"widnow": 1}, {"model": None}, {"attention": "eager"}, {"training": {"max_steps": 3}},
                          {"lora": {"r": 1}, "training": {"fsdp": True}}):
                path.write_text(json.dumps({"model": "m", **wrong}))
                with self.assertRaises(ValueError):
                    config.read(path)


def small(kind, **more):
    """Returns a random model with few parameters."""
    settings = {"vocab_size": 50, "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 4, "num_attention_heads": 2,
                "num_key_value_heads": 2, **more}
    return AutoModelForCausalLM.from_config(AutoConfig.for_model(kind, **settings), attn_implementation="sdpa").eval()


@unittest.skipIf(missing, missing)
class Models(unittest.TestCase):
    def test_a_packed_document_is_read_as_if_alone(self):
        for kind, more in ("llama", {}), ("qwen2", {}), ("cwm", {"sliding_window": 3, "head_dim": 8}):
            model, ids, lengths = small(kind, **more), torch.randint(50, (1, 17)), [6, 11]
            at = torch.from_numpy(packing.positions(lengths))[None]
            mask = torch.from_numpy(packing.mask(lengths))
            if more:
                mask = {"full_attention": mask, "sliding_attention": torch.from_numpy(packing.mask(lengths, 3))}
            with torch.no_grad():
                packed = model(input_ids=ids, position_ids=at, attention_mask=mask).logits
                alone = torch.cat([model(input_ids=part).logits for part in ids.split(lengths, 1)], 1)
            torch.testing.assert_close(packed, alone, msg=kind)

    def test_new_tokens_begin_at_the_mean(self):
        for rows in 256, 300:  # without and with unused rows
            model = small("llama", vocab_size=rows)
            tokenizer, new, had = documents.load("bytes")
            train.add_rows(model, new, had, len(tokenizer))
            for layer in model.get_input_embeddings(), model.get_output_embeddings():
                self.assertGreaterEqual(len(layer.weight), 271)
                torch.testing.assert_close(layer.weight[new], layer.weight[:256].mean(0).expand(15, -1))


@unittest.skipIf(missing, missing)
class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = pathlib.Path(folder.name)
        cls.npdb = shutil.which("npdb")
        if not cls.npdb:
            if not shutil.which("go"):
                raise unittest.SkipTest("not run: there is neither npdb nor go on PATH")
            cls.npdb = str(cls.out / "npdb")
            subprocess.run(["go", "build", "-o", cls.npdb, "./cmd/npdb"], cwd=ROOT, check=True)
        cls.python = "--python", sys.executable
        problems = [{"code": CODE.format(chr(98 + i), i), "input": repr("é" + "ab" * (i % 3))} for i in range(20)]
        (cls.out / "problems.jsonl").write_text("".join(json.dumps(p) + "\n" for p in problems), encoding="utf-8")
        cls.call(cls.npdb, "dataset", "--out", cls.out / "data", "--programs", cls.out / "problems.jsonl", "--held-out", "0.2",
                 "--window", "900", *cls.python)
        tiny = CONFIGS / "tiny-cpu.json"
        cls.module("packing", tiny, cls.out / "data", cls.out / "packed", "--npdb", cls.npdb, "--workers", "1")
        cls.module("train", tiny, cls.out / "packed", cls.out / "run")

    @classmethod
    def call(cls, *command):
        done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"{command[:3]} ended with {done.returncode}: {done.stderr[-3000:]}")
        return done.stdout

    @classmethod
    def module(cls, name, *arguments):
        return cls.call(sys.executable, "-W", "ignore", "-m", f"lab.train.finetune.{name}", *arguments)

    def losses(self, run):
        log = json.loads((run / "trainer_state.json").read_text())["log_history"]
        return [each["loss"] for each in log if "loss" in each], [each["eval_loss"] for each in log if "eval_loss" in each]

    def test_the_loss_falls_and_a_killed_run_continues(self):
        losses, held_out = self.losses(self.out / "run")
        self.assertEqual(len(losses), 20)
        self.assertLess(losses[-1], 0.8 * losses[0])
        self.assertLess(held_out[-1], losses[0])
        shutil.copytree(self.out / "run" / "checkpoint-10", self.out / "killed" / "checkpoint-10")
        (self.out / "killed" / "checkpoint-15").mkdir()  # incomplete
        self.module("train", CONFIGS / "tiny-cpu.json", self.out / "packed", self.out / "killed", "--resume")
        for again, before in zip(self.losses(self.out / "killed")[0], losses):
            self.assertAlmostEqual(again, before, places=3)

    def test_npdb_evaluates_the_saved_model(self):
        tokenizer = AutoTokenizer.from_pretrained(self.out / "run" / "model")
        model = AutoModelForCausalLM.from_pretrained(self.out / "run" / "model").eval()
        self.assertEqual(tokenizer("<|frame_sep|>")["input_ids"], [257])
        asked = []

        class Server(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self, body, kind="application/json"):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(body.encode())

            def do_GET(self):
                self.answer(json.dumps({"data": [{"id": "tiny", "max_model_len": 4096}]}))

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked.append(request["prompt"])
                ids = tokenizer(request["prompt"], return_tensors="pt")["input_ids"]
                said = model.generate(ids, max_new_tokens=16, do_sample=False, eos_token_id=257, pad_token_id=0)[0, ids.shape[1]:]
                choice = {"index": 0, "text": tokenizer.decode(said), "finish_reason": "stop" if 257 in said else "length"}
                event = json.dumps({"model": "tiny", "choices": [choice]})
                self.answer(f"data: {event}\n\ndata: [DONE]\n\n", "text/event-stream")

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.shutdown)
            address = f"http://127.0.0.1:{server.server_port}/v1"
            result = json.loads(self.call(
                self.npdb, "eval", "states", self.out / "problems.jsonl", "--base-url", address, "--model", "tiny",
                "--dialect", "nd1", "--limit", "1", "--states", "1", "--moves", "step_into", "--rollout", "1", "--baselines", "", "--cache", "",
                "-j", "1", "--json", *self.python))
        self.assertTrue(result["complete"])
        self.assertTrue(asked and all(prompt.endswith("<|debug_sep|>step_into<|frame_sep|>") for prompt in asked))

    @unittest.skipUnless(importlib.util.find_spec("peft"), "not run: there is no peft")
    def test_lora_trains_new_embeddings_and_leaves_no_adapter(self):
        c = json.loads((CONFIGS / "tiny-cpu.json").read_text())
        base = AutoModelForCausalLM.from_config(AutoConfig.for_model(vocab_size=256, **c["model"]))
        base.save_pretrained(self.out / "base")
        c.update(model=str(self.out / "base"), lora={"r": 4, "target_modules": ["q_proj", "down_proj"]}, steps=3)
        (self.out / "lora.json").write_text(json.dumps(c))
        self.module("train", self.out / "lora.json", self.out / "packed", self.out / "lora")
        self.assertFalse(list((self.out / "lora" / "model").glob("adapter*")))
        tuned = AutoModelForCausalLM.from_pretrained(self.out / "lora" / "model", dtype=torch.float32)
        for name in "get_input_embeddings", "get_output_embeddings":
            new, old = getattr(tuned, name)().weight, getattr(base, name)().weight
            torch.testing.assert_close(new[:256], old, atol=0.01, rtol=0.01)  # bfloat16
            self.assertGreater((new[257] - old.mean(0)).abs().max(), 1e-4)
        query = lambda model: model.model.layers[0].self_attn.q_proj.weight
        self.assertGreater((query(tuned) - query(base)).abs().max(), 1e-4)


if __name__ == "__main__":
    unittest.main()
