"""Describes the whole state of the stopped program, without addresses, so that npdb can
compare two runs: the names of each frame of user code and of its modules, and all that
they reach.

It runs no code of the program. Objects of unknown types count by what the garbage
collector says they refer to.
"""

import sys

from _npdb import library, moves, quiet, render, scopes, usercode

gc = library.take("gc")
crc = library.take("binascii").crc32
Generator = type((lambda: (yield))())
Function, Module, Cell = type(lambda: 0), type(sys), type((lambda x: lambda: x)(0).__closure__[0])
Builtin = type(len)
Deque = library.take("_collections").deque
ThreadHandle = getattr(library.take("_thread"), "_ThreadHandle", None)  # from 3.13 on it knows whether a thread has ended
LONG = 200_000  # objects of a frame's names that are described
SHORT = 80
NUMBERS = frozenset((int, float, complex, bool, type(None), type(Ellipsis), type(NotImplemented), range, slice))
ITERATORS = frozenset(
    type(iter(x)) for x in ([], (), "", b"", {}, {}.values(), {}.items(), set(), range(0), range(2**70), bytearray())
) | {type(reversed([])), type(reversed({}))}  # fmt: skip


class Walk:
    """Describes one value after the other; an object that was described already is told
    by its number."""

    def __init__(self):
        self.seen = {}
        self.kept = []
        self.left = LONG

    def digest(self, value):
        """Returns a number that is equal for equal values, with all that they reach."""
        sum_ = 0
        todo = [value]
        while todo:
            one = todo.pop()
            kind = type(one)
            if kind is str:
                text = one.encode("utf-8", "surrogatepass")
            elif kind is bytes:
                text = one
            elif kind in NUMBERS:
                text = repr(one).encode()
            elif id(one) in self.seen:
                text = b"#%d" % self.seen[id(one)]
            elif self.left <= 0:
                text = b"..."
            else:
                self.left -= 1
                self.seen[id(one)] = len(self.seen)
                self.kept.append(one)
                text, inner = self.parts(one, kind)
                todo += inner[::-1]
            sum_ = crc(kind.__name__.encode() + b"=%d:" % len(text) + text, sum_)
        return sum_

    def parts(self, one, kind):
        """Returns the text of an object itself and a list of what it refers to."""
        for base in (list, tuple, set, frozenset, Deque):
            if issubclass(kind, base):
                return b"%d" % base.__len__(one), list(base.__iter__(one)) + self.own(one, kind)
        if issubclass(kind, dict):
            return b"%d" % dict.__len__(one), [x for pair in dict.items(one) for x in pair] + self.own(one, kind)
        if issubclass(kind, (int, float, complex, str, bytes)):
            base = next(b for b in (int, float, complex, str, bytes) if issubclass(kind, b))
            return base.__repr__(one).encode("utf-8", "backslashreplace"), self.own(one, kind)
        if kind is Function:
            code = one.__code__
            inner = [one.__defaults__, one.__kwdefaults__] + list(one.__closure__ or ())
            return ("%s:%s:%d" % (code.co_filename, code.co_name, code.co_firstlineno)).encode(), inner
        if kind is Cell:
            return b"", gc.get_referents(one)
        if kind is Module:
            return str(render.own_dict(one, kind).get("__name__")).encode(), []
        if kind is Builtin:
            return one.__name__.encode(), [] if type(one.__self__) is Module else [one.__self__]
        if issubclass(kind, type):
            return self.of_class(one)
        if kind is Generator:
            return b"%d" % (one.gi_frame.f_lineno or 0 if one.gi_frame is not None else -1), list(names_of(one.gi_frame))
        if kind in ITERATORS:
            return b"%d" % kind.__length_hint__(one), []
        if Random is not None and issubclass(kind, Random):
            return b"", [Random.getstate(one)] + self.own(one, kind)
        if issubclass(kind, bytearray) or kind.__module__ in ("array", "numpy"):
            try:
                data = memoryview(one)
                return b"%d" % crc(data.tobytes()), []
            except Exception:
                return b"", []
        if kind.__module__ == "itertools" and kind.__name__ in ("count", "repeat"):
            return repr(one).encode("utf-8", "backslashreplace"), []
        if kind is ThreadHandle:
            return b"%d %s" % (one.is_done(), render.render(one).encode()), []
        if kind.__name__ in FOREIGN or kind.__module__ in ("_npdb.chance", "_npdb.streams"):
            return b"", []
        inner = self.own(one, kind)
        for cls in render.mro_of(kind):
            for name, member in render.dict_of(cls).items():
                if type(member) is render.MemberType and not name.startswith("__"):
                    try:
                        inner.append(member.__get__(one))
                    except AttributeError:
                        pass
        inner = inner or [x for x in gc.get_referents(one) if not isinstance(x, type)]
        return b"" if inner else render.render(one).encode("utf-8", "backslashreplace"), inner

    def own(self, one, kind):
        found = render.own_dict(one, kind)
        return [found] if found else []

    def of_class(self, cls):
        if not quiet.users_class(cls):
            return cls.__qualname__.encode(), []
        members = type.__dict__["__dict__"].__get__(cls)
        return cls.__qualname__.encode(), [
            x for name, value in members.items() if not (name.startswith("__") and name.endswith("__")) for x in (name, value)
        ]


# Types whose objects are told by their type alone.
FOREIGN = frozenset((
    "TextIOWrapper", "frame", "traceback", "code", "lock", "RLock", "_abc_data", "weakref", "ReferenceType", "getset_descriptor",
))  # fmt: skip
Random = None  # the class of the generators of random, if it is loaded


def names_of(frame):
    """Returns the names and values of a frame in turn."""
    if frame is None:
        return []
    return [x for pair in scopes.of(frame).items() for x in pair]


def describe():
    """Returns the lines of the description: a frame or module, a name, a number, and a
    short text."""
    global Random
    walk = Walk()
    found = []
    Random = getattr(sys.modules.get("_random"), "Random", None)
    for n, frame in enumerate(reversed(moves.frames)):
        code = frame.f_code
        place = "%d %s" % (n, code.co_name)
        found.append("\0".join((place, "", str(frame.f_lineno), code.co_filename)))
        if code.co_name != "<module>":
            tell(found, walk, place, scopes.of(frame))
    for name, module in list(sys.modules.items()):
        if type(module) is Module and isinstance(name, str):
            names = render.own_dict(module, Module)
            path = names.get("__file__")
            if name == "__main__" or type(path) is str and usercode.files.get(path):
                tell(found, walk, name, names)
    random = sys.modules.get("random")
    inst = getattr(random, "_inst", None)
    if Random is not None and isinstance(inst, Random):
        tell(found, walk, "random", {"state": inst})
    return found


def first(pair):
    return pair[0]


def tell(found, walk, place, names):
    # Up to 3.10, s += t in a module may delete the name and bind it again, at the end of the dict.
    for name, value in sorted([pair for pair in names.items() if type(pair[0]) is str], key=first):
        if name.startswith("__") and name.endswith("__") or type(value) is Module:
            continue
        try:
            number = walk.digest(value)
        except Exception as e:  # an object that is not complete, or broken
            number = type(e).__name__
        try:
            text = render.render(value)
        except Exception:
            text = "?"
        found.append("\0".join((place, name, str(number), text[:SHORT])))


def whole():
    return "\1".join(describe())


def answer(frame, text):
    """Answers the request for a description."""
    return whole(), False, False
