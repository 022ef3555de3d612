"""Classifies the functions that a line has called, by their values after the line ran:
code of the user, which is traced and has lines of its own, or known library code.
"""

from _npdb import library
from _npdb.following import BuiltinType, FunctionType, MISSING, MemberType, Lost, lookup, type_dict, type_mro
from _npdb.known import ALL, BUILTINS, CHANGING, DEQUE, DICTS, METHODS, MUTATORS, QUIET, REACH, FieldType, exception

BEGINNING = ("start_new_thread", "start_new", "start_joinable_thread")  # they return before the thread counts as running
# Modules that execute source text, or set attributes of modules that they look up by name.
BY_TEXT = frozenset("unittest.mock _pytest.monkeypatch timeit runpy code codeop doctest cProfile profile trace pdb bdb".split())
CONTAINERS = DICTS | {list, set, DEQUE}  # their methods change nothing else; receiver returns the object
MethodType = type((lambda: 0).__get__(0))
WrapperType = type(object.__init__)
BoundWrapperType = type(object().__init__)
DescriptorType = type(str.join)
ClassMethodDescriptorType = type(dict.__dict__["fromkeys"])
ModuleType = type(library)
functools = library.take("_functools")
operator = library.take("_operator")
CACHES = type(functools._lru_cache_wrapper(len, 1, False, type)) if hasattr(functools, "_lru_cache_wrapper") else None


async def waiting():
    pass


a_coroutine = waiting()
a_coroutine.close()
GENERATORS = frozenset((type((lambda: (yield))()), type(a_coroutine)))
GETTERS = frozenset((operator.itemgetter, operator.attrgetter))
# Whether any line may change anything from now on: the program has bound a name of builtins
# again, or has begun a thread by a function of BEGINNING.
anything = False
wrappers = set()  # classes of objects that stand for a function, real; see chance
METAS = frozenset(("type", "ABCMeta", "EnumMeta", "EnumType", "NamedTupleMeta", "_ProtocolMeta"))


def user(code):
    """Returns whether a code object belongs to the user and so is traced. The tracer
    replaces this function."""
    return False


def level(f, name):
    """Returns how much a call may change: the call of f, or of f's attribute if a name
    is given."""
    try:
        if name is not None:
            return method(f, name)
        return function(f)
    except Exception:
        return REACH


def function(f, depth=0):
    kind = type(f)
    if f is None or depth > 9:
        return QUIET if f is None else REACH  # nothing was called
    if kind is FunctionType:
        if user(f.__code__):
            return QUIET
        home = f.__globals__.get("__name__")  # functools.wraps replaces f.__module__
        return of_module(home if home in BY_TEXT else f.__module__, f.__qualname__)
    if kind is BuiltinType:
        of = f.__self__
        if of is None or type(of) is ModuleType:
            return of_module(f.__module__, f.__name__)
        if f.__name__ in MUTATORS and type(of) not in CONTAINERS:
            return REACH
        return QUIET if type(of) in CONTAINERS or f.__name__ in METHODS else REACH
    if kind is MethodType:
        return function(f.__func__, depth + 1)
    if issubclass(kind, type):
        return construct(f, kind)
    if kind in wrappers:
        return function(f.real, depth + 1)
    if kind is functools.partial:
        return function(f.func, depth + 1)
    if kind is CACHES:
        return function(f.__wrapped__, depth + 1)
    if kind in GETTERS:
        return QUIET
    if kind is DescriptorType or kind is ClassMethodDescriptorType or kind is WrapperType:
        # file.readinto(x) changes its argument; what a generator changes, its own lines say.
        return QUIET if f.__name__ in METHODS or f.__objclass__ in GENERATORS else REACH
    called = lookup(kind, "__call__")
    if type(called) is FunctionType:
        return QUIET if user(called.__code__) else of_module(called.__module__, called.__qualname__)
    return REACH


LAZY = 0x20 | 0x80 | 0x100 | 0x200  # generators and coroutines: their caller receives them before their code runs
CLOSING = frozenset(("__exit__", "__aexit__", "close", "aclose"))


