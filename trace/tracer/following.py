"""Finds the object that a path of places leads to, from a frame's names and without
running code of the program. follower() converts a path to a function.
"""

from _npdb.forms_arrays import buffer_class
from _npdb.known import ALL, DEQUE, DICTS, FieldType, REACH
from _npdb.places import FUNCTIONS, KEYS, OPERATORS, operator, spelled
from _npdb.render import ATOMS

type_mro = type.__dict__["__mro__"].__get__
type_dict = type.__dict__["__dict__"].__get__
MISSING = object()
ModuleType = type(operator)
FunctionType = type(lambda: None)
BuiltinType = type(len)
MemberType = type(type("", (), {"__slots__": ("a",)}).a)

NUMBERED = {bytearray}  # and array.array: classes whose elements are atoms
NUMBERS = frozenset((int, float, bool))
SMALL = 1 << 64


class Lost(Exception):
    """A path leads through code of the program or of a library. level says how much
    must be examined instead."""

    level = ALL


class Within(Lost):
    """A path leads to an object that its first name reaches."""

    level = REACH


class Gone(Lost):
    """There is nothing at the end of a path that could have changed."""

    level = 0


def later(p, scope):
    """Returns a function like follower's, which is compiled at its first call."""
    made = None

    def where(L, G):
        nonlocal made
        if made is None:
            made = follower(p, scope)
        return made(L, G)

    return where


followers = {}


def follower(p, scope):
    """Returns a path as a function of a frame's locals and globals. The function
    returns None if there is nothing at the end of the path. It raises Lost where it
    cannot follow the path."""
    text = spelled(p, scope)
    found = followers.get(text)
    if found is None:
        found = followers[text] = eval(compile("lambda L, G: " + text, "<npdb place>", "eval", 0, True), FOLLOWING)
    return found


def attribute(v, name):
    """Returns v.name, if it is a plain attribute, a slot or a module's name."""
    kind = type(v)
    if v is None:
        return None
    if kind is ModuleType:
        return v.__dict__.get(name)
    if issubclass(kind, type):
        return class_attribute(v, kind, name)
    found = MISSING
    for k in type_mro(kind):
        d = type_dict(k)
        if found is MISSING and name in d:
            found = d[name]
        if "__getattribute__" in d and k is not object:
            if k is kind or k.__flags__ & 512:  # a class defined by Python code, or a heap type defined in C
                if type(d["__getattribute__"]) is FunctionType:
                    raise Lost
    if found is not MISSING:
        how = type(found)
        if how is MemberType:
            try:
                return found.__get__(v, kind)
            except AttributeError:
                return None
        if how is FieldType:
            return found.__get__(v, kind)
        if how is property or hasattr_type(how, "__set__"):
            raise Lost
    try:
        d = object.__getattribute__(v, "__dict__")
    except AttributeError:
        d = ()
    if name in d:
        return d[name]
    if found is MISSING:
        if hasattr_type(kind, "__getattr__"):
            raise Lost
        return None
    if hasattr_type(how, "__get__"):
        raise Lost
    return found


type_own = {name: type.__dict__[name] for name in ("__name__", "__qualname__")}  # getters that run no code of the program


def class_attribute(v, kind, name):
    if name in type_own and lookup(kind, name) is type_own[name]:
        return type_own[name].__get__(v)
    if hasattr_type(kind, name) and hasattr_type(type(lookup(kind, name)), "__set__") or name in ("__dict__", "__mro__"):
        raise Lost
    found = lookup(v, name)
    if found is MISSING:
        raise Lost
    if hasattr_type(type(found), "__get__") and type(found) is not FunctionType:
        raise Lost
    return found


def lookup(kind, name):
    """Returns the object that a class or its bases bind to a name."""
    for k in type_mro(kind):
        d = type_dict(k)
        if name in d:
            return d[name]
    return MISSING


def hasattr_type(kind, name):
    return lookup(kind, name) is not MISSING


def simple(key):
    kind = type(key)
    if kind in KEYS:
        return True
    if kind is tuple:
        for part in key:
            if not simple(part):
                return False
        return True
    return lookup(kind, "__hash__") is object.__hash__ and lookup(kind, "__eq__") is object.__dict__["__eq__"]


def item(v, key):
    """Returns v[key], if v is a list, tuple, deque or dict with the default lookup."""
    kind = type(v)
    if kind in ATOMS:
        return None
    if kind not in DICTS and kind is not list and kind is not tuple and kind is not DEQUE:
        get = lookup(kind, "__getitem__")
        if get is MISSING or get is object:
            raise Lost
        if get is not dict.__dict__["__getitem__"] and get is not list.__dict__["__getitem__"] and get is not tuple.__dict__["__getitem__"]:
            if kind in NUMBERED or buffer_class(kind) is kind:
                NUMBERED.add(kind)
                return None  # a number
            raise Lost
    if isinstance(v, dict):
        if not simple(key):
            raise Within
        found = dict.get(v, key, MISSING)
        if found is not MISSING:
            return found
        if kind not in DICTS and kind.__module__ != "collections" and hasattr_type(kind, "__missing__"):
            raise Lost
        return None
    if type(key) is not int:
        raise Within
    try:
        if kind is DEQUE:
            return v[key]
        return (tuple if isinstance(v, tuple) else list).__getitem__(v, key)
    except IndexError:
        return None


def element(v, key):
    """Returns v[key] inside a key. A place in a str or an array contains nothing that
    can change, but its value determines where the key leads."""
    kind = type(v)
    if kind is str or kind is bytes:
        if type(key) is int and -len(v) <= key < len(v):
            return v[key]
        raise Within
    found = item(v, key)
    if found is None and (kind in ATOMS or kind in NUMBERED):
        raise Within
    return found


def default(v, key):
    """Returns the result of d.setdefault(key, …)."""
    kind = type(v)
    if kind in DICTS:
        return item(v, key)
    raise Lost


def returned(v):
    raise Lost


def namespace(v):
    """Returns the attributes of an object as the dict that other code may refer to."""
    if type(type(v)) is not type:
        return None
    try:
        return object.__getattribute__(v, "__dict__")
    except AttributeError:
        return None


def object_(v):
    if type(v) is dict:
        raise Lost
    return v


def arithmetic(name, *values):
    for v in values:
        if type(v) not in NUMBERS or not -SMALL < v < SMALL:
            if type(v) is not str or name != "Add" or type(values[0]) is not str:
                raise Within
    try:
        return OPERATORS[name](*values)
    except (TypeError, ValueError, ArithmeticError):
        raise Within


SIZED = frozenset((list, tuple, dict, set, frozenset, str, bytes, range))


def atomic(name, *values):
    if name == "len":
        if type(values[0]) not in SIZED and type(values[0]) not in DICTS:
            raise Within
    else:
        for v in values:
            if type(v) not in NUMBERS and (type(v) is not str or len(v) > 64):
                raise Within
    try:
        return FUNCTIONS[name](*values)
    except (TypeError, ValueError, ArithmeticError):
        raise Within


FOLLOWING = {
    "attribute": attribute, "object": object_, "namespace": namespace, "item": item, "element": element, "default": default, "arithmetic": arithmetic, "atomic": atomic, "returned": returned,
    "__builtins__": {},
}
