"""Searches for the functions of a benchmark among the programs of a dataset.

    python3.12 overlap.py BENCHMARK.jsonl FILE|DIR…

The benchmark is JSON lines with code; files are shards of `npdb dataset`, or JSON lines with
code. Functions are compared in two ways. The first compares their syntax without names: with
their constants ("the same"), and without ("alike", which many two-line functions are). The
second compares sequences of GRAM tokens, with names and constants: if half of a function's
sequences occur in programs, the function counts as copied. The exit status is 1 if a function
is copied, or is the same and too long to be a coincidence, and 2 if nothing could be compared.
"""

import argparse
import io
import sys
import token
import tokenize

from shapes import functions
from sources import programs

GRAM = 13  # tokens: two people may write shorter sequences alike by chance
COPIED = 0.5  # a function is copied if at least this share of its sequences is found
LONG = 24  # tokens: shorter functions such as `return xs.count(x)` are the same by chance
LAYOUT = (tokenize.COMMENT, tokenize.NL, token.NEWLINE, token.INDENT, token.DEDENT, token.ENDMARKER)


def tokens(source):
    """Returns the tokens of a source, without its layout and comments."""
    try:
        return [t.string for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type not in LAYOUT]
    except (tokenize.TokenError, SyntaxError):
        return []


def grams(source):
    """Returns the sequences of GRAM tokens that occur in a source, each as a number."""
    words = tokens(source)
    return {hash(tuple(words[at : at + GRAM])) for at in range(len(words) - GRAM + 1)}


class Overlap:
    """The functions of a benchmark, and which of them were found in programs."""

    def __init__(self, sources):
        # The benchmark's functions as number -> source: True for comparison with
        # constants, False for comparison without them.
        self.theirs = {True: {}, False: {}}
        for source in sources:
            for constants, known in functions(source).items():
                self.theirs[constants].update(known)
        self.grams = {one: grams(one) for one in self.theirs[True].values()}
        self.all_grams = set().union(*self.grams.values())
        self.found = {True: set(), False: set()}
        self.seen = set()  # sequences of the benchmark that were found in programs
        self.programs = self.functions = 0

    def look(self, source):
        """Searches a program for the benchmark's functions, and records what it finds."""
        self.programs += 1
        found = functions(source)
        self.functions += len(found[True])
        for constants, known in self.theirs.items():
            self.found[constants] |= found[constants].keys() & known.keys()
        self.seen |= grams(source) & self.all_grams

    def same(self):
        return [self.theirs[True][number] for number in self.found[True]]

    def alike(self):
        """Returns the functions that are alike but not the same."""
        same = set(self.same())
        return [self.theirs[False][n] for n in self.found[False] if self.theirs[False][n] not in same]

    def copied(self):
        """Returns the functions that are copied, each with the share of its sequences
        that was found. The share is at least COPIED."""
        return {
            one: len(own & self.seen) / len(own)
            for one, own in self.grams.items()
            if own and len(own & self.seen) >= COPIED * len(own)
        }


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("benchmark", help="JSON lines with a field code")
    p.add_argument("paths", nargs="+", help="shards, or JSON lines with a field code")
    o = p.parse_args()
    found = Overlap(source for source, _ in programs([o.benchmark]))
    for source, _ in programs(o.paths):
        found.look(source)
    same, alike, copied = found.same(), found.alike(), found.copied()
    long = [one for one in same if len(tokens(one)) >= LONG]
    print(
        f"{found.functions} functions of {found.programs} programs; of the benchmark's {len(found.grams)}: "
        f"{len(same)} are the same, {len(long)} of them with {LONG} tokens or more, {len(alike)} alike, "
        f"{len(copied)} copied in parts; {len(found.seen)} of its {len(found.all_grams)} stretches of {GRAM} tokens occur"
    )
    for one in sorted(same):
        print("the same:", one, sep="\n", end="\n\n")
    for one, share in sorted(copied.items()):
        print(f"copied, {share:.0%}:", one, sep="\n", end="\n\n")
    for one in sorted(alike):
        print("alike:", one, sep="\n", end="\n\n")
    if not found.programs or not found.grams:
        print("there is nothing to look " + ("for: the benchmark has no functions" if found.programs else "at: no programs"))
        sys.exit(2)
    sys.exit(1 if long or copied else 0)


if __name__ == "__main__":
    main()