def of_module(module, name):
    """Returns how much a function of a standard library module may change, and notes a
    function after which any line may change anything."""
    global anything
    if module == "_thread" and name in BEGINNING:
        anything = True
        return ALL
    if module in BY_TEXT:
        return ALL
    if module == "builtins":
        return QUIET if name in BUILTINS or exception(name) else ALL
    if module == "weakref" or module == "contextlib" and name.rpartition(".")[2] in CLOSING:
        return ALL  # it calls functions that were passed to it earlier
    if module is not None and module.startswith("_") and module[1:] in CHANGING:
        module = module[1:]
    table = CHANGING.get(module)
    if table is not None and name in table and table[name] is None:
        return ALL
    if table is None or "." in name and name.rpartition(".")[2] not in METHODS:
        return REACH
    return REACH if name in table else QUIET


def construct(k, meta, whole=False):
    """Returns how much the creation of an object of a class may change. whole: by the
    __init__ of all bases."""
    if meta.__name__ not in METAS:
        made = lookup(meta, "__call__")
        if not (type(made) is FunctionType and user(made.__code__)) and made is not type.__dict__["__call__"]:
            return REACH
    for name in ("__new__", "__init__"):
        for c in type_mro(k):
            found = type_dict(c).get(name, MISSING)
            if found is MISSING:
                continue
            if type(found) is staticmethod:
                found = found.__func__
            if type(found) is FunctionType and not user(found.__code__):
                if not found.__code__.co_filename.startswith("<") and c.__module__ not in CHANGING:
                    return REACH
            elif type(found) is not FunctionType and c.__module__ != "builtins" and c.__module__.lstrip("_") not in CHANGING:
                return REACH
            if not whole:
                break
    return QUIET


def code_of(f, name):
    """Returns the code of the user's function f, or of f's method of a name. Returns
    None for anything else, and for a function whose call returns before its code has
    ended."""
    try:
        if name is not None:
            f = bound(f, name)
        if type(f) is MethodType:
            f = f.__func__
        if type(f) is FunctionType and user(f.__code__) and not f.__code__.co_flags & LAZY:
            return f.__code__
    except Exception:
        pass
    return None


def method(v, name):
    """Returns how much a call of v's attribute of a name may change."""
    kind = type(v)
    if v is None:
        return QUIET
    if name == "__init__":
        return construct(v if issubclass(kind, type) else kind, type, True)
    found = bound(v, name)
    if found is MISSING:
        if issubclass(kind, type):
            return REACH
        return ALL if lookup(kind, "__getattr__") is not MISSING else QUIET  # it may return a method of any object
    if type(found) is property:
        return ALL
    return function(found)


def bound(v, name):
    """Returns the function behind v's attribute of a name, or MISSING if there is none."""
    kind = type(v)
    if kind is ModuleType:
        return v.__dict__.get(name)
    if issubclass(kind, type):
        found = lookup(v, name)
    else:
        found = lookup(kind, name)
        try:
            own = object.__getattribute__(v, "__dict__")
        except AttributeError:
            own = ()
        if name in own:
            found = own[name]
        elif type(found) is MemberType or type(found) is FieldType:
            try:
                found = found.__get__(v, kind)
            except AttributeError:
                return MISSING
    return found.__func__ if type(found) in (staticmethod, classmethod) else found


def changes_object(kind, name):
    """Returns whether a method of a type changes the object, if the type is defined in C."""
    if name == "__getitem__":
        return lookup(kind, "__missing__") is not MISSING and kind.__name__ != "Counter"  # defaultdict
    return name in MUTATORS and kind is not ModuleType


def receiver(f, name):
    """Returns the object that a call changes through a bound method of a builtin type:
    the x of f = x.append. Returns None for other calls. The arguments are those of
    level."""
    try:
        if name is not None:
            f = bound(f, name)
        for _ in range(10):
            kind = type(f)
            if kind is BuiltinType or kind is BoundWrapperType:
                of = f.__self__
                return of if changes_object(type(of), f.__name__) else None
            if kind is functools.partial:
                f = f.func
            elif kind is CACHES:
                f = f.__wrapped__
            elif kind in wrappers:
                f = f.real
            else:
                return None
    except Exception:
        pass
    return None


def changed_by(v, name):
    """Returns the object that the method of v with a name changes, if the method is written in
    C and so causes no events; otherwise None."""
    kind = type(v)
    if not changes_object(kind, name) or issubclass(kind, type):
        return None
    of = receiver(v, name)
    if of is None and type(bound(v, name)) in (DescriptorType, WrapperType):
        return v
    return of


