"""A thousand generators, suspended."""

import zlib


def count(start, step):
    while True:
        sent = yield start  # hot: start is None
        start += step if sent is None else sent


counters = [count(n, n % 7 + 1) for n in range(1000)]
for counter in counters:
    next(counter)
total = 0
for n in range(0, 1000, 4):
    total += counters[n].send(n) + next(counters[n])
print("checksum", zlib.crc32(repr((total,)).encode()))
