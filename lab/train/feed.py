"""Rows for the trainer, from shards that appear during training."""

import pathlib
import queue
import random
import threading
import time

import numpy
import torch


class Feed:
    """Returns batches of rows in random order, from a pool that new shards refill.

    A row is used up to reuse times. If data is created more slowly than it is used, old rows
    are used again, and counted.
    """

    def __init__(self, folder, reuse, window, device):
        self.folder, self.reuse, self.window, self.pin = pathlib.Path(folder), reuse, window, device == "cuda"
        self.seen = self.again = 0
        self.waited = 0.0
        self._known, self._pool, self._old = set(), [], []
        self._rng = random.Random(1)
        self._ready, self._over = queue.Queue(8), threading.Event()
        self._size = None
        self._thread = None

    def batch(self, n):
        """Returns the next n rows, as int16 [n, window + 1] on the host."""
        if self._thread is None:
            self._size = n
            self._thread = threading.Thread(target=self._fill, daemon=True)
            self._thread.start()
        began = time.monotonic()
        rows = self._ready.get()
        self.waited += time.monotonic() - began
        if isinstance(rows, Exception):
            raise rows
        return rows

    def close(self):
        """Stops the thread that reads shards into the pool."""
        self._over.set()

    def _fill(self):
        try:
            while not self._over.is_set():
                rows = numpy.stack([self._next() for _ in range(self._size)])
                ready = torch.from_numpy(rows.astype(numpy.int16))
                self._put(ready.pin_memory() if self.pin else ready)
        except Exception as e:  # the main thread raises it
            self._put(e)

    def _put(self, x):
        while not self._over.is_set():
            try:
                return self._ready.put(x, timeout=0.5)
            except queue.Full:
                pass

    def _next(self):
        # A pool of several shards mixes rows that are neighbours in one shard.
        if len(self._pool) < 2000:
            self._take()
        if not self._pool:
            self.again += 1
            row = self._rng.choice(self._old)
        else:
            i = self._rng.randrange(len(self._pool))
            row = self._pool[i]
            self._pool[i] = self._pool[-1]
            self._pool.pop()
        return row[: self.window + 1]

    def _take(self):
        """Moves rows from new shards into the pool. If there is no shard yet, it waits for one."""
        while True:
            fresh = [p for p in sorted(self.folder.glob("shard-*.npy")) if p not in self._known]
            for p in fresh[:16]:
                self._known.add(p)
                rows = list(numpy.load(p))
                self.seen += len(rows)
                self._old.extend(rows)
                for _ in range(self.reuse):
                    self._pool.extend(rows)
            if self._old:
                return
            time.sleep(0.2)
