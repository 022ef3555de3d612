"""Which objects are asked for their text, and what becomes of a class whose __repr__
is refused."""

import argparse
import array
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import importlib.machinery
import importlib.util
import itertools
import os
import pathlib
import re
import sys
import tempfile
import threading
import types
import uuid
import weakref

from composing import forms, npdb, render, text


class Own:
    def __repr__(self):
        return "<own at 0x12>"


class Unready:
    def __repr__(self):
        return "ready %d" % self.x


class Changes:
    def __init__(self):
        self.n = 0

    def __repr__(self):
        self.n += 1
        return "n=%d" % self.n


class ChangesList(list):
    def __repr__(self):
        self.n = 1
        return "never"


class Heir(Own):
    pass


class Error(Exception):
    pass


class Plain:
    pass


class Color(enum.Enum):
    RED = 1


class OwnColor(enum.Enum):
    RED = 1

    def __repr__(self):
        return "red"


class Text(str):
    pass


class OwnText(str):
    def __repr__(self):
        return "<at 0x12>"


Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass
class Data:
    x: int = 1


def asks(value):
    return forms.of(type(value)).asks


# An own __repr__ is asked, and may fail at first.
one = Unready()
kind = forms.of(Unready)
assert kind.asks == "own" and kind.what is forms.ATTRIBUTES
assert kind.text(one) is None and text(one) == "Unready()" == render.render(one)
one.x = 5
assert kind.text(one) == "ready 5" == text(one) == render.render(one)
assert not forms.refused()
assert forms.of(Own).text(Own()) == "<own>" and forms.of(OwnText).text(OwnText()) == "<at 0x12>"
assert [asks(x) for x in (Own(), Heir(), OwnColor.RED, OwnText())] == ["own"] * 4

# What it is made of shows all, or it never changes.
assert [asks(x) for x in (Plain(), [], Point(1, 2), Data(), Error(), {}, collections.deque(), zip(), argparse.Namespace(), slice(1))] == [None] * 10
for value in (Color.RED, Text("x"), re.compile("x"), datetime.date(2020, 1, 1), decimal.Decimal(1), fractions.Fraction(1), pathlib.Path("x"),
              uuid.UUID(int=1), sys, len, asks, Plain, (x for x in ()), list[int], sys.version_info, str.join):
    assert asks(value) == "constant", value
assert [asks(x) for x in (threading.Lock(), sys.stdout, functools.partial(int), threading.Thread())] == ["library"] * 4

borrowing = [forms.of(type(x)).borrows for x in (itertools.count(), weakref.ref(one), threading.Lock(), len, {}.keys())]
assert borrowing == [True, True, False, False, False], borrowing

for value in ({}.keys(), {}.values(), {}.items(), collections.OrderedDict().keys(), types.MappingProxyType({}), [].append.__self__, Own().__repr__,
              collections.UserDict(), collections.ChainMap(), bytearray(), array.array("i"), types.SimpleNamespace(), KeyError(1)):
    assert forms.of(type(value)).what is not forms.TEXT, type(value)

# A class that is refused is shown by attributes from then on, whoever asked.
kind, lists = forms.of(Changes), forms.of(ChangesList)
value, values = Changes(), ChangesList([1])
assert kind.asks == lists.asks == "own" and lists.what is forms.SEQUENCE
assert kind.text(value) is None and value.n == 0
assert forms.refused() == [kind] and not forms.refused()
assert render.render(values) == "ChangesList()"
assert forms.refused() == [lists]
assert forms.of(Changes) is kind and kind.asks is lists.asks is None and lists.what is forms.ATTRIBUTES
assert not (lists.exact or lists.spliced) and lists.members(values) == {}
assert text(value) == render.render(value) == "Changes(n=0)" and text(values) == render.render(values)


class Late(Changes):
    pass


render.render(Late())
assert forms.of(Late).asks is None and forms.of(Late).text(Late()) is None and not forms.refused()


print("asked")

# A module is told from its names alone, as its repr tells it.
apart = types.ModuleType("apart")
with tempfile.TemporaryDirectory() as folder:
    found = importlib.machinery.PathFinder.find_spec(os.path.basename(folder), [os.path.dirname(folder)])
    namespace = importlib.util.module_from_spec(found)
for module in [apart, namespace, *sys.modules.values()]:
    if type(module) is types.ModuleType and not module.__name__.startswith("_npdb"):
        told, wanted = npdb.quiet.module_text(module), render.without_addresses(repr(module))
        assert told == wanted, (told, wanted)
