"""Types, values and literals of the synthesiser.

A type is a short code: li is a list of int, dsi a dict from str to int. Values are plain Python
objects. They are chosen so that they stay small, and so that searches in them can succeed.
"""

import re

from . import words
from .trial import Bounds

ELEMENT = {
    "str": "ch", "ch": "ch", "li": "int", "ls": "str", "ll": "li", "lp": "tsi", "ti": "int", "ts": "str",
    "dsi": "str", "dis": "int", "dss": "str", "dsl": "str", "si": "int", "fs": "int", "by": "int", "lb": "bool",
}
VALUE = {"dsi": "int", "dis": "str", "dss": "str", "dsl": "li"}
CLASSES = {
    "int": (int, float), "str": str, "ch": str, "bool": bool, "float": (int, float), "li": list, "ls": list, "ll": list, "lp": list,
    "lb": list, "dsi": dict, "dis": dict, "dss": dict, "dsl": dict, "si": set, "ti": tuple, "ts": tuple, "fs": frozenset,
    "by": bytes, "opt": object, "tsi": tuple,
}
DICTS = ("dsi", "dis", "dss", "dsl")
SEQUENCES = ("str", "li", "ls", "ti", "ts", "ll")
SIZED = SEQUENCES + DICTS + ("si", "lp")
HINTS = {
    "int": "int", "str": "str", "ch": "str", "bool": "bool", "float": "float", "li": "list[int]", "ls": "list[str]",
    "ll": "list[list[int]]", "lp": "list[tuple[str, int]]", "dsi": "dict[str, int]", "dis": "dict[int, str]",
    "dss": "dict[str, str]", "dsl": "dict[str, list[int]]", "si": "set[int]", "ti": "tuple[int, ...]",
    "ts": "tuple[str, ...]", "fs": "frozenset[int]", "by": "bytes", "opt": "int | None", "tsi": "tuple[str, int]",
    "lb": "list[bool]",
}
PUNCTUATION = " ,.-_:;/!?#@*+=|&%"
_LENGTHS = re.compile(r"(?:just|center|zfill|range|expandtabs)\(")


def number(rng):
    """Returns an integer as it occurs in programs: mostly small, sometimes negative or large."""
    kind = rng.random()
    if kind < 0.45:
        return rng.randint(0, 10)
    if kind < 0.70:
        return rng.randint(-9, 30)
    if kind < 0.92:
        return rng.randint(1, 120)
    return rng.choice((rng.randint(100, 9999), -rng.randint(10, 500), 2 ** rng.randint(3, 10)))


def small(rng, low=0, high=9):
    """Returns a small integer."""
    return rng.randint(low, high)


def short_word(rng):
    """Returns a word of at most twelve characters."""
    return words.word(rng)[:12]


def _scrambled(rng):
    letters = rng.choice(("abc", "abcdef", "xyzw", "abcdefghijklmnopqrstuvwxyz", "aeiourstln", "01", "0123456789", "abAB", "ABCDE"))
    text = "".join(rng.choice(letters) for _ in range(rng.randint(2, 12)))
    if rng.random() < 0.3:
        place = rng.randint(0, len(text))
        text = text[:place] + rng.choice(PUNCTUATION) + text[place:]
    return text


def _separated(rng):
    separator = rng.choice((",", "-", "_", " ", ":", "/", ".", ";", ", ", " - ", "|", "  ", "=", "--", "\n", "\t"))
    kind = rng.random()
    if kind < 0.6:
        parts = [short_word(rng) for _ in range(rng.randint(2, 4))]
    elif kind < 0.8:
        parts = [str(rng.randint(0, 99)) for _ in range(rng.randint(2, 5))]
    else:
        parts = [rng.choice("abcxyz") * rng.randint(0, 3) for _ in range(rng.randint(2, 5))]
    return separator.join(parts)[:30]


def _runs(rng):
    return "".join(rng.choice("aabcdxz01 ") * rng.randint(1, 4) for _ in range(rng.randint(2, 4)))


def _odd(rng):
    return rng.choice((
        "  " + short_word(rng) + " " * rng.randint(0, 3), short_word(rng).title(), short_word(rng).upper(),
        short_word(rng).swapcase() + "!", "Mc" + short_word(rng).title(), short_word(rng) + str(rng.randint(0, 999)),
        "(" + short_word(rng) + ")", "[" + short_word(rng) + "]", "<" + short_word(rng) + ">", "é" + short_word(rng),
        short_word(rng) + "'s", rng.choice("+-") + str(rng.randint(0, 999)), "%d.%d" % (rng.randint(0, 99), rng.randint(0, 99)),
        "\t" + short_word(rng), short_word(rng) + "\n", "0" * rng.randint(1, 4) + str(rng.randint(0, 99)), "ñandú", "ß" + short_word(rng),
        short_word(rng) + "?" + short_word(rng)[:4], "#" + short_word(rng), "..." + short_word(rng) + "..",
    ))


def text(rng):
    """Returns a string: a word, a sentence, gibberish, parts with a separator, runs of
    one letter, or empty."""
    kind = rng.random()
    if kind < 0.22:
        return short_word(rng)
    if kind < 0.42:
        return words.gibberish(rng)[:16]
    if kind < 0.52:
        return words.sentence(rng)[:30]
    if kind < 0.66:
        return _separated(rng)
    if kind < 0.80:
        return _scrambled(rng)
    if kind < 0.87:
        return _runs(rng)
    if kind < 0.97:
        return _odd(rng)
    return "" if kind < 0.985 else rng.choice("aZ9 _x")


