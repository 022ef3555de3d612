"""Values of many types: their text, put together from forms, is render's."""

import array
import argparse
import ast
import asyncio
import collections
import dataclasses
import datetime
import decimal
import fractions
import functools
import io
import itertools
import ipaddress
import operator
import os
import pathlib
import queue
import random
import re
import string
import sys
import threading
import time
import types
import typing
import uuid
import weakref

from classes import *
from classes_data import *
from composing import render, text


def ring(make):
    """A list, or the like, within itself."""
    inner = make()
    (inner.append if hasattr(inner, "append") else inner.add if hasattr(inner, "add") else None)(inner)
    return inner


def looped(make, *args):
    d = make(*args)
    d["me"] = d
    return d


def set_all(thing, **names):
    for name, value in names.items():
        object.__setattr__(thing, name, value)
    return thing


def moved():
    d = collections.OrderedDict(a=1, b=2, c=[3])
    d.move_to_end("a")
    d[Node(k=1)] = 5
    d.move_to_end("b", last=False)
    return d


def without(thing, *names):
    for name in names:
        delattr(thing, name)
    return thing


def deep(n):
    value = [n]
    for _ in range(n):
        value = [value]
    return value


def deeper(n):
    one = Node(level=n)
    if n < 6:
        one.inner = deeper(n + 1)
        one.data = Data1(n, [one])
    return one


def cyclic_data():
    d = Data1(1)
    d.y.append(d)
    e = Data2(2, [d], w=None)
    e.w = Node(e=e, d=d)
    return [d, e, d.y, e.w]


def cyclic_point():
    p = Point([], 1)
    p.x.append(p)
    return [p, p.x]


def cyclic_namespace():
    n = types.SimpleNamespace(a=1)
    n.me = n
    n.all = [n]
    return [n, n.all]


def cyclic_error():
    f = ValueError([])
    f.args[0].append(f)
    e = ValueError([], 1)
    e.args[0].append(e)
    return [f, e]


def cyclic_deque():
    d = collections.deque([1], 3)
    d.append([d])
    return d


def cyclic_view():
    d = {}
    d["v"] = d.values()
    return [d, d["v"]]


def cyclic_ordered():
    d = collections.OrderedDict(a=1)
    d["me"] = [d]
    return d


shared = [1]