# Modules whose classes change objects only through the methods in CHANGING_CLASSES.
PURE_CLASSES = frozenset(
    """abc array collections _collections datetime decimal fractions enum pathlib re string uuid typing types itertools
    functools numbers io _io logging dataclasses ipaddress contextlib operator _operator weakref _weakref builtins
    _pydatetime _pydecimal _decimal pathlib._local random _random csv _csv json json.encoder json.decoder zoneinfo
    textwrap argparse_ statistics""".split()
)
CHANGING_CLASSES = {
    "random": frozenset("gauss normalvariate lognormvariate seed setstate gauss_next shuffle".split()),
    "collections.UserDict": MUTATORS | frozenset(("data",)), "collections.UserList": MUTATORS | frozenset(("data",)),
    "contextlib.ExitStack": frozenset("enter_context push callback pop_all close".split()),
    "functools.cached_property": frozenset(),
}


def met(effect, unknown, L, G):
    """Returns how much a line may change by methods of library types. unknown are the
    names from changes() for all types seen so far."""
    found = QUIET
    for name, where in effect.receivers:
        if name not in unknown:
            continue
        if where is None:
            return REACH
        try:
            v = where(L, G)
            kind = v if issubclass(type(v), type) else type(v)
        except Lost as lost:
            found = max(found, lost.level, REACH)
            continue
        names = seen.get(kind)
        if names is None:
            names = seen[kind] = changes(kind)[0]
        if name in names:
            if begins_thread(kind, name) or kind.__module__ in BY_TEXT:
                return ALL
            found = REACH
    return found


def begins_thread(kind, name):
    """Returns whether a method starts a thread. Its untraced code may have ended before
    the next check for running threads."""
    return name == "start" and any(c.__module__ == "threading" for c in type_mro(kind))


def makes_items(kind):
    """Returns whether x[k] of a type in C may make a new object, as numpy's arrays do."""
    found = lookup(kind, "__getitem__")
    return found is not MISSING and type(found) is not FunctionType and not any(found is one for one in HOLDERS)


# [] of containers that hold their items, or that make only numbers and texts.
HOLDERS = [
    lookup(kind, "__getitem__")
    for kind in (list, tuple, dict, DEQUE, type(type.__dict__), str, bytes, bytearray, memoryview, range)
]
seen = {}  # type -> names
METHODLIKE = frozenset((FunctionType, BuiltinType, DescriptorType, property, staticmethod, classmethod, ClassMethodDescriptorType))


def changes(kind):
    """Returns how objects of a type may change without code of the program: the names
    of the methods and attributes that may change them, and whether x[k] may."""
    names = set()
    items = False
    for c in type_mro(kind):
        d = type_dict(c)
        module = d.get("__module__", "builtins")
        items = items or "__missing__" in d and module not in ("collections",)
        if c is memoryview:
            names.update(("release", "__exit__"))  # they change its text
        if c is object or module == "builtins" and not c.__flags__ & 512:
            continue
        for name, found in d.items():
            f = found
            if type(f) is property:
                f = f.fget
            elif type(f) in (staticmethod, classmethod):
                f = f.__func__
            elif type(f).__name__ == "cached_property":
                names.add(name)
                continue
            if type(f) is FunctionType and user(f.__code__) or type(found) not in METHODLIKE and not slot(found):
                continue
            if name == "__init__":
                continue
            if name == "__getitem__":
                items = items or module not in PURE_CLASSES
            if module in PURE_CLASSES:
                key = "%s.%s" % (module, c.__name__)
                if name in CHANGING_CLASSES.get(key, ()) or name in CHANGING_CLASSES.get(module, ()):
                    names.add(name)
            elif type(f) is FunctionType and (f.__code__.co_filename.startswith("<") or f.__globals__.get("__name__") in PURE_CLASSES):
                continue
            else:
                names.add(name)
    return frozenset(names), items or lookup(kind, "__missing__") is not MISSING and kind.__name__ != "Counter"


def slot(found):
    """Returns whether a class binds a name to a descriptor that runs library code when
    the attribute is set."""
    kind = type(found)
    if kind is WrapperType:
        return True
    stores = lookup(kind, "__set__")
    if stores is MISSING or kind.__module__ in PURE_CLASSES:
        return False
    return not (type(stores) is FunctionType and user(stores.__code__))
