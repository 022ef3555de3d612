"""Values as text: the one module that decides how a value is displayed.

A value is displayed by its repr, with these exceptions. Exact lists, tuples, dicts,
sets and frozensets are rendered element by element. An object whose class inherits
object.__repr__, or whose __repr__ raises, is rendered from its attributes. Addresses
are removed. A __repr__ that prints, hangs or changes its object is never called again.
With asked set, a __repr__ that may run code of the program is called only while asking
is set, too (quiet.py).

This module imports nothing, because it runs inside the debugged program.
"""

FunctionType = type(lambda: None)
BuiltinType = type(len)
ModuleType = type(__builtins__) if not isinstance(__builtins__, dict) else type(__import__("sys"))
FrozenDict = LazyType = None
if __import__("sys").version_info >= (3, 15):
    FrozenDict = frozendict
    # The type of what a lazy import binds. Code that reads the name loads the module.
    LazyType = __import__("_types").LazyImportType

# Types that are immutable, have no references, and have the same text for the same
# object at all times. A name that still refers to the same object has not changed.
ATOMS = frozenset(
    (int, float, complex, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range)
)
DICTS = frozenset((dict, FrozenDict))
CONTAINERS = DICTS | {list, tuple, set, frozenset}

OBJECT_LEVELS = 3  # maximum nesting of objects, including the outermost
NESTING = 100  # maximum nesting of containers

limits = {"chars": 16 << 20, "items": 100000, "short": 100}  # short: maximum length of a text that is neither cut nor long

# A loop over a container of a million elements must not keep the user waiting: once
# this many elements of large containers were rendered in one move, only the first FEW
# of each are.
FEW = 256
LARGE = 50_000_000
budget = {"large": LARGE}
# Set by the tracer. interrupted distinguishes a KeyboardInterrupt for the program from
# one that a __repr__ raises. others reports whether other threads run.
guard = {"enter": None, "leave": None, "interrupted": None, "others": None, "printed": False, "raised": None}
distrusted = {}  # id of a class -> the class, which is rendered from attributes
asked = False  # whether code of the program runs only where the user requests a text
asking = False  # whether the user does so now
unasked = None  # returns the text of a value without code of the program; set by quiet


class Refused(BaseException):
    """Raised inside a __repr__ that prints or hangs. It is not an Exception, so that a
    program's `except Exception` does not swallow it."""


def render(value):
    """Returns the text of a value."""
    try:
        kind = type(value)
        if kind in ATOMS:
            return atom(value)
        return cut(walk(value, kind, 0, 0, {}))
    except RecursionError:
        return "<%s: too deep to render>" % name_of(type(value))
    except MemoryError:
        return "<%s: no memory to render>" % name_of(type(value))
    except Exception:
        return "<%s: cannot be rendered>" % name_of(type(value))


# A metaclass may define its own __getattribute__; these getters do not call it.
name_of = type.__dict__["__name__"].__get__
dict_of = type.__dict__["__dict__"].__get__
mro_of = type.__dict__["__mro__"].__get__
member_of = type.__getattribute__
MemberType = type(type("slotted", (), {"__slots__": ("a",)}).__dict__["a"])
GetSetType = type(BaseException.__dict__["args"])


def lookup(cls, name):
    """Returns a member of a class, unbound, from the class that defines it, or None."""
    for c in mro_of(cls):
        members = dict_of(c)
        if name in members:
            return members[name]
    return None


def own_dict(value, kind):
    """Returns the dict of an object's attributes, empty if it has none, without calling
    a descriptor of the program."""
    holder = lookup(kind, "__dict__")
    return holder.__get__(value) if type(holder) in (GetSetType, MemberType) else {}


def atom(value):
    kind = type(value)
    if kind is str or kind is bytes:
        room = limits["chars"]
        if len(value) > room:
            return "%s… +%s chars not stored" % (repr(value[:room]), format(len(value) - room, ","))
        return repr(value)
    try:
        return repr(value)
    except ValueError:  # sys.get_int_max_str_digits
        return hex(value)


def cut(text):
    room = limits["chars"]
    if len(text) > room:
        return "%s… +%s chars not stored" % (text[:room], format(len(text) - room, ","))
    return text


