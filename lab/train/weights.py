"""Weights on disk: the safetensors format, written and read with numpy alone.

The format (https://huggingface.co/docs/safetensors) is a length, a JSON table of
names, and raw little-endian numbers. bfloat16 is handled as uint16, for numpy has none.
"""

import json
import pathlib
import struct

import numpy

TYPES = {"F32": numpy.float32, "F16": numpy.float16, "BF16": numpy.uint16, "I8": numpy.int8}


def save(path, tensors, metadata=None):
    """Writes {name: array}; an array of uint16 holds bfloat16."""
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
    """Reads ({name: array}, metadata); bfloat16 comes as float32."""
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
    """float32 of bfloat16 in uint16: the bits are the upper half."""
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32)


def narrow(a):
    """bfloat16 in uint16 of float32, rounded to nearest even."""
    bits = numpy.ascontiguousarray(a, numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def split(path, folder, size=15 << 20):
    """Cuts a file into parts of at most size bytes, `NAME.part0` …; the parts' paths."""
    data, paths = pathlib.Path(path).read_bytes(), []
    for i in range(0, len(data), size):
        part = pathlib.Path(folder) / f"{pathlib.Path(path).name}.part{i // size}"
        part.write_bytes(data[i : i + size])
        paths.append(part)
    return paths


def join(parts, path):
    """Puts the parts of split together, in the order of their numbers."""
    ordered = sorted(map(pathlib.Path, parts), key=lambda p: int(p.suffix[5:]))
    pathlib.Path(path).write_bytes(b"".join(p.read_bytes() for p in ordered))
