"""Places such as x, x.a and x[k], as paths read from a program's text. following finds
the objects that they lead to.

A path is a tuple: its kind, then its parts.
"""

from _npdb import library

operator = library.take("_operator")  # the program may import Python's own module operator

KEYS = frozenset((int, float, bool, str, bytes, type(None), type(...)))

OPERATORS = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "FloorDiv": operator.floordiv, "Mod": operator.mod,
    "Div": operator.truediv, "BitAnd": operator.and_, "BitOr": operator.or_, "BitXor": operator.xor,
    "RShift": operator.rshift, "USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert,
}
FUNCTIONS = {"len": len, "abs": abs, "ord": ord, "min": min, "max": max, "int": int, "str": str}


def path(node, scope, source, returned=False):
    """Returns the path of an expression, or None if it has none. returned: the path may
    lead through results of functions, which answers.candidates can follow."""
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
    """Returns the path of len(x) and similar calls, and of d.setdefault(k, …) and
    d.get(k), which return the value of d[k]."""
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
    """Returns the names at which a path begins, including those of its keys."""
    if p[0] == "name":
        return {p[1]}
    found = set()
    for part in p[1:]:
        if part.__class__ is tuple:
            found |= names(part)
    return found


STEPS = frozenset(("attribute", "item", "default", "returned", "object", "namespace"))


def steps(p):
    """Returns the attributes in a path, and "[]" for a path with items."""
    found = set()
    if p[0] == "attribute" or p[0] == "returned" and p[2] is not None:
        found.add(p[2])
    elif p[0] in ("item", "default", "function"):  # the value of len(x) changes with x
        found.add("[]")
    for part in p[1:]:
        if part.__class__ is tuple and p[0] != "constant":
            found |= steps(part)
    return found


def depth(p):
    """Returns the number of steps of a path, without those of its keys."""
    return 1 + depth(p[1]) if p[0] in STEPS else 0


def prefixes(p):
    """Returns the paths to all objects on the way."""
    found = []
    while p[0] in STEPS:
        p = p[1]
        found.append(p)
    return found


def spelled(p, scope, key=False):
    """Returns a path as an expression over L and G, and the functions of following.
    key: it is part of a key, so the content of a str or bytes counts."""
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
        return "attribute(%s, %r)" % (spelled(p[1], scope, key), p[2])
    if kind == "item":
        return "%s(%s, %s)" % ("element" if key else "item", spelled(p[1], scope, key), spelled(p[2], scope, True))
    if kind == "default":
        return "default(%s, %s)" % (spelled(p[1], scope, key), spelled(p[2], scope, True))
    if kind in ("object", "namespace"):
        return "%s(%s)" % (kind, spelled(p[1], scope))
    if kind == "returned":
        return "returned(%s)" % spelled(p[1], scope)
    if kind == "tuple":
        return "(%s)" % "".join(spelled(part, scope, True) + ", " for part in p[1:])
    if kind == "function":
        return "atomic(%r, %s)" % (p[1], ", ".join(spelled(part, scope, True) for part in p[2:]))
    return "arithmetic(%r, %s)" % (p[1], ", ".join(spelled(part, scope, True) for part in p[2:]))


def local(name, scope):
    """Returns whether a name of a function is in its frame's locals when it is bound."""
    while scope is not None and scope.kind != "module":
        if scope.declared.get(name) == "global":
            return False
        if name in scope.bound:
            return True
        scope = scope.parent
    return False


def targets(node):
    """Returns the names in a target."""
    kind = node.__class__.__name__
    if kind == "Name":
        return [node.id]
    if kind == "Starred":
        return targets(node.value)
    if kind in ("Tuple", "List"):
        return [name for x in node.elts for name in targets(x)]
    return []


def namespace_of(node):
    """Returns the x of x.__dict__ and vars(x)."""
    if node.__class__.__name__ == "Attribute":
        return node.value if node.attr == "__dict__" else None
    if node.__class__.__name__ == "Call" and getattr(node.func, "id", None) == "vars" and len(node.args) == 1:
        return node.args[0]
    return None
