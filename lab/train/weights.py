"""Weights on disk: reads and writes the safetensors format with numpy alone.

The format (https://huggingface.co/docs/safetensors) is a length, a JSON table of names,
and raw little-endian numbers. bfloat16 is handled as uint16, because numpy does not
have it.
"""

import json
import pathlib
import struct

import numpy

TYPES = {"F32": numpy.float32, "F16": numpy.float16, "BF16": numpy.uint16, "I8": numpy.int8}


def save(path, tensors, metadata=None):
    """Writes {name: array}. An array of uint16 contains bfloat16."""
    table, at, blobs = {}, 0, []
    if metadata:
        table["__metadata__"] = {k: str(v) for k, v in metadata.items()}
    names = {numpy.dtype(t): n for n, t in TYPES.items()}
    for name, a in tensors.items():
        a = numpy.ascontiguousarray(a)
        table[name] = {"dtype": names[a.dtype], "shape": list(a.shape), "data_offsets": [at, at + a.nbytes]}
        at += a.nbytes
        blobs.append(a)
    head = json.dumps(table, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head)
        for a in blobs:
            f.write(a.tobytes())


def load(path):
    """Returns ({name: array}, metadata) of a file. bfloat16 is returned as float32."""
    data = pathlib.Path(path).read_bytes()
    (n,) = struct.unpack_from("<Q", data)
    table = json.loads(data[8 : 8 + n])
    metadata = table.pop("__metadata__", {})
    tensors = {}
    for name, t in table.items():
        lo, hi = (8 + n + o for o in t["data_offsets"])
        a = numpy.frombuffer(data[lo:hi], TYPES[t["dtype"]]).reshape(t["shape"])
        tensors[name] = widen(a) if t["dtype"] == "BF16" else a
    return tensors, metadata


def widen(bits):
    """Converts bfloat16 in uint16 to float32: the bits are the upper half."""
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32)


def narrow(a):
    """Converts float32 to bfloat16 in uint16, rounded to nearest even."""
    bits = numpy.ascontiguousarray(a, numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def split(path, folder, size=15 << 20):
    """Splits a file into parts of at most size bytes, `NAME.part0` …. Returns the
    parts' paths."""
    data, paths = pathlib.Path(path).read_bytes(), []
    for i in range(0, len(data), size):
        part = pathlib.Path(folder) / f"{pathlib.Path(path).name}.part{i // size}"
        part.write_bytes(data[i : i + size])
        paths.append(part)
    return paths


def join(parts, path):
    """Joins the parts that split made, in the order of their numbers."""
    ordered = sorted(map(pathlib.Path, parts), key=lambda p: int(p.suffix[5:]))
    pathlib.Path(path).write_bytes(b"".join(p.read_bytes() for p in ordered))