def plain(value, kind):
    """Returns whether repr alone renders a container: it contains only atoms, and is
    not too large."""
    kinds = set(map(type, value))
    if kind in DICTS:
        kinds.update(map(type, value.values()))
    if not kinds <= ATOMS:
        return False
    if str not in kinds and bytes not in kinds:
        return True
    room = limits["chars"]
    total = 0
    for part in (value, value.values()) if kind in DICTS else (value,):
        if kinds == {str}:
            total += sum(map(len, part))
        else:
            total += sum(len(v) for v in part if type(v) is str or type(v) is bytes)
    return total < room


def most_of(value):
    """Returns how many elements of a container are rendered."""
    most = limits["items"]
    if len(value) <= FEW:
        return most
    if budget["large"] <= 0:
        return min(most, FEW)
    budget["large"] -= min(len(value), most)
    return most


def walk(value, kind, level, nesting, path):
    if kind in ATOMS:
        return atom(value)
    if kind in CONTAINERS:
        if not value:
            return repr(value)
        most = most_of(value)
        try:
            if len(value) <= most:
                if plain(value, kind):
                    return repr(value)
            elif kind is list or kind is tuple:
                head = value[:most]
                if plain(head, kind):
                    return "%s, %s%s" % (repr(head)[:-1], not_stored(value, most), CLOSE[kind])
        except (ValueError, RuntimeError):
            pass
        return container(value, kind, level, nesting, path, most)
    if id(kind) in distrusted or lookup(kind, "__repr__") is object.__repr__:
        return attributes(value, kind, level, nesting, path)
    if asked and not asking:
        text = unasked(value, kind, level, nesting, path)
        if text is not None:
            return text
    if issubclass(kind, (str, bytes)):
        return ask(value, kind, level, nesting, path)
    return without_addresses(ask(value, kind, level, nesting, path))


OPEN = {list: "[", tuple: "(", dict: "{", set: "{", frozenset: "frozenset({", FrozenDict: "frozendict({"}
CLOSE = {list: "]", tuple: ")", dict: "}", set: "}", frozenset: "})", FrozenDict: "})"}
CYCLE = {list: "[...]", tuple: "(...)", dict: "{...}", set: "set(...)", frozenset: "frozenset(...)", FrozenDict: "frozendict({...})"}


def not_stored(value, n):
    return "… +%s items not stored" % format(len(value) - n, ",")


def container(value, kind, level, nesting, path, most):
    if id(value) in path:
        return CYCLE[kind]
    if nesting >= NESTING:
        return OPEN[kind] + "… nested deeper" + CLOSE[kind]
    path[id(value)] = value
    room = limits["chars"]
    parts = []
    # A copy: a __repr__ of an element may change the container.
    items = value.items() if kind in DICTS else value
    if len(value) <= most:
        items = list(items)
    else:  # the elements after the first ones may be very many
        items = [item for item, _ in zip(items, range(most + 1))]
    for n, item in enumerate(items):
        if n >= most or room < 0:
            parts.append(not_stored(value, n))
            break
        if kind in DICTS:
            text = "%s: %s" % (
                walk(item[0], type(item[0]), level, nesting + 1, path),
                walk(item[1], type(item[1]), level, nesting + 1, path),
            )
        else:
            text = walk(item, type(item), level, nesting + 1, path)
        room -= len(text) + 2
        parts.append(text)
    del path[id(value)]
    if kind is tuple and len(parts) == 1:
        return "(%s,)" % parts[0]
    return OPEN[kind] + ", ".join(parts) + CLOSE[kind]


def slots(value, kind):
    """Returns the members that are set in __slots__, those of base classes first."""
    for cls in reversed(mro_of(kind)):
        members = dict_of(cls)
        names = members.get("__slots__", ())
        if isinstance(names, str):
            names = (names,)
        for name in names:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__"):
                name = "_%s%s" % (name_of(cls).lstrip("_"), name)
            member = members.get(name)
            if type(member) is MemberType:
                try:
                    found = member.__get__(value)
                except AttributeError:  # not set
                    continue
                yield name, found


