"""Shards of trajectories: programs made, recorded, walked, cut into tokens and packed.

A shard is a file of rows [rows, window + 1] of 16-bit numbers: the token in the lower
nine bits, above them what the trainer makes of it (the kinds of train.wire: 0 is given,
1 structure, 2 what changed, 3 the line's own text). Shard number i of a seed has the same
bytes whoever makes it, and whoever comes again goes on where files are missing.

    python3 -m train.shards DIR --seed 1 --workers 16 --shards 1000
"""

import argparse
import itertools
import multiprocessing
import os
import pathlib
import random
import resource
import sys
import time
from array import array

from train import policy
from train.npy import write
from train.tokens import PADDING, Tokenizer, held_out
from maker.programs import make
from maker.recording import record

HANGS = 5  # seconds that one program may take
MEMORY = 2 << 30  # bytes of address space that a worker may have


class Packer:
    """Puts trajectories whole into rows, each where it fits best."""

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

    def _close(self, i):
        used, pieces = self.open.pop(i)
        row = array("H", sum(pieces, []))
        row.extend([self.padding] * (self.length - used))
        self.rows.append(row)


def difficulty(rng, index, ramp):
    """How hard a program is, 0 to 1: short ones first, all kinds once ramp shards are made."""
    top = 0.3 + 0.7 * min(1.0, index / ramp) if ramp else 1.0
    return rng.uniform(0, top)


def shard(tokenizer, o, index, at, skip):
    """The rows of shard number index and what befell its programs.

    at is where the number of the program in hand is told; those in skip are passed over.
    """
    packer = Packer(o.window, tokenizer.id(PADDING))
    tally = {"programs": 0, "failed": 0, "tokens": 0, "cut": 0, "skipped": len(skip)}
    for number in itertools.count():
        if len(packer.rows) >= o.rows:
            return packer.rows[: o.rows], tally
        at.value = number
        if number in skip:
            continue
        rng = random.Random(f"{o.seed}/{index}/{number}")
        try:
            program = make(rng, difficulty(rng, index, o.ramp))
            if held_out(program.source):
                continue
            made = record(program)
            walks = policy.trajectories(rng, made, 1 if rng.random() < 0.6 else 2) if made else []
        except Exception as e:  # a program in a thousand must not end a run of hours: it is counted
            tally[repr(e)[:60]] = tally.get(repr(e)[:60], 0) + 1
            continue
        tally["programs"] += 1
        tally["failed"] += not walks
        for t in walks:
            piece, _ = tokenizer.numbers(t.segments)
            tally["tokens"] += len(piece)
            tally["cut"] += len(piece) > o.window + 1
            packer.add(piece)


def confine():
    """A program that eats memory gets a MemoryError; what ends a trial is not told of."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.unraisablehook = lambda _: None


def attempt(tokenizer, o, index, path, at, skip):
    """Makes a shard, in a process of its own."""
    confine()
    began = time.time()
    rows, tally = shard(tokenizer, o, index, at, skip)
    part = path.with_suffix(".part")
    write(part, rows)
    part.rename(path)
    rate = len(rows) * o.window / (time.time() - began)
    print(f"{path.name} {tally} {rate:.0f} tokens/s", flush=True)


def work(me, o):
    """One worker's share of the shards.

    A program that hangs in C code, or takes the process with it, costs its own place: the
    shard is begun again without it.
    """
    tokenizer, out = Tokenizer(), pathlib.Path(o.out)
    for index in range(o.first + me, o.first + o.shards, o.workers):
        path, skip = out / f"shard-{o.seed}-{index:06d}.npy", set()
        while not path.exists():
            at = multiprocessing.Value("i", -1, lock=False)
            child = multiprocessing.Process(target=attempt, args=(tokenizer, o, index, path, at, skip))
            child.start()
            last = None
            while child.is_alive() and at.value != last:
                last = at.value
                child.join(HANGS)
            if child.is_alive():
                child.kill()
                child.join()
            if not path.exists():
                skip.add(at.value)


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--seed", default="1")
    p.add_argument("--shards", type=int, default=1000)
    p.add_argument("--first", type=int, default=0, help="the number of the first shard")
    p.add_argument("--rows", type=int, default=512, help="rows in a shard")
    p.add_argument("--window", type=int, default=2048)
    p.add_argument("--workers", type=int, default=os.cpu_count())
    p.add_argument("--ramp", type=int, default=0, help="shards until programs have every length")
    return p.parse_args()


def main():
    o = options()
    pathlib.Path(o.out).mkdir(parents=True, exist_ok=True)
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "train.shards", *sys.argv[1:]])
    workers = [multiprocessing.Process(target=work, args=(i, o)) for i in range(o.workers)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()


if __name__ == "__main__":
    main()