def key(rng):
    """Returns a string that is short enough for a dict's key or a list's element."""
    kind = rng.random()
    if kind < 0.4:
        return short_word(rng)
    if kind < 0.75:
        return rng.choice("abcdexyzkpqABC")
    if kind < 0.92:
        return "".join(rng.choice("abcdxyzAB012") for _ in range(rng.randint(2, 4)))
    return rng.choice(("", " ", "a b", "-", "12", "x1", "_"))


def size(rng, most=6):
    """Returns a number of elements: seldom zero, mostly small."""
    kind = rng.random()
    if kind < 0.05:
        return 0
    if kind < 0.12:
        return 1
    return rng.randint(2, most)


def numbers(rng, count):
    """Returns integers, often with a duplicate."""
    style = rng.random()
    low, high = (0, 9) if style < 0.4 else (-9, 20) if style < 0.65 else (1, 5) if style < 0.8 else (1, 99)
    found = [rng.randint(low, high) for _ in range(count)]
    if style > 0.95:
        found.sort()
    return found


def draw(rng, kind):
    """Returns a random value of the type."""
    if kind == "int":
        return number(rng)
    if kind == "str":
        return text(rng)
    if kind == "ch":
        return rng.choice("abcdeinorstxyzAEZ0139 -_.,!")
    if kind == "bool":
        return rng.random() < 0.5
    if kind == "float":
        return rng.choice((rng.randint(-40, 200) / 4, rng.randint(0, 999) / 10, rng.randint(-5, 20) / 2, float(rng.randint(0, 9))))
    if kind == "opt":
        return None if rng.random() < 0.4 else number(rng)
    if kind == "li":
        return numbers(rng, size(rng, 8))
    if kind == "lb":
        return [rng.random() < 0.5 for _ in range(size(rng, 5))]
    if kind == "ti":
        return tuple(numbers(rng, size(rng, 5)))
    if kind in ("ls", "ts"):
        most = size(rng, 6)
        found = [key(rng) for _ in range(most)]
        if found and rng.random() < 0.25:
            found.append(rng.choice(found))
        return found if kind == "ls" else tuple(found)
    if kind == "ll":
        width = rng.randint(1, 3)
        ragged = rng.random() < 0.4
        return [numbers(rng, rng.randint(0, 4) if ragged else width) for _ in range(rng.randint(1, 4))]
    if kind == "tsi":
        return (key(rng), number(rng))
    if kind == "lp":
        return [(key(rng), number(rng)) for _ in range(rng.randint(1, 4))]
    if kind in ("si", "fs"):
        found = {rng.randint(0, 7) for _ in range(size(rng, 5))}
        return found if kind == "si" else frozenset(found)
    if kind == "by":
        return "".join(rng.choice("abcxyz012 ") for _ in range(rng.randint(1, 6))).encode()
    count = size(rng, 5)
    if kind == "dsi":
        return {key(rng): number(rng) for _ in range(count)}
    if kind == "dis":
        return {rng.randint(0, 9) if rng.random() < 0.8 else rng.randint(10, 99): key(rng) for _ in range(count)}
    if kind == "dss":
        return {key(rng): key(rng) for _ in range(count)}
    if kind == "dsl":
        return {key(rng): numbers(rng, rng.randint(0, 3)) for _ in range(min(count, 4))}
    raise KeyError(kind)


def literal(value, quote="'"):
    """Returns the value as source. Strings get the program's preferred quotes if that needs no
    escapes."""
    shown = repr(value)
    if quote == '"' and "'" in shown and '"' not in shown and "\\" not in shown:
        return shown.replace("'", '"')
    return shown


def bounds_for(source, whole=True):
    """Returns the bounds for a program, or for a part of one. The bound of numbers is
    lower if a number may determine a length."""
    passing = 2_000 if _LENGTHS.search(source) else None
    if whole:
        return Bounds(128, number=10**10, passing=passing, string=100, items=24, shown=180, orderly=True)
    return Bounds(600, number=10**10, passing=passing, string=200, items=200)


def fits(value, deep=0):
    """Returns whether the value is short enough to be shown in every state."""
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int):
        return -10**9 < value < 10**9
    if isinstance(value, (str, bytes)):
        return len(value) <= 60
    if isinstance(value, float):
        return abs(value) < 1e9
    if isinstance(value, dict):
        return len(value) <= 14 and deep < 3 and all(fits(k, deep + 1) and fits(v, deep + 1) for k, v in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        if len(value) > 16 or deep >= 3:
            return False
        if isinstance(value, (set, frozenset)) and len(value) > 1 and any(isinstance(one, str) for one in value):
            return False  # their order depends on hashes, which a model cannot learn
        return all(fits(one, deep + 1) for one in value)
    return deep == 0


def duplicate(value, seen):
    """Returns a deep copy of plain containers that keeps aliases."""
    kind = type(value)
    if kind in (int, str, bool, float) or value is None:
        return value
    if id(value) in seen:
        return seen[id(value)]
    if kind is list:
        copy = seen[id(value)] = []
        copy.extend(duplicate(one, seen) for one in value)
    elif kind is dict:
        copy = seen[id(value)] = {}
        for k, v in value.items():
            copy[k] = duplicate(v, seen)
    elif kind is set:
        copy = seen[id(value)] = set(value)
    else:
        copy = value
    return copy
