"""Reading what values are made of runs no code of the program, raises nothing
and keeps nothing alive."""

import collections
import dataclasses
import enum
import gc
import types
import weakref

from composing import forms, text

ran = []
quiet = False


def hostile(name):
    def method(self, *args, **names):
        if not quiet:
            ran.append("%s of %s" % (name, type.__dict__["__name__"].__get__(type(self))))
        raise SystemError(name)

    return method


SPECIAL = """__getattr__ __getattribute__ __len__ __iter__ __eq__ __hash__ __bool__ __getitem__ __contains__ __missing__
__lt__ __index__ __str__ __format__ __dir__ __sizeof__ __copy__ __deepcopy__ __reduce__ __reduce_ex__ __instancecheck__
__subclasscheck__ __call__ __iadd__ __next__ __length_hint__ __reversed__ keys items values copy get update""".split()
evil = {name: hostile(name) for name in SPECIAL}
evil["__class__"] = property(hostile("__class__"))
evil["prop"] = property(hostile("prop"))


class Descriptor:
    def __init__(self, name):
        self.name = name

    def __get__(self, value, cls=None):
        ran.append("descriptor " + self.name)
        raise SystemError(self.name)

    def __set__(self, value, to):
        raise SystemError(self.name)


class Meta(type):
    for name in ("__getattribute__", "__call__", "__iter__", "__len__", "__eq__", "__hash__", "__bool__", "__instancecheck__",
                 "__subclasscheck__", "__contains__", "__repr__", "__str__", "__dir__", "__or__", "__getitem__"):
        locals()[name] = hostile("meta " + name)
    __class__ = property(hostile("meta __class__"))
    __name__ = property(hostile("meta __name__"))
    __mro__ = property(hostile("meta __mro__"))
    __dict__ = property(hostile("meta __dict__"))
    __module__ = "__main__"


def new(cls, *args):
    """An instance, made without its class's help."""
    for base in (list, tuple, dict, set, frozenset, collections.deque, BaseException, types.SimpleNamespace, object):
        if issubclass(cls, base):
            return base.__new__(cls, *args)


def made(name, bases, more=(), meta=type):
    return type.__new__(meta, name, bases, dict(evil, **dict(more)))


values = []
for meta in (type, Meta):
    for base in (object, list, tuple, dict, set, frozenset, collections.deque, collections.defaultdict, Exception,
                 types.SimpleNamespace, collections.OrderedDict, collections.Counter, collections.UserDict):
        if meta is Meta and type(base) is not type:
            continue
        cls = made("Odd" + base.__name__, (base,), meta=meta)
        values.append(new(cls))
    values.append(new(made("OddSlots", (object,), {"__slots__": ("a", "b")}, meta)))
    values.append(new(made("OddRepr", (object,), {"__repr__": Descriptor("__repr__")}, meta)))
    values.append(new(made("OddDict", (object,), {"__dict__": property(hostile("__dict__"))}, meta)))
    replaced = made("Replaced", (object,), {"__slots__": ("a",)}, meta)
    type.__setattr__(replaced, "a", Descriptor("a"))
    values.append(new(replaced))
filled = new(made("Filled", (object,)))
object.__setattr__(filled, "a", 1)
object.__getattribute__(filled, "__dict__")["b"] = filled
values.append(filled)


class Keys(dict):
    keys = items = values = __iter__ = __getitem__ = copy = hostile("Keys")


class Held:
    pass


held = Held()
held.__dict__ = Keys(a=1)
values.append(held)


@dataclasses.dataclass
class Data:
    x: int
    prop: int = dataclasses.field(init=False, repr=True)

    @property
    def prop(self):
        ran.append("prop")
        raise SystemError

    @prop.setter
    def prop(self, value):
        pass


values.append(Data(1))


class Key:
    __hash__ = None

    def __init__(self):
        self.n = 0

    def __hash__(self):
        if not quiet:
            ran.append("__hash__ of Key")
        return 7

    def __eq__(self, other):
        if not quiet:
            ran.append("__eq__ of Key")
        return self is other


