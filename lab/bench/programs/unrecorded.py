"""Work in functions and loops, and then one call of report with a breakpoint.
lab/bench/unrecorded.py runs it without recording."""

import sys


def step(i, factor):
    if i % 3 == 0:
        return i * factor
    return i + factor


def work(n):
    total = 0
    for i in range(n):
        total = (total + step(i, i & 7)) % 1_000_003
    return total


def report(total):
    print("checksum", total)


report(work(int(sys.argv[1])))
