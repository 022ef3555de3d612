# Functions of the standard library that change an argument, or an object seen elsewhere.
import contextlib
import io
import logging
import random
import struct
import warnings


class Deck:
    def __init__(self, cards, seed):
        self.cards, self.rng = cards, random.Random(seed)

    def shuffle(self, cards):
        self.rng.shuffle(cards)
        return len(cards)

    @property
    def all(self):
        return self.cards


def all_cards():
    return cards


def leave(log, x):
    with contextlib.ExitStack() as stack:
        stack.callback(log.append, x)
        inside = len(log)
    return inside, len(log)


def warn_twice():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("one")
        n = len(caught)
        warnings.warn("two")
        n += len(caught)
    return n


class Names:
    pass


def keep(names, name, value):
    inside = vars(names)
    setattr(names, name, value)
    delattr(names, name)
    setattr(names, name, [value])
    return inside


cards = [1, 2, 3, 4, 5, 6]
deck = Deck(cards, 1)
deck.shuffle(cards)
rng = random.Random(2)
rng.sample(cards, 2)
pick = rng.shuffle
pick(all_cards())
pick(deck.all)
buffer = bytearray(4)
io.BytesIO(b"hello").readinto(buffer)
read = io.BytesIO(b"world")
read.readinto(buffer)
packed = struct.Struct("I")
packed.pack_into(buffer, 0, 5)
left = leave([], 1)
warned = warn_twice()
root = logging.getLogger()
log = logging.getLogger("app")
logging.basicConfig(level=logging.DEBUG)
kid = logging.getLogger("app.kid")
log.setLevel(logging.ERROR)
size = len(log.handlers)
names = Names()
keep(names, "a", 1)
add = list.append
add(all_cards(), 7)
filters = warnings.filters
warnings.resetwarnings()
print(cards, buffer, left, warned, size, names.a)
