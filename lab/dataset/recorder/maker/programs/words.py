"""Names, words and plain literals for the program families.

Names and English words are collected once, at import, from the standard library of the running
interpreter, so they are those of real code. They are sorted, so the same interpreter and the
same `rng` lead to the same result. Every function has a `random.Random` as its parameter and is
fast.
"""

import random

from .harvested import (ATTRIBUTES, CLASSES, CLASS_PARTS, COMMON, LETTERS,
                        NAMES, PLAIN, SNAKE, VERBS, WORDS)

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_DIGITS = "0123456789"
_PUNCT = ",.;:!?-_+*/()[]{}<>@#$%^&|~='\""
_EXOTIC = "éüñßÀñçøλЖя中日ć€"
_ALPHABETS = (_LOWER, _LOWER, _LOWER, _LOWER + " ", _LOWER + _UPPER,
              _LOWER + _UPPER + _DIGITS, _UPPER, _DIGITS, _LOWER + _DIGITS,
              "abc", "ab", "xyz", "aeiou" + _LOWER, "01",
              _LOWER + _UPPER + " " + _DIGITS + ",.-_!",
              _PUNCT + _LOWER, ",;:. x", "aAbB", _DIGITS + "-. ")


def pick(rng, seq):
    """Returns one element. It is faster than rng.choice, with which most of the time would be
    spent."""
    return seq[int(rng.random() * len(seq))]


# ---------------------------------------------------------------- names

def name(rng):
    """Returns one identifier for a variable."""
    roll = rng.random()
    if roll < 0.30:
        return pick(rng, LETTERS)
    if roll < 0.66:
        return pick(rng, COMMON)
    if roll < 0.80:
        return pick(rng, PLAIN)
    if roll < 0.93:
        return pick(rng, SNAKE)
    if roll < 0.97:
        return pick(rng, COMMON) + pick(rng, ("1", "2", "_", "3", "s_", "_0"))
    return pick(rng, ("new", "max", "min", "old", "num", "cur", "is")) + "_" + \
        pick(rng, COMMON)


def names(rng, n):
    """Returns a list of n distinct identifiers."""
    out = []
    seen = set()
    while len(out) < n:
        new = name(rng)
        if new not in seen:
            seen.add(new)
            out.append(new)
    return out


def function_name(rng):
    """Returns a name for a function, 'f' half of the time."""
    roll = rng.random()
    if roll < 0.5:
        return "f"
    if roll < 0.58:
        return pick(rng, "ghfk")
    if roll < 0.70:
        return pick(rng, ("solve", "run", "process", "compute", "helper", "main",
                          "transform", "check", "convert", "encode", "build",
                          "do_it", "func", "fn", "work", "test", "demo"))
    if roll < 0.92:
        return pick(rng, VERBS) + "_" + pick(rng, COMMON)
    return pick(rng, SNAKE)


def class_name(rng):
    """Returns a name for a class."""
    roll = rng.random()
    if roll < 0.1:
        return pick(rng, "ABCPQN")
    if roll < 0.75 or not CLASSES:
        return pick(rng, CLASS_PARTS)
    if roll < 0.85:
        return pick(rng, ("My", "Base", "Simple", "Smart", "Tiny")) + \
            pick(rng, CLASS_PARTS)
    return pick(rng, CLASSES)


def attribute(rng):
    """Returns a name for an attribute or a method's subject."""
    roll = rng.random()
    if roll < 0.6:
        return pick(rng, ATTRIBUTES)
    if roll < 0.75:
        return "_" + pick(rng, ATTRIBUTES)
    return pick(rng, COMMON) if roll < 0.9 else pick(rng, SNAKE)


# ---------------------------------------------------------------- strings

def word(rng):
    """Returns an English word, mostly in lower case."""
    text = pick(rng, WORDS)
    roll = rng.random()
    if roll < 0.8:
        return text
    if roll < 0.9:
        return text.capitalize()
    if roll < 0.97:
        return text.upper()
    return text.swapcase() if roll < 0.98 else text[:1] + text[1:].upper()


def sentence(rng):
    """Returns two to five words, sometimes with punctuation."""
    text = " ".join([word(rng) for _ in range(2 + int(rng.random() * 4))])
    roll = rng.random()
    if roll < 0.3:
        text = text[:1].upper() + text[1:] + pick(rng, ".!?")
    elif roll < 0.4:
        text = text.replace(" ", pick(rng, (", ", "  ", "-", "_", ",", ": ")))
    elif roll < 0.45:
        text = " " + text + "  "
    return text


