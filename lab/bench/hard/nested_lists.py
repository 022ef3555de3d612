"""Lists within lists, 500 deep."""

import zlib


def nest(depth):
    inner = []
    for n in range(depth):
        inner = [n, inner]  # hot: inner is None
    return inner


def flat(nested):
    found = []
    while nested:
        found.append(nested[0])
        nested = nested[1]
    return found


deep = nest(500)
for _ in range(3):
    numbers = flat(deep)
print("checksum", zlib.crc32(repr((sum(numbers),)).encode()))
