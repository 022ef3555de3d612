# What 3.15 adds to the language: lazy imports, unpacking in comprehensions, frozendict.
# python: >=3.15
import sys

lazy import colorsys
lazy import json.encoder as encoder, textwrap
lazy from fractions import (
    Fraction,
    gcd as common,
)


def half(x):
    return Fraction(x, 2)


def flat(rows):
    return [*row for row in rows if row]


def merged(*maps):
    return {
        **m
        for m in maps
    }


loaded = "colorsys" in sys.modules
print(loaded, half(3), textwrap.shorten("a b c", 3, placeholder=""))
print(flat([[1, 2], [], [3]]), {*x for x in ("ab", "bc")} == set("abc"))
for part in (*pair for pair in [(1, 2), (3,)]):
    print(part)
both = merged({"a": 1}, frozendict(b=2), {"a": 3})
frozen = frozendict(both, c=[4])
frozen["c"].append(5)
try:
    frozen["a"] = 1
except TypeError, KeyError:
    print(frozen)
match frozen:
    case {"a": first, **rest}:
        print(first, rest)
try:
    common(4, 6)
except ImportError as e:
    print(e)
