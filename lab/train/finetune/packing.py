"""Windows: training examples that contain several whole documents one after the other.

The position ids restart at each document. FlashAttention derives from them where a document
ends; elsewhere a mask separates documents. No document is split: one that is longer than a
window is omitted and counted.

    python3 -m lab.train.finetune.packing CONFIG DATA PACKED

reads DATA/train-*.jsonl.zst and DATA/test-*.jsonl.zst and writes PACKED/train and PACKED/test.
The same input leads to the same bytes, regardless of --workers.
"""

import argparse
import functools
import json
import multiprocessing
import os
import pathlib

import numpy

from lab.train.finetune import config, documents

OPEN = 24  # windows that are filled at the same time


class Packer:
    """Puts each document into the open window with the least space that fits."""

    def __init__(self, window):
        self.window, self.open = window, []
        self.documents = self.tokens = self.too_long = 0

    def add(self, document):
        """Adds a document, which is a pair of arrays (ids, weights). Returns the documents of a
        window that is now complete, or None."""
        length = len(document[0])
        if length > self.window:
            self.too_long += 1
            return None
        self.documents += 1
        self.tokens += length
        rooms = [self.window - used - length for used, _ in self.open]
        best = min((i for i, room in enumerate(rooms) if room >= 0), key=rooms.__getitem__, default=None)
        if best is not None:
            used, held = self.open[best]
            self.open[best] = (used + length, held + [document])
            return self.open.pop(best)[1] if rooms[best] == 0 else None
        self.open.append((length, [document]))
        if len(self.open) <= OPEN:
            return None
        fullest = max(range(len(self.open)), key=lambda i: self.open[i][0])
        return self.open.pop(fullest)[1]

    def finish(self):
        """Returns the windows that are still open."""
        rest, self.open = [held for _, held in self.open], []
        return rest


def positions(lengths):
    """Returns the position ids of a window whose documents have these lengths."""
    return numpy.concatenate([numpy.arange(n) for n in lengths])


def mask(lengths, sliding=None):
    """Returns which token [row] attends to which [column], as booleans [1, 1, time, time]. Each
    attends to the tokens of its document up to itself; with sliding, only to the last `sliding`
    of these."""
    of = numpy.repeat(numpy.arange(len(lengths)), lengths)
    at = numpy.arange(len(of))
    allowed = (of[:, None] == of) & (at[:, None] >= at)
    if sliding:
        allowed &= at[:, None] - at < sliding
    return allowed[None, None]


class Windows:
    """The windows of a folder that `pack` wrote, read from disk as they are needed."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        index = numpy.load(folder / "index.npz")
        self.lengths, self.counts = index["lengths"], index["counts"]  # the number of tokens of each document, and of documents of each window
        self.first = numpy.concatenate(([0], numpy.cumsum(self.counts)))
        self.begin = numpy.concatenate(([0], numpy.cumsum(self.lengths)))
        empty = len(self.lengths) == 0
        self.ids = [] if empty else numpy.memmap(folder / "ids.u32", "<u4", "r")
        self.weights = [] if empty else numpy.memmap(folder / "weights.f32", "<f4", "r")

    def __len__(self):
        return len(self.counts)

    def __getitem__(self, i):
        """Returns the ids, the weights and the lengths of the documents of window i."""
        lo, hi = self.first[i], self.first[i + 1]
        span = slice(self.begin[lo], self.begin[hi])
        return numpy.array(self.ids[span]), numpy.array(self.weights[span]), self.lengths[lo:hi]


def pack(found, folder, window):
    """Packs documents into windows, and writes these to a folder. Returns the counts."""
    folder.mkdir(parents=True, exist_ok=True)
    packer, lengths, counts = Packer(window), [], []
    with open(folder / "ids.u32", "wb") as ids, open(folder / "weights.f32", "wb") as weights:

        def close(held):
            counts.append(len(held))
            for of, weight in held:
                lengths.append(len(of))
                ids.write(of.astype("<u4").tobytes())
                weights.write(weight.astype("<f4").tobytes())

        for document in found:
            if held := packer.add(document):
                close(held)
        for held in packer.finish():
            close(held)
    numpy.savez(folder / "index.npz", lengths=numpy.array(lengths, numpy.int64), counts=numpy.array(counts, numpy.int64))
    return {"windows": len(counts), "documents": packer.documents, "tokens": packer.tokens, "too long": packer.too_long}


_loaded = functools.lru_cache(maxsize=1)(documents.load)


def of_file(path, name, decided, npdb):
    """Returns the documents of one file as a list."""
    return list(documents.of_file(path, _loaded(name)[0], decided, npdb))


def of_files(paths, c, o):
    """Yields the documents of files, in their order. Several processes tokenize them."""
    work = functools.partial(of_file, name=c["tokenizer"], decided=c["decided"], npdb=o.npdb)
    if o.workers < 2 or len(paths) < 2:
        for path in paths:
            yield from work(path)
        return
    with multiprocessing.get_context("spawn").Pool(min(o.workers, len(paths))) as pool:
        for found in pool.imap(work, paths):
            yield from found


def settings(c):
    """Returns the settings on which the windows depend."""
    return {name: c[name] for name in ("tokenizer", "window", "decided")}


def options(arguments=None):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("config")
    p.add_argument("data", help="the folder of npdb dataset")
    p.add_argument("packed", help="the folder to write to")
    p.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    p.add_argument("--npdb", default="npdb", help="the program, where it is not on PATH")
    return p.parse_args(arguments)


def main(arguments=None):
    o = options(arguments)
    c, data, packed = config.read(o.config), pathlib.Path(o.data), pathlib.Path(o.packed)
    if not list(data.glob("train-*.jsonl.zst")):
        raise SystemExit(f"{data} has no train-*.jsonl.zst: make it with npdb dataset")
    (packed / "settings.json").unlink(missing_ok=True)
    for split in ("train", "test"):
        counts = pack(of_files(sorted(data.glob(f"{split}-*.jsonl.zst")), c, o), packed / split, c["window"])
        print(f"{split}: " + ", ".join(f"{n} {what}" for what, n in counts.items()), flush=True)
    # This file comes last: if it exists, the others are complete.
    (packed / "settings.json").write_text(json.dumps(settings(c), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
