"""Places: what x, x.a, x[k] and what is made of them name, found again from a
frame's names without running code of the program.

A path is a tuple: its kind, then its parts. follower() makes a function of it.
"""

from _npdb import library
from _npdb.forms_arrays import buffer_class
from _npdb.known import ALL, DEQUE, DICTS, FieldType, REACH
from _npdb.render import ATOMS

operator = library.take("_operator")  # the module of Python's is the program's to import
type_mro = type.__dict__["__mro__"].__get__
type_dict = type.__dict__["__dict__"].__get__
MISSING = object()
ModuleType = type(operator)
FunctionType = type(lambda: None)
BuiltinType = type(len)
MemberType = type(type("", (), {"__slots__": ("a",)}).a)

NUMBERED = {bytearray}  # and the array of the module array: classes whose elements are atoms
KEYS = frozenset((int, float, bool, str, bytes, type(None), type(...)))
NUMBERS = frozenset((int, float, bool))
SMALL = 1 << 64


class Lost(Exception):
    """A path leads through code of the program or of a library: how much must
    be looked at instead."""

    level = ALL


class Within(Lost):
    """A path leads to something that its first name reaches."""

    level = REACH


class Gone(Lost):
    """There is nothing at the end of a path that could have changed."""

    level = 0


OPERATORS = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "FloorDiv": operator.floordiv, "Mod": operator.mod,
    "Div": operator.truediv, "BitAnd": operator.and_, "BitOr": operator.or_, "BitXor": operator.xor,
    "RShift": operator.rshift, "USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert,
}
FUNCTIONS = {"len": len, "abs": abs, "ord": ord, "min": min, "max": max, "int": int, "str": str}


def path(node, scope, source, returned=False):
    """The path of an expression, or None where it is none. returned: it may lead through
    what functions return, which candidates can follow."""
    kind = node.__class__.__name__
    if kind == "Name":
        return ("name", node.id)
    if kind == "Attribute":
        if node.attr == "__dict__":
            return None
        inner = path(node.value, scope, source, returned)
        return inner and ("attribute", inner, node.attr)
    if kind == "Subscript":
        inner = path(node.value, scope, source, returned)
        key = inner and path(node.slice, scope, source)
        return ("item", inner, key) if key and steps(key).isdisjoint(source.properties) else None
    if kind == "Constant":
        return ("constant", node.value) if type(node.value) in KEYS else None
    if kind == "BinOp":
        name = node.op.__class__.__name__
        left = name in OPERATORS and path(node.left, scope, source)
        right = left and path(node.right, scope, source)
        return right and ("arithmetic", name, left, right) or None
    if kind == "UnaryOp":
        name = node.op.__class__.__name__
        inner = name in OPERATORS and path(node.operand, scope, source)
        return inner and ("arithmetic", name, inner) or None
    if kind == "Tuple":
        parts = tuple(path(e, scope, source) for e in node.elts)
        return ("tuple",) + parts if all(parts) else None
    if kind == "Call":
        found = called(node, scope, source)
        if found is None and returned and node.func.__class__.__name__ in ("Name", "Attribute"):
            f = node.func
            name = getattr(f, "attr", None)
            inner = path(f if name is None else f.value, scope, source, True)
            return inner and ("returned", inner, name)
        return found
    return None


def called(node, scope, source):
    """len(x) and its like; d.setdefault(k, …) and d.get(k), which give what d[k] holds then."""
    f = node.func
    if node.keywords or not node.args:
        return None
    if f.__class__.__name__ == "Name":
        if not source.builtins or f.id not in FUNCTIONS or scope.find(f.id) is not None:
            return None
        parts = tuple(path(a, scope, source) for a in node.args)
        return ("function", f.id) + parts if all(parts) else None
    if f.__class__.__name__ == "Attribute" and f.attr == "setdefault":
        inner = path(f.value, scope, source)
        key = inner and path(node.args[0], scope, source)
        return key and ("default", inner, key)
    return None


def names(p):
    """The names that a path begins at, those of its keys too."""
    if p[0] == "name":
        return {p[1]}
    found = set()
    for part in p[1:]:
        if part.__class__ is tuple:
            found |= names(part)
    return found


STEPS = frozenset(("attribute", "item", "default", "returned", "receiver", "object", "namespace"))


