"""Values as text, as npdb shows them.

A value is its repr, with two exceptions. Exact lists, tuples, dicts, sets and frozensets are
written element by element. An object whose class inherits object.__repr__, or whose __repr__
raises, is written from its attributes, three levels deep. Addresses are removed if they have
the form that Python's own reprs have. The result equals npdb's own as long as texts are short.
`GiveUp` is raised if a text is long, or if a __repr__ prints or rebinds an attribute of its
object.
"""

from . import sharing
from .giving_up import ADDRESS, DEEP, LONG, REPR, GiveUp

ATOMS = frozenset((int, float, complex, bool, str, bytes, type(None), type(...), type(NotImplemented), range))
CONTAINERS = frozenset((list, tuple, dict, set, frozenset))
SETS = frozenset((set, frozenset))
HASHED = ATOMS | {tuple, frozenset}  # types whose hash depends only on the value
LONGEST = 300  # the largest number of characters of a value
OBJECT_LEVELS = 3  # levels of objects within objects, including the outermost
NESTING = 50  # levels of containers within containers
FunctionType = type(lambda: None)

OPEN = {list: "[", tuple: "(", dict: "{", set: "{", frozenset: "frozenset({"}
CLOSE = {list: "]", tuple: ")", dict: "}", set: "}", frozenset: "})"}
CYCLE = {list: "[...]", tuple: "(...)", dict: "{...}", set: "set(...)", frozenset: "frozenset(...)"}

all_atoms = ATOMS.issuperset
printed = [0]  # number of times that the program has written to its output


def render(value):
    """Returns the text of a value."""
    kind = type(value)
    if kind in ATOMS:
        if (kind is str or kind is bytes) and len(value) > LONGEST:
            raise GiveUp(LONG)
        try:
            text = repr(value)
        except ValueError:  # more digits than sys.get_int_max_str_digits
            raise GiveUp(LONG) from None
    elif kind in CONTAINERS:
        if len(value) > LONGEST // 3:
            raise GiveUp(LONG)
        text = repr(value) if plain(value, kind, 0) else safely(value, kind)
    else:
        text = safely(value, kind)
    if len(text) > LONGEST:
        raise GiveUp(LONG)
    if " at 0x" in text:  # <cell at 0x…: empty>, or a string that repr() returned: different in each run
        raise GiveUp(ADDRESS)
    return text


def plain(value, kind, level):
    """Returns whether repr alone is enough for a container, because it contains only atoms and
    containers of atoms."""
    if all_atoms(map(type, value)):
        if kind is not dict:
            return True
    elif kind is dict or kind is set or kind is frozenset:
        return False
    for x in value.values() if kind is dict else value:
        inner = type(x)
        if inner not in ATOMS and not (inner in CONTAINERS and level < 6 and plain(x, inner, level + 1)):
            return False
    return True


def safely(value, kind):
    try:
        text = walk(value, kind, 0, 0, {})
    except Exception:  # too deep, out of memory, or a class with unusual attributes
        raise GiveUp(DEEP) from None
    return utf8(text)


def utf8(text):
    """Returns a text in which surrogates are written as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def walk(value, kind, level, nesting, path):
    if kind in ATOMS:
        return repr(value)
    if kind in CONTAINERS:
        return container(value, kind, level, nesting, path) if value else repr(value)
    if type.__getattribute__(kind, "__repr__") is object.__repr__:
        return attributes(value, kind, level, nesting, path)
    text = told(value, kind)
    if text is None:
        return attributes(value, kind, level, nesting, path)
    return text if issubclass(kind, (str, bytes)) else without_addresses(text)


def container(value, kind, level, nesting, path):
    if id(value) in path:
        return CYCLE[kind]
    if nesting >= NESTING:
        raise GiveUp(DEEP)
    path[id(value)] = value
    if kind in SETS and not HASHED.issuperset(map(type, value)):
        sharing.doubt()  # their order may depend on addresses
    if kind is dict:
        parts = [
            "%s: %s"
            % (walk(k, type(k), level, nesting + 1, path), walk(v, type(v), level, nesting + 1, path))
            for k, v in list(value.items())
        ]
    else:
        parts = [walk(x, type(x), level, nesting + 1, path) for x in list(value)]
    del path[id(value)]
    if kind is tuple and len(parts) == 1:
        return "(%s,)" % parts[0]
    return OPEN[kind] + ", ".join(parts) + CLOSE[kind]


def attributes(value, kind, level, nesting, path):
    name = kind.__name__
    if id(value) in path or level >= OBJECT_LEVELS or nesting >= NESTING:
        return name + "(...)"
    path[id(value)] = value
    try:
        members = list(object.__getattribute__(value, "__dict__").items())
    except AttributeError:
        members = []
    members += slots(value, kind)
    parts = ["%s=%s" % (key, walk(x, type(x), level + 1, nesting + 1, path)) for key, x in members]
    del path[id(value)]
    return "%s(%s)" % (name, ", ".join(parts))


def slots(value, kind):
    """Returns the member descriptors that __slots__ created, with those of base classes first."""
    found = []
    for cls in reversed(kind.__mro__):
        members = cls.__dict__
        names = members.get("__slots__", ())
        if isinstance(names, str):
            names = (names,)
        for name in names:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__"):
                name = "_%s%s" % (cls.__name__.lstrip("_"), name)
            member = members.get(name)
            try:
                found.append((name, type(member).__get__(member, value, kind)))
            except AttributeError:
                pass
    return found


def told(value, kind):
    """Returns the result of the __repr__ that an object's class defines. Returns None if it
    raises, which usually means that __init__ has not finished yet."""
    before = None
    if type(type.__getattribute__(kind, "__repr__")) is FunctionType:
        before = getattr(value, "__dict__", None)
        before = None if before is None else dict(before)
    writes = printed[0]
    try:
        text = repr(value)
    except Exception:
        text = None
    if printed[0] != writes:
        raise GiveUp(REPR)
    if before is not None:
        after = value.__dict__
        if len(after) != len(before) or any(after.get(key, before) is not x for key, x in before.items()):
            raise GiveUp(REPR)
    return text


def without_addresses(text):
    """Removes " at 0x…" before ">"."""
    at = text.find(" at 0x")
    if at < 0:
        return text
    parts = []
    start = 0
    while at >= 0:
        end = at + 6
        while end < len(text) and text[end] in "0123456789abcdefABCDEF":
            end += 1
        if end < len(text) and text[end] == ">":
            parts.append(text[start:at])
            start = end
        at = text.find(" at 0x", end)
    parts.append(text[start:])
    return "".join(parts)
