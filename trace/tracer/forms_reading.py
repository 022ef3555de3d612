"""Reads the shallow content of the program's objects without calling any method,
descriptor or metaclass of the program.
"""

from _npdb import forms_library as known
from _npdb import render

SEQUENCE, SET, DICT, ATTRIBUTES, TEXT = range(5)

mro_of, dict_of, name_of = render.mro_of, render.dict_of, render.name_of
MemberType, lookup = render.MemberType, render.lookup
qualname_of = type.__dict__["__qualname__"].__get__
GetSetType, FunctionType = render.GetSetType, render.FunctionType


def odd(cls):
    """Returns whether reading an attribute may run code of the program."""
    return lookup(cls, "__getattribute__") is not object.__getattribute__ or lookup(cls, "__getattr__") is not None


def fields(kind, name, open, close, empty="", single="", cycle="", style="repr", bare="", shown=(), own="", reads=""):
    return (kind, name, open, close, empty, single, cycle, style, bare, own, reads) + tuple(shown)


def with_own(form, own):
    return form[:9] + (own,) + form[10:]


def reader(cls):
    """Returns a function that gives the attributes of an instance as a fresh dict, in
    the order of render.attributes. Returns None if that would run code of the program."""
    holder = lookup(cls, "__dict__")
    found = []
    for c in reversed(mro_of(cls)):
        members = dict_of(c)
        names = members.get("__slots__", ())
        if type(names) is str:
            names = (names,)
        elif type(names) not in (tuple, list, dict, set, frozenset):
            return None
        for name in names:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__"):
                name = "_%s%s" % (name_of(c).lstrip("_"), name)
            member = members.get(name)
            if type(member) is MemberType:
                found.append((name, member.__get__))
            elif lookup(type(member), "__get__") is not None:
                return None
    if holder is not None and type(holder) is not GetSetType:
        return None
    if holder is None:
        return lambda value: slots_of(found, value)
    get = holder.__get__
    if not found:

        def read(value):
            names = get(value)
            return names.copy() if type(names) is dict else plain_dict(names)

    else:

        def read(value):
            names = get(value)
            names = names.copy() if type(names) is dict else plain_dict(names)
            names.update(slots_of(found, value))
            return names

    return read


def slots_of(found, value):
    names = {}
    for name, get in found:
        try:
            names[name] = get(value)
        except AttributeError:  # not set
            pass
    return names


def plain_dict(names):
    """Copies a dict of a derived class that is used as an object's __dict__, without
    calling its own methods."""
    if not isinstance(names, dict):
        return {}
    return {name: value for name, value in dict.items(names) if type(name) is str}


def read_dict(value):
    return dict.keys(value), dict.values(value)


def read_ordered(value):
    """Returns the entries of an OrderedDict. move_to_end changes an order that the
    underlying dict does not have. That order is read if key lookups run no code of the
    program."""
    inner = list(dict.keys(value))
    found = list(dict.values(value))
    if not render.ATOMS.issuperset(map(type, inner)) and not all(map(hashes_quietly, inner)):
        return inner, found
    try:
        keys = list(known.OrderedDict.__iter__(value))
    except (RuntimeError, KeyError):
        return inner, found
    order = list(map(id, keys))
    places = list(map(id, inner))
    if order == places or len(order) != len(places):
        return inner, found
    by = dict(zip(places, found))
    try:
        return keys, [by[key] for key in order]
    except KeyError:
        return inner, found


def hashes_quietly(key):
    cls = type(key)
    if cls is tuple:
        return all(map(hashes_quietly, key))
    return cls in render.ATOMS or lookup(cls, "__hash__") is object.__hash__


def named(names):
    return {name: value for name, value in names.items() if type(name) is str and name}


def written(cls):
    """Returns the location of the __repr__ of a class as FILE:LINE, with the number of
    the file, or "-" if unknown."""
    method = lookup(cls, "__repr__")
    code = method.__code__ if type(method) is FunctionType else None
    if code is None or code.co_freevars:
        return "-"
    file = known.files.get(code.co_filename)
    return "%d:%d" % (file.index, code.co_firstlineno) if file else "-"


def reads(cls, base=object):
    """Returns which operations on an instance follow from its attributes, as words. "name":
    type(x).__name__ is the name of the class. "str": str(x) and format(x) equal repr(x).
    "plain" and names: x.NAME is the recorded attribute NAME, except for these names."""
    words = []
    about = mro_of(type(cls))
    if lookup(type(cls), "__getattribute__") is type.__getattribute__ and not any("__name__" in dict_of(c) for c in about if c is not type):
        words.append("name")
    text = lookup(cls, "__str__")
    if lookup(cls, "__format__") is object.__format__ and (text is object.__str__ or text is lookup(cls, "__repr__")):
        words.append("str")
    if lookup(cls, "__getattribute__") is base.__getattribute__:
        words += ["plain", *described(cls, base)]
    return " ".join(words)


def described(cls, base):
    """Returns the names that an instance takes from its class, whatever its attributes are. What
    the built-in base of the class has is recorded as it reads it."""
    names = {}  # name -> whether the first class that has it decides
    for c in mro_of(cls):
        if c is object or c is base:
            continue
        for name, member in dict_of(c).items():
            kind = type(member)
            if kind is MemberType:
                names[name] = name in names  # a slot, which any member of a derived class hides
            elif kind is GetSetType and name in ("__dict__", "__weakref__"):
                continue
            elif name not in names:
                names[name] = lookup(kind, "__set__") is not None or lookup(kind, "__delete__") is not None
    return [name for name, decides in names.items() if decides]


def element_reads(cls, base):
    """Returns what of reads holds for a class derived from a built-in container. "exact": it
    is that container. "elements": x[i], len(x), iteration and x in y read the recorded
    elements."""
    if cls is base:
        return "exact elements"
    return "elements" if all(lookup(cls, name) is lookup(base, name) for name in READING) else ""


READING = ("__getitem__", "__len__", "__iter__", "__contains__", "__bool__", "__missing__", "keys", "values", "items")
