"""Shards of rows for the trainer, packed from the output of `npdb dataset`.

A shard is a file of rows [rows, window + 1] of 16-bit numbers: the token in the lower nine
bits, its kind above them (train.trajectories). Each file of a dataset becomes one shard, always
with the same bytes. A second run creates only the missing shards. Files are packed as they
appear, so this can run while the dataset is being created; it ends when the dataset is
complete.

    npdb dataset --out DATA --seed 1 --count 2000000 --curriculum &
    python3 -m lab.train.shards DATA SHARDS
"""

import argparse
import multiprocessing
import os
import pathlib
import time
from array import array

from lab.train.npy import write
from lab.train.tokens import PADDING, Tokenizer
from lab.train.trajectories import read, segments


class Packer:
    """Puts whole trajectories into rows, each into the row with the least space that fits."""

    def __init__(self, window, padding, open_rows=24):
        self.length, self.padding, self.open_rows = window + 1, padding, open_rows
        self.open, self.rows = [], []

    def add(self, piece):
        piece = piece[: self.length]
        best, room = None, self.length + 1
        for i, (used, _) in enumerate(self.open):
            left = self.length - used - len(piece)
            if 0 <= left < room:
                best, room = i, left
        if best is None:
            if len(self.open) == self.open_rows:
                self._close(max(range(len(self.open)), key=lambda i: self.open[i][0]))
            self.open.append((len(piece), [piece]))
            return
        used, pieces = self.open[best]
        pieces.append(piece)
        self.open[best] = (used + len(piece), pieces)
        if used + len(piece) == self.length:
            self._close(best)

    def finish(self):
        """Closes the rows that are not yet full."""
        while self.open:
            self._close(0)

    def _close(self, i):
        used, pieces = self.open.pop(i)
        row = array("H", sum(pieces, []))
        row.extend([self.padding] * (self.length - used))
        self.rows.append(row)


def pack(path, shard, window, npdb):
    """Creates the shard for one file of a dataset. Returns the number of its rows and tokens."""
    tokenizer = Tokenizer()
    packer, tokens, cut = Packer(window, tokenizer.id(PADDING)), 0, 0
    for line in read(path, npdb):
        numbers, _ = tokenizer.numbers(segments(line)[0])
        tokens += len(numbers)
        cut += len(numbers) > window + 1
        packer.add(numbers)
    packer.finish()
    if packer.rows:
        part = shard.with_suffix(".part")
        write(part, packer.rows)
        part.rename(shard)
    return len(packer.rows), tokens, cut


def work(me, o):
    """Packs one worker's share of a dataset's files until the dataset is complete."""
    data, out, done = pathlib.Path(o.data), pathlib.Path(o.out), set()
    while True:
        whole = (data / "manifest.json").exists()  # before the loop: the manifest is written last, so all files exist
        for path in sorted(data.glob("train-*.jsonl.zst")):
            number = int(path.name.split("-")[1])
            shard = out / f"shard-{number:05d}.npy"
            if number % o.workers != me or number in done:
                continue
            done.add(number)
            if shard.exists():
                continue
            began = time.time()
            rows, tokens, cut = pack(path, shard, o.window, o.npdb)
            rate = tokens / (time.time() - began)
            print(f"{shard.name} {rows} rows, {tokens} tokens, {cut} cut, {rate:.0f} tokens/s", flush=True)
        if whole:
            return
        time.sleep(0.5)


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("data", help="the folder of npdb dataset")
    p.add_argument("out")
    p.add_argument("--window", type=int, default=2048)
    p.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 1) // 4))
    p.add_argument("--npdb", default="npdb", help="the program, where it is not on PATH")
    return p.parse_args()


def main():
    o = options()
    pathlib.Path(o.out).mkdir(parents=True, exist_ok=True)
    workers = [multiprocessing.Process(target=work, args=(i, o)) for i in range(o.workers)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    if any(w.exitcode for w in workers):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
