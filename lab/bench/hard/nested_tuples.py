"""Paths as tuples chained within one another."""

import zlib


def reach(start, most):
    seen, todo = {start}, [(start, None)]
    for here in todo:
        for following in (here[0] * 2 % most, (here[0] + 7) % most):
            if following not in seen:  # hot: following < 0
                seen.add(following)
                todo.append((following, here))
    return todo


def length(path):
    steps = 0
    while path is not None:
        steps += 1
        path = path[1]
    return steps


ways = reach(1, 600)
line = None
for n in range(600):
    line = (n, line)
print("checksum", zlib.crc32(repr((max(map(length, ways)), length(line),)).encode()))
