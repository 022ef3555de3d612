"""Writes trained weights in the formats that inference servers read.

    python3 -m lab.train.export WEIGHTS.safetensors OUT                # for npdb itself
    python3 -m lab.train.export WEIGHTS.safetensors FOLDER --to folder # Hugging Face's, for vLLM and others
    python3 -m lab.train.export WEIGHTS.safetensors OUT.gguf --to gguf [--type q8_0]   # for llama.cpp

WEIGHTS may also be a file in npdb's own format, such as the embedded model. The output then
contains the quantised numbers of that file, not the original ones of training.

npdb's own format is: the magic, the length of the header as a little-endian uint32, the header
(JSON), zeros up to a multiple of 64, and then the tensors without their names. Their order and
sizes follow from the dimensions (`tensors` below). Each tensor begins at a multiple of 64 from
the beginning of the file. Matrices are int8, followed by a float32 scale for each row; norms
are float32, and the embeddings float16.
"""

import argparse
import hashlib
import json
import pathlib
import struct

import numpy

from lab.train import gguf, weights
from lab.train.tokens import VOCABULARY, Tokenizer, is_mark, letters, words_beyond_bytes

MAGIC = b"npdbnd1\n"
ALIGNED = 64
ACTIONS = [
    inverse + move
    for inverse in ("", "inv_")
    for move in ("step_into", "step_over", "step_return", "breakpoint", "continue")
]


class Model:
    """Weights by Hugging Face's names, in float32, and the dimensions of the model."""

    def __init__(self, tensors, size, about=None):
        self.tensors = {n: numpy.asarray(a, numpy.float32) for n, a in tensors.items()}
        self.size, self.about = dict(size), dict(about or {})
        if self.size["vocabulary"] != len(Tokenizer()):
            raise ValueError(
                f"the model has {self.size['vocabulary']} tokens, vocabulary.json {len(Tokenizer())}"
            )

    @classmethod
    def load(cls, path):
        """Reads weights that lab.train.fit has written, or a file in npdb's own format."""
        with open(path, "rb") as f:
            if f.read(len(MAGIC)) == MAGIC:
                return shipped(path)
        tensors, metadata = weights.load(path)
        size = json.loads(metadata.pop("size"))
        return cls(tensors, size, {**metadata, "weights": pathlib.Path(path).name})

    def __getitem__(self, name):
        return self.tensors[name]

    def layers(self):
        """Returns the prefixes of the layers' names."""
        return [f"model.layers.{i}." for i in range(self.size["layers"])]


def tensors(model):
    """Yields (kind, array) in the order of npdb's format."""
    yield "float16", model["model.embed_tokens.weight"]
    for p in model.layers():
        a, m = p + "self_attn.", p + "mlp."
        yield "float32", model[p + "input_layernorm.weight"]
        yield "int8", numpy.concatenate([model[f"{a}{n}_proj.weight"] for n in "qkv"])
        yield "float32", model[a + "q_norm.weight"]
        yield "float32", model[a + "k_norm.weight"]
        yield "int8", model[a + "o_proj.weight"]
        yield "float32", model[p + "post_attention_layernorm.weight"]
        yield "int8", numpy.concatenate([model[f"{m}{n}_proj.weight"] for n in ("gate", "up")])
        yield "int8", model[m + "down_proj.weight"]
    yield "float32", model["model.norm.weight"]
    yield "int8", model["lm_head.weight"]


def quantised(a):
    """Returns a matrix as int8 numbers from -127 to 127, and a scale for each row."""
    scale = (numpy.abs(a).max(1) / 127).astype(numpy.float32)
    scale[scale == 0] = 1
    return numpy.rint(a / scale[:, None]).clip(-127, 127).astype(numpy.int8), scale


def vocabulary_hash():
    """Returns a hash that distinguishes vocabularies."""
    words = json.loads(VOCABULARY.read_text(encoding="utf-8"))["tokens"]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def npdb(model, path, name, temperature=None):
    """Writes npdb's own format. temperature maps actions to the temperature that calibrates their
    confidences."""
    temperature = temperature or {}
    unknown = set(temperature) - set(ACTIONS)
    if unknown:
        raise ValueError(f"no actions: {sorted(unknown)}")
    head = json.dumps(
        {
            "version": 1,
            "name": name,
            "size": model.size,
            "vocabulary": vocabulary_hash(),
            "temperature": temperature,
            "about": model.about,
        }
    ).encode()
    out = bytearray(MAGIC + struct.pack("<I", len(head)) + head)

    def put(data):
        out.extend(b"\0" * (-len(out) % ALIGNED))
        out.extend(data)

    for kind, a in tensors(model):
        if kind == "int8":
            numbers, scale = quantised(a)
            put(numbers.tobytes())
            put(scale.astype("<f4").tobytes())
        else:
            put(a.astype({"float16": "<f2", "float32": "<f4"}[kind]).tobytes())
    pathlib.Path(path).write_bytes(out)