def steps(p):
    """The attributes that a path goes through, and "[]" where it goes by items."""
    found = set()
    if p[0] == "attribute" or p[0] == "returned" and p[2] is not None:
        found.add(p[2])
    elif p[0] in ("item", "default", "function"):  # len(x) is another, too, when x has changed
        found.add("[]")
    for part in p[1:]:
        if part.__class__ is tuple and p[0] != "constant":
            found |= steps(part)
    return found


def depth(p):
    """How many steps a path has, those of its keys left out."""
    return 1 + depth(p[1]) if p[0] in STEPS else 0


def prefixes(p):
    """The paths on the way."""
    found = []
    while p[0] in STEPS:
        p = p[1]
        found.append(p)
    return found


def spelled(p, scope):
    """A path as an expression over L and G, and these functions."""
    kind = p[0]
    if kind == "name":
        name = p[1]
        declared = scope.declared.get(name)
        if declared == "global" or scope.kind == "function" and not local(name, scope):
            return "(L[%r] if %r in L else G.get(%r))" % (name, name, name) if scope.inner else "G.get(%r)" % name
        if scope.kind == "function" and not scope.inner:
            return "L.get(%r)" % name
        return "(L[%r] if %r in L else G.get(%r))" % (name, name, name)
    if kind == "constant":
        return repr(p[1]) if p[1] is not ... else "..."
    if kind == "attribute":
        return "attribute(%s, %r)" % (spelled(p[1], scope), p[2])
    if kind == "item":
        return "item(%s, %s)" % (spelled(p[1], scope), spelled(p[2], scope))
    if kind == "default":
        return "default(%s, %s)" % (spelled(p[1], scope), spelled(p[2], scope))
    if kind in ("receiver", "object", "namespace"):
        return "%s(%s)" % (kind, spelled(p[1], scope))
    if kind == "returned":
        return "returned(%s)" % spelled(p[1], scope)
    if kind == "tuple":
        return "(%s)" % "".join(spelled(part, scope) + ", " for part in p[1:])
    if kind == "function":
        return "atomic(%r, %s)" % (p[1], ", ".join(spelled(part, scope) for part in p[2:]))
    return "arithmetic(%r, %s)" % (p[1], ", ".join(spelled(part, scope) for part in p[2:]))


def local(name, scope):
    """Whether a name of a function is in its frame's locals when it is bound."""
    while scope is not None and scope.kind != "module":
        if scope.declared.get(name) == "global":
            return False
        if name in scope.bound:
            return True
        scope = scope.parent
    return False


def later(p, scope):
    """The same, made when it is first called."""
    made = None

    def where(L, G):
        nonlocal made
        if made is None:
            made = follower(p, scope)
        return made(L, G)

    return where


followers = {}


def follower(p, scope):
    """A path as a function of a frame's locals and globals. What it finds is
    None where nothing is there; it raises Lost where it cannot follow."""
    text = spelled(p, scope)
    found = followers.get(text)
    if found is None:
        found = followers[text] = eval(compile("lambda L, G: " + text, "<npdb place>", "eval", 0, True), FOLLOWING)
    return found


def attribute(v, name):
    """v.name, where that is a plain attribute, a slot or a module's name."""
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
            if k is kind or k.__flags__ & 512:  # one that Python code, or a class made in C, defines
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


type_own = {name: type.__dict__[name] for name in ("__name__", "__qualname__")}  # which run no code


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
    """What a class or its bases bind a name to."""
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
    """v[key], where v is a list, tuple, deque or dict that answers as those do."""
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


def default(v, key):
    """What d.setdefault(key, …) gave."""
    kind = type(v)
    if kind in DICTS:
        return item(v, key)
    raise Lost


def receiver(f):
    """What a method of a builtin type that is called changes."""
    return f.__self__ if type(f) is BuiltinType and type(f.__self__) is not ModuleType else None


def returned(v):
    raise Lost


def namespace(v):
    """The attributes of an object as the dict that someone may hold."""
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
    "attribute": attribute, "receiver": receiver, "object": object_, "namespace": namespace, "item": item, "default": default, "arithmetic": arithmetic, "atomic": atomic, "returned": returned,
    "__builtins__": {},
}
