import sys
from math import floor, pi
from string import ascii_lowercase

table = {"pi": floor(pi)}


def load():
    return [len(ascii_lowercase), 2, 2]


def join(parts):
    return "/".join(parts)


def total(items):
    t = 0
    for i in items:
        t += i
    return t


def group(words):
    out = {}
    for w in words:
        out.setdefault(w[0], []).append(w)
    return out