def values():
    """Each time made anew."""
    leaf = Own(1)
    atoms = [1, 2.5, "x", None, True, b"y", ..., 3j, range(3), NotImplemented, "'\"", "\ud800", 10**5000, "<x at 0x12>"]
    insides = [[], atoms[:5], [leaf], [Node(a=1)], [Bare()], [object()], [[shared, shared], {1: {2}}], [Raises()], [Point(1, [2])],
               ["<x at 0x12>"], [Text("<y at 0x12>")], [OwnText()], [Addressed()], [lambda: 0, len, Node], [{}], [set(), frozenset(), ()],
               [ValueError("x", [1])], [Data1(1, [Node(b=2)])], [collections.deque([Node(c=3)])], [Color.RED, Level.LOW],
               [Own([Bare()])], [(1,), (1, 2)], [Raises(2), 1], [NoText()], [{1: [Raises(3)]}], [Frozen1([Raises(4)])]]
    for inside in insides:
        # What stands around an object that raises is shown by attributes, which are
        # not recorded of these.
        raising = any("Raises" in render.render(x) or type(x) is NoText for x in inside)
        own = () if raising else (OwnDict, OddOrdered)
        yield inside
        yield tuple(inside)
        yield {n: x for n, x in enumerate(inside)}
        yield Node(all=inside, first=inside[:1])
        for make in (List, OwnList, RaisingList, IterList, Tuple, collections.deque, Deque, IterDeque, UserList, collections.UserList):
            yield make(inside)
            yield [make(inside)]
            yield Node(x=make(inside))
            if make is not RaisingList:  # what holds one there looks as if it did not raise
                yield collections.deque([make(inside)])
        yield collections.deque(inside, 2)
        yield Deque(inside, maxlen=1)
        for make in (Dict, IterDict, collections.OrderedDict, Ordered, UserDict, collections.UserDict) + own:
            yield make((str(n), x) for n, x in enumerate(inside))
            yield [make((str(n), x) for n, x in enumerate(inside))]
            yield collections.deque([make((str(n), x) for n, x in enumerate(inside))])
        for factory in (None, int, list, Node, Made, lambda: 0, closure(5), Color, OwnCall(3), Call(a=1), functools.partial(int, 2), Method().f, [].append):
            yield collections.defaultdict(factory, {"a": inside})
        yield Default(int, {n: x for n, x in enumerate(inside)})
        yield Point(inside, 1)
        yield [Typed(1, inside)]
        yield Sub(inside, 2)
        yield SubSlots(1, inside)
        yield OwnPoint(inside, 2)
        yield Data1(1, inside)
        yield [Data2(1, inside, 3, inside)]
        yield Frozen1(inside)
        yield Unshown(inside)
        yield [Unshown(inside), collections.deque([Unshown(inside)])]
        for make in SlottedData:
            yield make(x=inside)
        yield types.SimpleNamespace(a=inside, b=2)
        yield Namespace(a=inside)
        yield [argparse.Namespace(a=inside, b=2)]
        yield OwnNamespace(a=inside)
        for make in (ValueError, Error, KeyError, OwnError, SystemExit):
            yield make()
            yield make(inside)
            yield make(1, inside)
        yield CodeError(inside)
        yield collections.ChainMap({"a": inside}, {}) if not raising else 0
        yield types.MappingProxyType({"a": inside})
        yield types.MappingProxyType(collections.OrderedDict(a=inside))
        yield {"a": inside}.keys()
        yield {"a": inside}.values()
        yield {"a": inside}.items()
        yield collections.OrderedDict(a=inside).values()
        yield Own(inside)
        yield Raises(inside)
        yield set_all(Method(), y=inside).f
        yield [slice(1, 2), slice(1, 2).indices]
    for make in (list, List, collections.deque, Deque, UserList):
        yield make()
        yield ring(make)
        yield [ring(make)]
        yield collections.deque([ring(make)])
    for make in (dict, Dict, collections.OrderedDict, Ordered, UserDict):
        yield make()
        yield looped(make)
        yield [looped(make)]
        yield collections.deque([looped(make)])
    yield looped(collections.defaultdict, int)
    yield [looped(Default, None), looped(Default, OwnCall(1))]
    for make in (set, frozenset, Set, Frozen, IterSet, tuple, Tuple):
        yield make()
        yield make([1, 2, "x"])
        yield make([(1, 2), frozenset([3])])
        yield [make([Bare(), 5])]
        yield collections.deque([make([1]), make(), make([Bare()])])
        yield Node(x=make([leaf]))
    for make in (collections.Counter, Count, OddCount):
        yield make()
        yield make("hello world")
        yield make(a=3, b=5, c=3, d=-1, e=5)
        yield make({Node(a=1): 2, "x": 5, True: 7})
        yield make({"a": True, "b": 2, "c": 10**30, "d": False})
        yield [make("aab"), make()]
        yield collections.deque([make("aab")])
    yield moved()
    yield [moved()]
    yield [Empty(), Renamed(1, 2, 3)]
    yield [Slots(), Both(), One(), Weak(), Bare(), object(), set_all(Weak(), a=1, z=2)]
    yield collections.deque([Slots(), Both(), One(), Weak(), Bare(), object()])
    yield [Text("x"), Number(5), Real(2.5), Data(b"x"), OwnText("y"), OwnNumber(6), True]
    yield collections.deque([Text("x"), Number(5), Real(2.5), Data(b"x"), OwnText("y"), OwnNumber(6), True])
    yield [Color.RED, Color.BLUE, OwnColor.RED, Level.LOW, Perm.R | Perm.W, Name.A, Color, re.I]
    yield {Color.RED: 1, Level.LOW: [Color.BLUE]}
    yield [NoData(), set_all(NoData(), x=1), AllHidden(), OwnData(), Late(1), set_all(Late(1), y=2), without(Data1(1), "x"), Property(), Getattr(), Derived()]
    yield Node(a=Late(1), c=Property(5), d=Getattr())
    yield set_all(Late(1), y=2, z=8)
    yield without(Data1(1), "y")
    yield [set_all(Data1(1), extra=1)]
    yield local_class()
    yield deep(50)
    yield deep(150)
    yield Node(a=deep(98))
    yield collections.deque([deep(120)])
    yield deeper(1)
    yield cyclic_data()
    yield cyclic_point()
    yield cyclic_namespace()
    yield cyclic_error()
    yield [cyclic_deque(), collections.deque([cyclic_deque()])]
    yield cyclic_view()
    yield [cyclic_ordered()]
    yield types.SimpleNamespace()
    yield argparse.Namespace()
    yield [Made(), Made, Meta, Generic(), Generic[int], typing.List[int], typing.Optional[int], list, type, Old(), NoName()]
    yield collections.deque([Made(), Made, Generic(), Old(), NoName(), zip(), iter([])])
    yield [Method().c, "x".join, len, str.join, object().__str__, Method.f, Method.p, Method.__dict__["c"]]
    yield [set_all(Method(), x=1).f, Own(5).__repr__, types.MethodType(len, [1, Bare()]), types.MethodType(OwnCall(1), 2)]
    yield [zip([1]), map(str, []), iter([]), enumerate([]), reversed([]), (x for x in ()), generate(), itertools.count(5), itertools.chain()]
    yield [datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc), datetime.timedelta(1), datetime.time(1)]
    yield [decimal.Decimal("1.5"), fractions.Fraction(1, 3), uuid.UUID(int=5), pathlib.Path("a"), pathlib.PurePosixPath("b")]
    yield [re.compile("a+"), re.match("a", "abc"), ipaddress.ip_address("1.2.3.4"), ast.parse("1").body, string.Template("$x")]
    yield [time.gmtime(0), os.stat("/").__class__, sys.version_info, sys.flags, operator.itemgetter(1), operator.attrgetter("a.b")]
    yield [array.array("i", [1, 2, 3]), bytearray(b"ab'c"), memoryview(b"abc"), array.array("d"), array.array("u", "ab")]
    yield [bytearray(), bytearray(range(256)), bytearray(b"'"), bytearray(b'"'), bytearray(b"'\""), Bytes(b"ab"), Bytes(), OwnBytes(b"x")]
    yield [array.array("d", [0.0, -0.0, float("nan"), 1.5, 1.0, 1e300]), array.array("q", [2**60, 1, 300]), array.array("u"), array.array("f", [0.1])]
    yield collections.deque([array.array("b", [1]), bytearray(b"x"), Array("i", [1]), memoryview(b"abc")])
    yield [io.StringIO("x"), io.BytesIO(b"x"), threading.Lock(), threading.RLock, queue.Queue, random.Random]
    yield [functools.partial(int, base=2), functools.partial(Node, [Bare()], a=leaf), functools.lru_cache(len), weakref.ref, property()]
    yield [weakref.WeakSet(), weakref.WeakValueDictionary().__class__, contextual(), types.GenericAlias(list, (int,)), types.CodeType]
    yield [sys, os.path, compile("1", "f", "eval").__class__, None.__class__, type(Ellipsis), Exception, dataclasses.field]
    yield [queue.Queue(3), collections.abc.Sized, threading.Event, asyncio.Queue.__class__]
    yield queue.Queue(3)
    yield random.Random(1)
    if sys.version_info >= (3, 11):
        yield ExceptionGroup("many", [ValueError(1), Error([Bare()])])
    yield [StopIteration(1), OSError(2, "no", "file"), UnicodeDecodeError("utf-8", b"x", 0, 1, "why"), SyntaxError("bad", ("f", 1, 2, "x"))]


def contextual():
    import contextvars

    return contextvars.ContextVar


def check():
    failed = n = 0
    for value in values():
        n += 1
        want = render.render(value)
        got = render.cut(text(value))
        if got != want:
            failed += 1
            if failed < 20:
                print("%s\n  got  %s\n  want %s" % (type(value).__name__, ascii(got[:600]), ascii(want[:600])))
    print("%d values, %d differ" % (n, failed))


if __name__ == "__main__":
    check()