def attributes(value, kind, level, nesting, path):
    name = name_of(kind)
    if id(value) in path or level >= OBJECT_LEVELS or nesting >= NESTING:
        return name + "(...)"
    path[id(value)] = value
    try:
        members = list(dict.items(own_dict(value, kind)))
    except (AttributeError, TypeError):  # a type in C may have no slots, or no dict
        members = []
    members.extend(slots(value, kind))
    room = limits["chars"]
    parts = []
    for n, (key, member) in enumerate(members):
        if n >= limits["items"] or room < 0:
            parts.append("… +%s attributes not stored" % format(len(members) - n, ","))
            break
        text = walk(member, type(member), level + 1, nesting + 1, path)
        room -= len(text)
        parts.append("%s=%s" % (key, text))
    del path[id(value)]
    return "%s(%s)" % (name, ", ".join(parts))


def ask(value, kind, level, nesting, path):
    text = told(value, kind, level == 0 and nesting == 0)
    return attributes(value, kind, level, nesting, path) if text is None else text


def told(value, kind, outermost=False):
    """Returns the result of the class's own __repr__, supervised, or None if it raises
    or is refused."""
    try:
        return watched(value, repr, member_of(kind, "__repr__"))
    except (RecursionError, MemoryError):
        raise
    except Refused:
        guard["printed"] = False
        distrusted[id(kind)] = kind
        return None
    except BaseException as e:
        let_through(e)
        if guard["raised"] is not None and outermost:
            guard["raised"].append(e)
        # Often an object whose __init__ has not finished: __repr__ is called for the
        # next object, or later for this one.
        if guard["printed"]:
            guard["printed"] = False
            distrusted[id(kind)] = kind
        return None


def let_through(e):
    """Raises exceptions that the tracer must not catch."""
    interrupted = guard["interrupted"]
    if isinstance(e, Refused) or isinstance(e, KeyboardInterrupt) and interrupted is not None and interrupted(e):
        raise e


def watched(value, how, method):
    """Returns the result of a method of the value's class. Raises Refused if the method
    printed, hung or changed the value. A change is undone, unless another thread may have
    made it. Then the method is called once more."""
    for _ in range(2):
        before = members(value) if type(method) is FunctionType else None
        alone = not others()
        text = guarded(value, how)
        if before is None:
            return text
        after = object.__getattribute__(value, "__dict__")
        if same(before, after):
            return text
        if alone and not others():
            after.clear()
            after.update(before)
            break
    raise Refused


def members(value):
    """Returns a copy of the value's __dict__, or None if it has none."""
    try:
        return dict(object.__getattribute__(value, "__dict__"))
    except BaseException as e:
        let_through(e)
        return None


def others():
    return guard["others"] is not None and guard["others"]()


def guarded(value, how):
    """Returns how(value). Raises Refused if that printed or hung."""
    enter = guard["enter"]
    if enter is not None:
        enter()
    try:
        text = how(value)
    finally:
        if enter is not None:
            guard["leave"]()
    if guard["printed"]:
        raise Refused
    return text


def same(before, after):
    if len(before) != len(after):
        return False
    for key, value in before.items():
        if after.get(key, before) is not value:
            return False
    return True


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


DEFINED = (type, FunctionType, BuiltinType, ModuleType) + ((LazyType,) if LazyType else ())


def defined(kind):
    """Returns whether values of a type are functions, classes or modules, or lazy imports."""
    return issubclass(kind, DEFINED)


def hidden(name, value):
    """Returns whether a module or class body hides a name by default."""
    if name.startswith("__") and name.endswith("__"):
        return True
    return issubclass(type(value), DEFINED)


def frame_locals(frame, names=None):
    """Returns the locals of a frame as (name, text, hidden), in npdb's order. names
    replaces f_locals where the program would notice that it is read."""
    code = frame.f_code
    if names is None:
        names = frame.f_locals
    found = dict(names.items())
    if not code.co_flags & 1 and code.co_name == "<module>" and type(names) is not dict:
        # On 3.13, inside an inlined comprehension (PEP 709), f_locals has only the
        # comprehension's names.
        found = {**frame.f_globals, **found}
    if code.co_flags & 1:  # CO_OPTIMIZED: a function
        names = dict.fromkeys(code.co_varnames + code.co_cellvars + code.co_freevars)
        return [(name, render(found[name]), False) for name in names if name in found]
    return [
        (name, render(value), hidden(name, value))
        for name, value in found.items()
        if isinstance(name, str) and name != "__builtins__"
    ]
