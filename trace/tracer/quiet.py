"""The texts of values without running code of the program.

With render.asked set, the program's own code runs only where the user requests a text.
A __repr__ of a library is still called if neither the value's class nor the objects
inside the value belong to the program. Any other value is displayed by its attributes
or elements.
"""

import sys

from _npdb import library, render

Reference = library.take("_weakref").ref
get_referents = library.take("gc").get_referents
FunctionType, ModuleType, DEFINED = render.FunctionType, render.ModuleType, render.DEFINED
lookup, mro_of, dict_of = render.lookup, render.mro_of, render.dict_of
Slot = type(object.__dict__["__repr__"])
Method = type(str.__dict__["upper"])
ModuleDict = ModuleType.__dict__["__dict__"]
ArgsOf = BaseException.__dict__["args"]

# Types whose __repr__ displays no other object.
LEAVES = frozenset((
    int, float, complex, str, bytes, bytearray, type, FunctionType, render.BuiltinType, type("".__repr__),
    Slot, Method, render.MemberType, render.GetSetType, type((lambda: None).__code__),
    type((lambda: (yield))()),
))  # fmt: skip
BASES = (list, tuple, dict, set, frozenset) + ((render.FrozenDict,) if render.FrozenDict else ())
DEPTH, MOST = 3, 200  # how deep, and how many objects of, a value are searched for classes of the program

users_code = None  # whether a function belongs to the program; set by forms_library
users_class = None  # whether a class does
users_module = None  # whether a module does, by its name


def quiet_method(cls, method):
    """Returns whether a method that gives a text runs no code of the program because of
    the class itself. The content of the value is checked separately."""
    kind = type(method)
    if kind is FunctionType:
        if users_code(method):
            return False
        if method.__module__ == "enum":  # calls nothing that a member's class can override
            return lookup(cls, "__getattribute__") in (object.__getattribute__, type.__getattribute__)
        return not any(map(users_class, mro_of(cls)))
    return kind is Slot or kind is Method


def quiet(value, cls, method):
    """Returns whether calling a method of a value runs no code of the program."""
    if not quiet_method(cls, method):
        return False
    if type(method) is FunctionType:
        if method.__module__ == "enum" and issubclass(cls, type):  # it displays only the name of an enumeration
            return True
    elif method.__objclass__ in LEAVES:
        return True
    return not holds_users(value)


def holds_users(value):
    """Returns whether a value contains an object of one of the program's classes, or
    too many objects to search."""
    seen = {id(value)}
    level = [value]
    for _ in range(DEPTH):
        below = []
        for one in level:
            for x in get_referents(one):
                kind = type(x)
                if kind in render.ATOMS or id(x) in seen or issubclass(kind, DEFINED):
                    continue
                seen.add(id(x))
                if len(seen) > MOST or any(map(users_class, mro_of(kind))):
                    return True
                below.append(x)
        level = below
    return False


def unasked(value, kind, level, nesting, path):
    """Returns the text of a value that is displayed without its __repr__, or None if
    the __repr__ may be called."""
    if issubclass(kind, ModuleType):
        return module_text(value)
    if issubclass(kind, Reference):
        # Its __repr__ reads __name__ of the referenced object.
        to = Reference.__call__(value)
        if to is not None and any(map(users_class, mro_of(type(to)))):
            return "<weakref; to %r>" % render.name_of(type(to))
    method = lookup(kind, "__repr__")
    if method is BaseException.__dict__["__repr__"]:
        return raised(value, kind, level, nesting, path)
    if quiet(value, kind, method):
        return None
    if issubclass(kind, type):
        return type.__repr__(value)
    for base in BASES:
        if issubclass(kind, base):
            return elements(value, base, level, nesting, path)
    if any(map(users_class, mro_of(kind))):
        return render.attributes(value, kind, level, nesting, path)
    return render.name_of(kind) + "(...)"  # a library object: its __repr__ would call those of its content


def raised(value, kind, level, nesting, path):
    """Returns the text of an exception: its arguments, without the frames and causes
    that it refers to."""
    parts = []
    for x in ArgsOf.__get__(value):
        inner = type(x)
        if inner in render.ATOMS:
            parts.append(render.atom(x))
        elif quiet(x, inner, lookup(inner, "__repr__")):
            parts.append(render.without_addresses(repr(x)))
        else:
            parts.append(render.walk(x, inner, level, nesting, path))
    return "%s(%s)" % (render.name_of(kind), ", ".join(parts))


def elements(value, base, level, nesting, path):
    """Returns the text of a value of a class derived from a container, in the format of
    the container."""
    if id(value) in path:
        return render.CYCLE[base]
    path[id(value)] = value
    if base is list or base is tuple:
        text = render.walk(base(base.__iter__(value)), base, level, nesting, path)
    elif base in render.DICTS:  # creating a dict or a set would call __hash__
        pairs = zip(base.keys(value), base.values(value))
        inner = ", ".join(["%s: %s" % tuple(render.walk(x, type(x), level, nesting + 1, path) for x in pair) for pair in pairs])
        text = "{%s}" % inner
        if base is not dict:
            text = "%s(%s)" % (render.name_of(type(value)), text if inner else "")
    else:
        inner = render.walk(list(base.__iter__(value)), list, level, nesting, path)[1:-1]
        text = render.OPEN[base] + inner + render.CLOSE[base] if inner else render.name_of(base) + "()"
    del path[id(value)]
    return text


def module_text(value):
    """Returns the text of a module, from its names alone. It does not load a lazy
    module."""
    names = ModuleDict.__get__(value)
    spec = names.get("__spec__")
    known = {} if spec is None or users_class(type(spec)) else render.own_dict(spec, type(spec))
    name = known.get("name", names.get("__name__"))
    if type(name) is not str:
        name = "?"
    origin = known.get("origin", names.get("__file__"))
    if type(origin) is str:
        if spec is not None and not known.get("_set_fileattr", True):
            if sys.version_info < (3, 10) and type(names.get("__name__")) is str:
                name = names["__name__"]  # the module may have replaced it later
            return "<module %r (%s)>" % (name, origin)
        return "<module %r from %r>" % (name, origin)
    loader = known.get("loader", names.get("__loader__"))
    cls = loader if issubclass(type(loader), type) else type(loader)
    if loader is None or any(map(users_class, mro_of(cls))) or cls is not loader and holds_users(loader):
        return "<module %r>" % name
    paths = render.own_dict(loader, type(loader)).get("_path")
    if paths is not None and sys.version_info >= (3, 12):
        return "<module %r (namespace) from %r>" % (name, list(paths))
    if paths is not None and sys.version_info < (3, 10):
        return "<module %r (namespace)>" % name
    return "<module %r (%s)>" % (name, render.without_addresses(repr(loader)))


def quiet_words(value, kind):
    """Returns whether the message of an exception, TYPE: TEXT, runs no code of the
    program."""
    return quiet_method(kind, lookup(kind, "__str__")) and not holds_users(ArgsOf.__get__(value))


render.unasked = unasked