quiet = True
keys = [Key() for _ in range(9)]
inside = [set(keys), frozenset(keys), dict.fromkeys(keys, 1), collections.OrderedDict.fromkeys(keys), collections.Counter(dict.fromkeys(keys, 2)),
          collections.defaultdict(int, dict.fromkeys(keys, 1)), {k: k for k in keys}.keys(), {k: k for k in keys}.values(), {k: k for k in keys}.items()]
inside[3].move_to_end(keys[0])
nasty = values + keys
inside += [list(nasty), tuple(nasty), collections.deque(nasty), dict(enumerate(nasty)), collections.OrderedDict(enumerate(nasty)),
           types.SimpleNamespace(**{"n%d" % n: x for n, x in enumerate(nasty)}), ValueError(*nasty),
           types.MappingProxyType(dict(enumerate(nasty))), types.MethodType(len, filled)]
inside.append(types.MappingProxyType(values[3]))
quiet = False


def look(value):
    cls = type(value)
    kind = forms.of(cls)
    assert kind is forms.of(cls) and kind.cls is cls
    form = kind.form(value)
    assert all(type(field) is str for field in form), form
    kind.weak, kind.finalizer, kind.asks
    if kind.what is forms.DICT:
        list(map(list, kind.items(value)))
    elif kind.what is forms.ATTRIBUTES:
        assert type(kind.members(value)) is dict
    elif kind.what in (forms.SEQUENCE, forms.SET):
        assert type(kind.items(value)) is list


for value in values + keys + inside:
    look(value)
    assert not ran, (type(value), ran[:5])
for value in inside[:9]:
    text(value)
assert not ran, ran

# Nothing is kept alive, and nothing dies later than without.
died = []


class Mortal:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        died.append(self.name)


class Grave(collections.deque):
    def __del__(self):
        died.append("grave")


Point = collections.namedtuple("Point", "x")


@dataclasses.dataclass
class Box:
    x: object


def factory():
    one = Mortal("factory")
    return lambda: one


makers = [
    lambda one: one,
    lambda one: [one],
    lambda one: {1: one},
    lambda one: {one},
    lambda one: collections.deque([one]),
    lambda one: collections.deque([one], 3),
    lambda one: collections.defaultdict(lambda: one, a=one),
    lambda one: collections.defaultdict(type("Gone", (Mortal,), {"__call__": None})("within"), a=one),
    lambda one: collections.OrderedDict(a=one),
    lambda one: collections.Counter({one: 1}),
    lambda one: Point(one),
    lambda one: Box(one),
    lambda one: types.SimpleNamespace(a=one),
    lambda one: ValueError(one),
    lambda one: types.MappingProxyType({1: one}),
    lambda one: {1: one}.values(),
    lambda one: {1: one}.items(),
    lambda one: types.MethodType(len, one),
    lambda one: collections.UserList([one]),
    lambda one: Grave([one]),
]
gc.collect()
for make in makers:
    one = Mortal("one")
    within = weakref.ref(one)
    value = make(one)
    del one
    look(value)
    del died[:]
    del value
    assert "one" in died and within() is None, (make.__code__.co_firstlineno, died)

# What the kinds say beside.
weak = [Box, Mortal, Grave, set, frozenset, collections.deque, type, types.FunctionType, enum.Enum, collections.OrderedDict]
strong = [list, dict, tuple, Point, collections.UserDict.__bases__[0].__class__ and int, types.SimpleNamespace, collections.defaultdict]
assert all(forms.of(cls).weak for cls in weak), [cls for cls in weak if not forms.of(cls).weak]
assert not any(forms.of(cls).weak for cls in strong), [cls for cls in strong if forms.of(cls).weak]
assert forms.of(Mortal).finalizer and forms.of(Grave).finalizer and not forms.of(Box).finalizer
print("untouched")
