"""The dataclasses of the values that values.py makes."""

import collections
import dataclasses
import sys


@dataclasses.dataclass
class Data1:
    x: int
    y: list = dataclasses.field(default_factory=list)
    z: int = dataclasses.field(default=3, repr=False)


@dataclasses.dataclass
class Data2(Data1):
    w: object = None


@dataclasses.dataclass
class NoData:
    pass


@dataclasses.dataclass(frozen=True)
class Frozen1:
    x: object


@dataclasses.dataclass(repr=False)
class Unshown:
    x: int = 1


@dataclasses.dataclass
class OwnData:
    x: int = 1

    def __repr__(self):
        return "own data %d" % self.x


@dataclasses.dataclass
class Late:
    x: int
    y: int = dataclasses.field(init=False)
    z: int = dataclasses.field(init=False, default=7)


@dataclasses.dataclass
class Property:
    x: int = 1
    y: int = dataclasses.field(init=False)

    @property
    def y(self):
        return self.x + 1

    @y.setter
    def y(self, value):
        pass


@dataclasses.dataclass
class Getattr:
    x: int = 1
    y: int = dataclasses.field(init=False)

    def __getattr__(self, name):
        if name != "y":
            raise AttributeError(name)
        return "got"


@dataclasses.dataclass
class AllHidden:
    x: int = dataclasses.field(default=1, repr=False)


class Derived(Data1):
    def __init__(self):
        super().__init__(5)
        self.extra = 6


SlottedData = [Data1]
if sys.version_info >= (3, 10):

    @dataclasses.dataclass(slots=True, frozen=True)
    class SlottedFrozen:
        x: int
        y: object = None

    @dataclasses.dataclass(slots=True, kw_only=True)
    class Slotted:
        x: int = 1

    SlottedData = [SlottedFrozen, Slotted]


def local_class():
    @dataclasses.dataclass
    class Local:
        x: int = 1

    class Plain:
        pass

    return [Local(), Plain(), [Plain()], collections.deque([Plain()])]
