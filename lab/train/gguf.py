"""Writes a model as GGUF, version 3, which llama.cpp and Ollama read. lab.train.export
calls it."""

import struct

import numpy

from lab.train.tokens import Tokenizer, is_mark, letters, words_beyond_bytes

TYPES = {"u32": (4, "<I"), "f32": (6, "<f"), "bool": (7, "<?")}
F32, F16, Q8_0 = 0, 1, 8
NORMAL, CONTROL, USER_DEFINED = 1, 3, 4  # kinds of tokens


def string(text):
    data = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(data)) + data


def pair(key, kind, value):
    """Returns one key with its value, as bytes."""
    head = string(key)
    if kind == "string":
        return head + struct.pack("<I", 8) + string(value)
    if kind == "strings":
        return head + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(string, value))
    if kind == "ints":
        return head + struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value)
    number, form = TYPES[kind]
    return head + struct.pack("<I", number) + struct.pack(form, value)


def q8_0(a):
    """Returns blocks of 32 int8 numbers, each with its scale in float16."""
    rows = a.reshape(-1, 32)
    scale = (numpy.abs(rows).max(1) / 127).astype(numpy.float16)
    by = scale.astype(numpy.float32)
    by[by == 0] = 1
    out = numpy.zeros(len(rows), [("scale", "<f2"), ("numbers", "i1", 32)])
    out["scale"], out["numbers"] = scale, numpy.rint(rows / by[:, None]).clip(-127, 127)
    return out.tobytes()


def tensors(model):
    """Yields (name, array), with llama.cpp's names."""
    yield "token_embd.weight", model["model.embed_tokens.weight"]
    for i, p in enumerate(model.layers()):
        for theirs, ours in (
            ("attn_norm", "input_layernorm"),
            ("attn_q", "self_attn.q_proj"),
            ("attn_k", "self_attn.k_proj"),
            ("attn_v", "self_attn.v_proj"),
            ("attn_q_norm", "self_attn.q_norm"),
            ("attn_k_norm", "self_attn.k_norm"),
            ("attn_output", "self_attn.o_proj"),
            ("ffn_norm", "post_attention_layernorm"),
            ("ffn_gate", "mlp.gate_proj"),
            ("ffn_up", "mlp.up_proj"),
            ("ffn_down", "mlp.down_proj"),
        ):
            yield f"blk.{i}.{theirs}.weight", model[f"{p}{ours}.weight"]
    yield "output_norm.weight", model["model.norm.weight"]
    yield "output.weight", model["lm_head.weight"]


def write(model, path, name, kind="f16"):
    """Writes a file for llama.cpp. llama.cpp searches the whole text for one longer token after
    the other, so it tokenizes a few texts differently from training, such as `():`. Send token
    numbers to the server to avoid that."""
    s, beyond = model.size, words_beyond_bytes()
    tokens = [letters()[b] for b in range(256)] + beyond
    kinds = [NORMAL] * 256 + [CONTROL if is_mark(w) else USER_DEFINED for w in beyond]
    pairs = [
        ("general.architecture", "string", "qwen3"),
        ("general.name", "string", name),
        ("general.file_type", "u32", {"f32": 0, "f16": 1, "q8_0": 7}[kind]),
        ("qwen3.context_length", "u32", s["window"]),
        ("qwen3.embedding_length", "u32", s["width"]),
        ("qwen3.block_count", "u32", s["layers"]),
        ("qwen3.feed_forward_length", "u32", s["inner"]),
        ("qwen3.attention.head_count", "u32", s["heads"]),
        ("qwen3.attention.head_count_kv", "u32", s["groups"]),
        ("qwen3.attention.key_length", "u32", s["head"]),
        ("qwen3.attention.value_length", "u32", s["head"]),
        ("qwen3.attention.layer_norm_rms_epsilon", "f32", 1e-6),
        ("qwen3.rope.freq_base", "f32", s["theta"]),
        ("tokenizer.ggml.model", "string", "gpt2"),
        ("tokenizer.ggml.pre", "string", "qwen2"),
        ("tokenizer.ggml.tokens", "strings", tokens),
        ("tokenizer.ggml.token_type", "ints", kinds),
        # The format requires one merge. These two bytes are never neighbours in UTF-8.
        ("tokenizer.ggml.merges", "strings", [letters()[0xFF] + " " + letters()[0xFE]]),
        ("tokenizer.ggml.eos_token_id", "u32", Tokenizer().id("<|frame_sep|>")),
        ("tokenizer.ggml.padding_token_id", "u32", Tokenizer().id("<|padding|>")),
        ("tokenizer.ggml.add_bos_token", "bool", False),
    ]
    infos, blobs, at = [], [], 0
    for tensor, a in tensors(model):
        if a.ndim == 1 or kind == "f32":
            number, data = F32, a.astype("<f4").tobytes()
        elif kind == "f16":
            number, data = F16, a.astype("<f2").tobytes()
        else:
            number, data = Q8_0, q8_0(a)
        shape = struct.pack(f"<I{a.ndim}Q", a.ndim, *reversed(a.shape))
        infos.append(string(tensor) + shape + struct.pack("<IQ", number, at))
        blobs.append(data + b"\0" * (-len(data) % 32))
        at += len(blobs[-1])
    head = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(pairs))
    head += b"".join(pair(*p) for p in pairs) + b"".join(infos)
    with open(path, "wb") as f:
        f.write(head + b"\0" * (-len(head) % 32))
        f.writelines(blobs)
