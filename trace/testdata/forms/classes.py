"""The classes of the values that values.py makes."""

import argparse
import array
import collections
import enum
import functools
import types
import typing

Point = collections.namedtuple("Point", "x y")
Empty = collections.namedtuple("Empty", "")
Renamed = collections.namedtuple("Renamed", "def a a", rename=True)


class Typed(typing.NamedTuple):
    a: int
    b: list = []


class Sub(Point):
    pass


class SubSlots(Point):
    __slots__ = ()

    def norm(self):
        return self.x


class OwnPoint(Point):
    def __repr__(self):
        return "P<%r>" % self.x


class Node:
    def __init__(self, **names):
        self.__dict__.update(names)


class Slots:
    __slots__ = ("a", "__b", "unset")

    def __init__(self):
        self.a, self.__b = 1, [2]


class Both(Slots):
    def __init__(self):
        super().__init__()
        self.c = 3


class One:
    __slots__ = "only"


class Weak:
    __slots__ = ("a", "__weakref__", "__dict__")


class Bare:
    pass


class Own:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return "Own(%r)" % (self.x,)


class Call(Node):
    def __call__(self):
        return 1


class OwnCall(Own):
    def __call__(self):
        return 2


class Raises:
    def __init__(self, x=1):
        self.x = x

    def __repr__(self):
        return 1 / 0


class NoText:
    def __repr__(self):
        return 5


class Addressed:
    def __repr__(self):
        return "<Addressed at 0x7f00 in <x at 0xAB> at 0x12>"


class Text(str):
    pass


class OwnText(str):
    def __repr__(self):
        return "T<x at 0x12>"


class Number(int):
    pass


class Real(float):
    pass


class Data(bytes):
    pass


class OwnNumber(int):
    def __repr__(self):
        return "N%d" % self


class List(list):
    pass


class OwnList(list):
    def __repr__(self):
        return "OwnList(%d)" % len(self)


class RaisingList(list):
    def __repr__(self):
        raise ValueError


class IterList(list):
    def __iter__(self):
        return iter("abc")


class Bytes(bytearray):
    pass


class OwnBytes(bytearray):
    def __repr__(self):
        return "own %d" % len(self)


class Array(array.array):
    pass


class Tuple(tuple):
    pass


class Dict(dict):
    pass


class OwnDict(dict):
    def __repr__(self):
        return "OwnDict(%s)" % dict.__repr__(self)


class IterDict(dict):
    def __iter__(self):
        return iter("abc")

    keys = items = values = __getitem__ = __iter__


class Set(set):
    pass


class IterSet(set):
    def __iter__(self):
        return iter("abc")


class Frozen(frozenset):
    pass


class Deque(collections.deque):
    pass


class IterDeque(collections.deque):
    def __iter__(self):
        return iter("abc")


class Default(collections.defaultdict):
    pass


class Ordered(collections.OrderedDict):
    pass


class OddOrdered(collections.OrderedDict):
    def __iter__(self):
        return iter(sorted(dict.keys(self)))

    def keys(self):
        return sorted(dict.keys(self))

    def items(self):
        return [(k, dict.__getitem__(self, k)) for k in self]


class Count(collections.Counter):
    pass


class OddCount(collections.Counter):
    def most_common(self, n=None):
        return [("never", 1)]


class UserDict(collections.UserDict):
    pass


class UserList(collections.UserList):
    pass


class Color(enum.Enum):
    RED = 1
    BLUE = [2]


class OwnColor(enum.Enum):
    RED = 1

    def __repr__(self):
        return "red"


class Level(enum.IntEnum):
    LOW = 1


class Perm(enum.Flag):
    R = 1
    W = 2


class Name(str, enum.Enum):
    A = "a"


class Error(Exception):
    pass


class CodeError(Exception):
    def __init__(self, code):
        self.code = code


class OwnError(Exception):
    def __repr__(self):
        return "own error"


class Namespace(types.SimpleNamespace):
    pass


class OwnNamespace(argparse.Namespace):
    pass


def closure(n):
    return lambda: n


def generate():
    yield 1


class Meta(type):
    def __repr__(cls):
        return "Meta!%s" % cls.__name__


class Made(metaclass=Meta):
    pass


class Generic(typing.Generic[typing.TypeVar("T")]):
    pass


class Method:
    def __init__(self):
        self.x = [1]

    def f(self):
        pass

    @classmethod
    def c(cls):
        pass

    @property
    def p(self):
        raise SystemError("asked")

    @functools.cached_property
    def q(self):
        raise SystemError("asked")


Old = type("Old", (), {"__module__": 5})
NoName = type("with space", (), {"__qualname__": "a.b"})