def shipped(path):
    """Returns the Model of a file in npdb's own format (the numbers times their scales), and the
    header's metadata. It raises ValueError if the version is another one, or if the file does
    not end with its last tensor."""
    data = pathlib.Path(path).read_bytes()
    at = len(MAGIC) + 4
    (n,) = struct.unpack_from("<I", data, len(MAGIC))
    head, at = json.loads(data[at : at + n]), at + n
    if head["version"] != 1:
        raise ValueError(f"{path} has the version {head['version']} of the format, not 1")
    if head["vocabulary"] != vocabulary_hash():
        raise ValueError(f"{path} has another vocabulary than vocabulary.json")
    s = head["size"]

    def take(kind, *shape):
        nonlocal at
        at += -at % ALIGNED
        a = numpy.frombuffer(data, kind, int(numpy.prod(shape)), at).reshape(shape)
        at += a.nbytes
        return a.astype(numpy.float32)

    def matrix(columns, *rows):
        """Reads several matrices that are stored as one. columns is their common number of
        columns, rows the number of rows of each."""
        numbers = take("i1", sum(rows), columns)
        return numpy.split(numbers * take("<f4", sum(rows))[:, None], numpy.cumsum(rows)[:-1])

    queries, shared = s["heads"] * s["head"], s["groups"] * s["head"]
    kept = {"model.embed_tokens.weight": take("<f2", s["vocabulary"], s["width"])}
    for i in range(s["layers"]):
        p = f"model.layers.{i}."
        kept[p + "input_layernorm.weight"] = take("<f4", s["width"])
        for name, a in zip("qkv", matrix(s["width"], queries, shared, shared)):
            kept[f"{p}self_attn.{name}_proj.weight"] = a
        kept[p + "self_attn.q_norm.weight"] = take("<f4", s["head"])
        kept[p + "self_attn.k_norm.weight"] = take("<f4", s["head"])
        (kept[p + "self_attn.o_proj.weight"],) = matrix(queries, s["width"])
        kept[p + "post_attention_layernorm.weight"] = take("<f4", s["width"])
        for name, a in zip(("gate", "up"), matrix(s["width"], s["inner"], s["inner"])):
            kept[f"{p}mlp.{name}_proj.weight"] = a
        (kept[p + "mlp.down_proj.weight"],) = matrix(s["inner"], s["width"])
    kept["model.norm.weight"] = take("<f4", s["width"])
    (kept["lm_head.weight"],) = matrix(s["width"], s["vocabulary"])
    if at != len(data):
        raise ValueError(f"{path} does not end where its last tensor does")
    return Model(kept, s, head["about"])


# Hugging Face

def tokenizer_json():
    """Returns the tokenizer for Hugging Face's library. It contains bytes without merges, and all
    longer tokens as added tokens. Of these, the library chooses the leftmost match, and the
    longest at that position."""
    added = [
        {
            "id": 256 + n,
            "content": word,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": is_mark(word),
        }
        for n, word in enumerate(words_beyond_bytes())
    ]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": level,
        "post_processor": None,
        "decoder": level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {letter: b for b, letter in sorted(letters().items())},
            "merges": [],
        },
    }


def folder(model, path):
    """Writes a folder that Hugging Face's libraries and vLLM can read."""
    path, s, tokenizer = pathlib.Path(path), model.size, Tokenizer()
    path.mkdir(parents=True, exist_ok=True)
    end, padding = tokenizer.id("<|frame_sep|>"), tokenizer.id("<|padding|>")
    config = {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": s["vocabulary"],
        "hidden_size": s["width"],
        "intermediate_size": s["inner"],
        "num_hidden_layers": s["layers"],
        "num_attention_heads": s["heads"],
        "num_key_value_heads": s["groups"],
        "head_dim": s["head"],
        "hidden_act": "silu",
        "max_position_embeddings": s["window"],
        "rms_norm_eps": 1e-6,
        "rope_theta": s["theta"],
        "rope_scaling": None,
        "attention_bias": False,
        "attention_dropout": 0.0,
        "use_sliding_window": False,
        "sliding_window": None,
        "max_window_layers": s["layers"],
        "tie_word_embeddings": False,
        "initializer_range": 0.02,
        "use_cache": True,
        "bos_token_id": None,
        "eos_token_id": end,
        "pad_token_id": padding,
        "torch_dtype": "bfloat16",
    }
    files = {
        "config.json": config,
        "generation_config.json": {"eos_token_id": end, "pad_token_id": padding, "do_sample": False},
        "tokenizer.json": tokenizer_json(),
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": s["window"],
            "eos_token": "<|frame_sep|>",
            "pad_token": "<|padding|>",
            "clean_up_tokenization_spaces": False,
        },
    }
    for name, content in files.items():
        (path / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    tensors_ = {n: weights.narrow(a) for n, a in model.tensors.items()}
    weights.save(path / "model.safetensors", tensors_, {"format": "pt", **model.about})


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("weights", help="safetensors that lab.train.fit has written, or a file of npdb's")
    p.add_argument("out")
    p.add_argument("--to", choices=("npdb", "folder", "gguf"), default="npdb")
    p.add_argument("--name", default="npdb-30m")
    p.add_argument("--temperature", help="JSON file of {action: temperature}; npdb's format")
    p.add_argument("--type", choices=("f32", "f16", "q8_0"), default="f16", help="of the matrices; gguf's")
    o = p.parse_args()
    model = Model.load(o.weights)
    if o.to == "npdb":
        temperature = json.loads(pathlib.Path(o.temperature).read_text()) if o.temperature else None
        npdb(model, o.out, o.name, temperature)
    elif o.to == "folder":
        folder(model, o.out)
    else:
        gguf.write(model, o.out, o.name, o.type)


if __name__ == "__main__":
    main()
