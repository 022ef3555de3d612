"""What values are made of, for effects_witness.py: by the ids of their parts."""

import collections
import functools
import io
import sys
import types

HIDDEN = (types.ModuleType, types.FunctionType, type, types.BuiltinFunctionType)
ATOMS = frozenset((int, float, complex, bool, str, bytes, type(None), type(...), type(NotImplemented), range))
OPAQUE = (types.GeneratorType, types.CoroutineType, types.FrameType, types.TracebackType, types.CodeType, io.IOBase)


def slots(kind):
    for c in kind.__mro__:
        names = c.__dict__.get("__slots__", ())
        for n in (names,) if isinstance(names, str) else names:
            if n not in ("__dict__", "__weakref__"):
                yield "_%s%s" % (c.__name__.lstrip("_"), n) if n.startswith("__") and not n.endswith("__") else n


def attributes(v):
    try:
        found = dict(object.__getattribute__(v, "__dict__"))
    except AttributeError:
        found = {}
    for n in slots(type(v)):
        try:
            found[n] = object.__getattribute__(v, n)
        except AttributeError:
            pass
    return found


def shown(v):
    kind = type(v)
    return kind not in ATOMS and not isinstance(v, HIDDEN) and not isinstance(v, OPAQUE)


class Contents:
    """Of a program, whose own classes come from a folder."""

    def __init__(self, folder):
        self.folder = folder

    def of(self, v):
        """What v is made of, as comparable ids, and its parts."""
        kind = type(v)
        if isinstance(v, dict):
            pairs = list(dict.items(v))
            parts = [x for pair in pairs for x in pair]
            made = {"items": [(id(k), id(x)) for k, x in pairs]}
        elif isinstance(v, (list, tuple, collections.deque)):
            parts = list(v) if not isinstance(v, (list, tuple)) else list((list if isinstance(v, list) else tuple).__iter__(v))
            made = {"list": [id(x) for x in parts]}
        elif isinstance(v, (set, frozenset)):
            parts = list((set if isinstance(v, set) else frozenset).__iter__(v))
            made = {"set": sorted(id(x) for x in parts)}
        elif kind is bytearray or kind.__name__ == "array":
            return {"text": repr(v)}, []
        elif isinstance(v, BaseException):
            return {"list": [id(x) for x in v.args]}, list(v.args)
        elif kind is types.MethodType:
            return {}, [v.__self__]
        elif kind is functools.partial:
            return {}, [v.args, v.keywords]
        else:
            parts, made = [], {}
        own = attributes(v) if kind.__flags__ & 512 else None
        if own is not None and (kind.__repr__ is object.__repr__ or self.mine(kind) or made):
            made["attributes"] = {n: id(x) for n, x in own.items()}
            parts += own.values()
        return made, parts

    def mine(self, kind):
        return getattr(sys.modules.get(kind.__module__), "__file__", "").startswith(self.folder) or kind.__module__ == "__main__"

    def reach(self, roots):
        """id -> object of all that roots reach."""
        found = {}
        todo = [v for v in roots if shown(v)]
        while todo:
            v = todo.pop()
            if id(v) in found:
                continue
            found[id(v)] = v
            todo += [x for x in self.of(v)[1] if shown(x)]
        return found


def explained(old, new, parts, keep):
    """Whether changes at some keys or attributes are all there are."""
    if old.keys() != new.keys():
        return False
    for name in old:
        if old[name] == new[name]:
            continue
        if name == "attributes":
            a, b = dict(old[name]), dict(new[name])
            for what, key in parts:
                if what == "attribute":
                    a.pop(key, None)
                    b.pop(key, None)
            if a != b or list(a) != list(b):
                return False
        elif name == "items":
            keys = [key for what, key in parts if what == "item"]
            same = lambda pairs: [p for p in pairs if not any(keep[p[0]] == k for k in keys)]
            if same(old[name]) != same(new[name]):
                return False
        elif name == "list":
            keys = [key for what, key in parts if what == "item" and type(key) is int]
            a, b = list(old[name]), list(new[name])
            if len(a) != len(b):
                return False
            for key in keys:
                if -len(a) <= key < len(a):
                    a[key] = b[key] = 0
            if a != b:
                return False
        else:
            return False
    return True


def told(content, keep):
    """Content in words."""
    name = lambda i: "%s@%x" % (type(keep[i]).__name__, i & 0xFFFF) if shown(keep[i]) else repr(keep[i])
    words = {k: v if k == "text" else {n: name(i) for n, i in v.items()} if k == "attributes" else
             [tuple(map(name, p)) for p in v] if k == "items" else list(map(name, v)) for k, v in content.items()}
    return str(words)