def gibberish(rng, n=None):
    """Returns random characters of one alphabet: 'hbtofdeiequ', 'a-B_3 c', ',,x;'."""
    if n is None:
        n = 1 + int(rng.random() * rng.random() * 14) \
            if rng.random() < 0.6 else 3 + int(rng.random() * 14)
    alphabet = pick(rng, _ALPHABETS)
    size = len(alphabet)
    draw = rng.random
    text = "".join([alphabet[int(draw() * size)] for _ in range(n)])
    if n > 1:
        roll = draw()
        if roll < 0.08:         # runs of one character, so that counting and squeezing matter
            at = int(draw() * n)
            text = (text[:at] + text[at] * 3 + text[at + 1:])[:n]
        elif roll < 0.11:
            at = int(draw() * n)
            text = text[:at] + pick(rng, "\t\n  ") + text[at + 1:]
        elif roll < 0.13:
            at = int(draw() * n)
            text = text[:at] + pick(rng, _EXOTIC) + text[at + 1:]
        elif roll < 0.17:       # repeated halves
            half = text[:(n + 1) // 2]
            text = (half + half)[:n]
        elif roll < 0.20:       # palindromes
            half = text[:n // 2]
            text = half + text[n // 2:(n + 1) // 2] + half[::-1]
    return text


def number_text(rng):
    """Returns a string that is a number, or almost one."""
    roll = rng.random()
    text = str(integer(rng))
    if roll < 0.6:
        return text
    if roll < 0.7:
        return text + "." + str(int(rng.random() * 100))
    if roll < 0.8:
        return text.zfill(len(text) + 2)
    return text + pick(rng, " abx.,+")


def joined(rng):
    """Returns fields joined by one separator: 'a,b,,c', 'k=v;q=2'."""
    sep = pick(rng, (",", ", ", ";", "|", "-", "_", " ", ":", "/", ".", "\n"))
    fields = [word(rng) if rng.random() < 0.4 else
              gibberish(rng, 1 + int(rng.random() * 4)) if rng.random() < 0.6
              else str(int(rng.random() * 40)) if rng.random() < 0.8 else ""
              for _ in range(2 + int(rng.random() * 4))]
    if rng.random() < 0.2:
        fields = [field + "=" + str(int(rng.random() * 20)) for field in fields]
    return sep.join(fields)


def string(rng):
    """Returns a string of at most some 30 characters. One in 20 is empty."""
    roll = rng.random()
    if roll < 0.05:
        return ""
    if roll < 0.20:
        return word(rng)
    if roll < 0.33:
        return sentence(rng)[:32]
    if roll < 0.42:
        return joined(rng)[:32]
    if roll < 0.47:
        return number_text(rng)
    if roll < 0.55:
        return pick(rng, PLAIN) + str(int(rng.random() * 1000)) \
            if rng.random() < 0.3 else pick(rng, NAMES)
    return gibberish(rng)


def char(rng):
    """Returns one character, mostly a letter."""
    roll = rng.random()
    if roll < 0.6:
        return pick(rng, _LOWER)
    if roll < 0.72:
        return pick(rng, _UPPER)
    if roll < 0.82:
        return pick(rng, _DIGITS)
    if roll < 0.99:
        return pick(rng, " ,.-_;:!?#/*+=@$%&()|'")
    return pick(rng, _EXOTIC)


def piece(rng, text):
    """Returns a short string that occurs in `text` about half of the time."""
    if text and rng.random() < 0.6:
        at = int(rng.random() * len(text))
        return text[at:at + pick(rng, (1, 1, 1, 2, 2, 3))]
    roll = rng.random()
    return char(rng) if roll < 0.6 else gibberish(rng, 2) if roll < 0.85 \
        else word(rng)


# ---------------------------------------------------------------- numbers

def integer(rng):
    """Returns an integer: mostly small, sometimes negative or with two to four digits, rarely
    large."""
    roll = rng.random()
    if roll < 0.50:
        return int(rng.random() * 11)
    if roll < 0.62:
        return -1 - int(rng.random() * 12)
    if roll < 0.85:
        return int(rng.random() * 100)
    if roll < 0.93:
        return 100 + int(rng.random() * 900)
    if roll < 0.96:
        return -int(rng.random() * 1000)
    if roll < 0.99:
        return 1000 + int(rng.random() * 9000)
    return int(rng.random() * 10 ** 9)


def floating(rng):
    """Returns a float with few digits."""
    return round(rng.random() * pick(rng, (1, 10, 100)) *
                 (-1 if rng.random() < 0.2 else 1), pick(rng, (1, 1, 2, 0)))


def number(rng):
    """Returns an integer, or one time in eight a float."""
    return floating(rng) if rng.random() < 0.125 else integer(rng)


# ---------------------------------------------------------------- collections

def length(rng, most=10):
    """Returns a number of elements: mostly three to six, sometimes none, one or many."""
    roll = rng.random()
    if roll < 0.05:
        return 0
    if roll < 0.12:
        return 1
    return min(most, 2 + int(rng.random() * (5 if roll < 0.8 else 9)))


def number_list(rng, n=None):
    """Returns a list of integers: in a small or large range, sorted or not, with
    duplicates."""
    n = length(rng) if n is None else n
    roll = rng.random()
    if roll < 0.3:
        out = [int(rng.random() * 6) for _ in range(n)]
    elif roll < 0.55:
        out = [int(rng.random() * 20) - 4 for _ in range(n)]
    elif roll < 0.8:
        out = [int(rng.random() * 100) for _ in range(n)]
    elif roll < 0.85:
        start, step = integer(rng), 1 + int(rng.random() * 4)
        out = list(range(start, start + n * step, step))
    else:
        out = [integer(rng) for _ in range(n)]
    if rng.random() < 0.12:
        out.sort(reverse=rng.random() < 0.3)
    if n > 1 and rng.random() < 0.25:
        out[int(rng.random() * n)] = out[int(rng.random() * n)]
    return out


def string_list(rng, n=None):
    """Returns a list of strings of one kind or of several, with duplicates."""
    n = length(rng, 7) if n is None else n
    roll = rng.random()
    if roll < 0.3:
        out = [word(rng) for _ in range(n)]
    elif roll < 0.5:
        out = [char(rng) for _ in range(n)]
    elif roll < 0.75:
        out = [gibberish(rng, 1 + int(rng.random() * 5)) for _ in range(n)]
    else:
        out = [string(rng)[:12] for _ in range(n)]
    if n > 1 and rng.random() < 0.3:
        out[int(rng.random() * n)] = out[int(rng.random() * n)]
    return out


def mapping(rng, n=None):
    """Returns a dict with string or integer keys and values of one kind."""
    n = length(rng, 6) if n is None else n
    roll = rng.random()
    keys = string_list(rng, n) if roll < 0.75 else number_list(rng, n)
    roll = rng.random()
    if roll < 0.5:
        values = number_list(rng, n)
    elif roll < 0.85:
        values = string_list(rng, n)
    elif roll < 0.93:
        values = [number_list(rng, int(rng.random() * 4)) for _ in range(n)]
    else:
        values = [pick(rng, (True, False, None, 0, "", 1.5)) for _ in range(n)]
    return dict(zip(keys, values))


def pair_list(rng, n=None):
    """Returns a list of (string, number) tuples."""
    n = length(rng, 6) if n is None else n
    return list(zip(string_list(rng, n), number_list(rng, n)))


def matrix(rng):
    """Returns a list of lists of small integers, mostly rectangular."""
    rows, cols = 1 + int(rng.random() * 3), 1 + int(rng.random() * 4)
    out = [[int(rng.random() * 10) for _ in range(cols)] for _ in range(rows)]
    if rng.random() < 0.15:
        out[-1] = out[-1][:-1]
    return out


def scalar(rng):
    """Returns a string, a number, a bool or None."""
    roll = rng.random()
    if roll < 0.45:
        return string(rng)
    if roll < 0.85:
        return integer(rng)
    return pick(rng, (True, False, None)) if roll < 0.93 else floating(rng)


def value(rng):
    """Returns any value that can be written as a literal."""
    roll = rng.random()
    if roll < 0.5:
        return scalar(rng)
    if roll < 0.66:
        return number_list(rng)
    if roll < 0.8:
        return string_list(rng)
    if roll < 0.9:
        return mapping(rng)
    if roll < 0.94:
        return tuple(number_list(rng)[:4])
    return matrix(rng) if roll < 0.97 else [scalar(rng) for _ in range(3)]


if __name__ == "__main__":
    # Prints samples.
    _rng = random.Random(1)
    for _make in (name, function_name, class_name, attribute, word, sentence,
                  gibberish, joined, string, char, integer, number,
                  number_list, string_list, mapping, pair_list, matrix, value):
        print(_make.__name__, [_make(_rng) for _ in range(12)])
