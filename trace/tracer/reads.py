"""What a function's value depends on, as far as its source tells: asked of a
__repr__, to know when its text may be another.
"""

from _npdb.known import BUILTINS, METHODS, MUTATORS, exception
from _npdb.source import AST, FUNCTIONS, NAMESPACES, arguments

OWN, REACHED, ANY = "own", "reach", "any"

# Modules whose functions give the same for the same arguments.
PURE_MODULES = frozenset("math cmath textwrap json os.path posixpath itertools operator string re functools pprint reprlib".split())
IMPURE = frozenset("input open next iter print exec eval id object __import__ dir help quit exit compile".split())
UNTOLD = frozenset(("read", "readline", "readlines", "write", "now", "today", "random", "time", "randint", "__next__"))
SHOWING = ("__str__", "__format__", "__iter__", "__len__", "__getitem__", "__contains__", "__bool__")
ABOUT = frozenset(("type", "id", "isinstance"))
NAMED = frozenset(("__class__", "__name__", "__qualname__", "__module__"))


class Untold(Exception):
    """The value may depend on anything."""


class Reading:
    """Follows a function's body; names are those that it begins with."""

    def __init__(self, source, scope, outer=()):
        self.source = source
        self.scope = scope
        self.within = outer + (scope,)
        self.attributes = set()  # of the first argument
        self.whole = False  # the first argument itself is handed on

    def block(self, body):
        for node in body:
            kind = node.__class__.__name__
            if kind in ("Return", "Expr"):
                self.value(node.value)
            elif kind in ("Assign", "AnnAssign", "AugAssign", "NamedExpr"):
                self.value(node.value)
                for target in getattr(node, "targets", None) or (node.target,):
                    self.local(target)
            elif kind in ("If", "While"):
                self.value(node.test)
                self.block(node.body)
                self.block(node.orelse)
            elif kind == "For":
                self.value(node.iter)
                self.local(node.target)
                self.block(node.body)
                self.block(node.orelse)
            elif kind not in ("Pass", "Break", "Continue"):
                raise Untold

    def local(self, node):
        """A target, which must be a name of the function's own."""
        kind = node.__class__.__name__
        if kind in ("Tuple", "List"):
            for x in node.elts:
                self.local(x)
        elif kind == "Starred":
            self.local(node.value)
        elif kind != "Name" or self.scope.declared.get(node.id):
            raise Untold

    def value(self, node):
        if node is None:
            return
        kind = node.__class__.__name__
        if kind == "Constant":
            return
        if kind == "Name":
            self.name(node.id)
        elif kind == "Attribute":
            self.attribute(node)
        elif kind == "Call":
            self.call(node)
        elif kind in ("ListComp", "SetComp", "DictComp", "GeneratorExp"):
            before, self.scope = self.scope, node.scope
            for g in node.generators:
                self.value(g.iter)
                self.local(g.target)
                for part in g.ifs:
                    self.value(part)
            for part in (node.key, node.value) if kind == "DictComp" else (node.elt,):
                self.value(part)
            self.scope = before
        elif kind == "Lambda":
            before, self.scope = self.scope, node.scope
            self.value(node.body)
            self.scope = before
        elif kind in ("Await", "Yield", "YieldFrom", "NamedExpr"):
            raise Untold
        else:
            for part in node.__dict__.values():
                for x in part if part.__class__ is list else (part,):
                    if isinstance(x, AST) and x._fields:
                        self.value(x)

    def name(self, name):
        found = self.scope
        while found.kind in ("comprehension", "lambda") and name not in found.bound:
            found = found.parent
        if name in found.bound and found.kind != "class":
            if name == found.first and found.kind == "function":
                self.whole = True
            return
        what = self.scope.find(name)
        if what is None and self.source.builtins and name in BUILTINS and name not in IMPURE and name not in NAMESPACES:
            return
        if what is not None and what[0] == "class":
            return  # isinstance(x, Class)
        if name in self.source.constants and what is not None:
            return
        raise Untold

    def attribute(self, node):
        name = node.attr
        if name in NAMED:
            if node.value.__class__.__name__ != "Name":
                self.value(node.value)
            return
        if name == "__dict__":
            self.whole = True
        if name in self.source.shared:
            raise Untold
        if name in self.source.properties:
            self.functions(name)
            self.whole = True
        if node.value.__class__.__name__ == "Name" and node.value.id == self.first():
            self.attributes.add(name)
        else:
            self.value(node.value)

    def first(self):
        scope = self.scope
        while scope.kind in ("comprehension", "lambda"):
            scope = scope.parent
        return scope.first

    def call(self, node):
        name = getattr(node.func, "id", None)
        if name in ABOUT and self.scope.find(name) is None and node.args and getattr(node.args[0], "id", None) == self.first():
            return  # of the object itself, not of what it holds
        for a in node.args:
            self.value(getattr(a, "value", None) if a.__class__.__name__ == "Starred" else a)
        for k in node.keywords:
            self.value(k.value)
        f = node.func
        kind = f.__class__.__name__
        if kind == "Name":
            what = self.scope.find(f.id)
            if what is None:
                if not self.source.builtins or f.id in IMPURE or f.id in NAMESPACES or f.id not in BUILTINS and not exception(f.id):
                    raise Untold
                if f.id == "super":
                    self.whole = True
            elif what[0] == "def":
                self.function(what[1])
            elif what[0] != "from" or what[1] not in PURE_MODULES:
                raise Untold
        elif kind == "Attribute":
            if f.value.__class__.__name__ == "Name":
                what = self.scope.find(f.value.id)
                if what is not None and what[0] == "import":
                    if what[1] not in PURE_MODULES:
                        raise Untold
                    return
            if f.attr in self.source.methods:
                self.functions(f.attr)
                self.whole = True
            elif f.attr in MUTATORS:
                self.built(f.value)
                return
            elif f.attr not in METHODS or f.attr in UNTOLD:
                raise Untold
            self.value(f.value)
        else:
            raise Untold

    def built(self, node):
        """What the function itself makes, and may therefore change: a name of its own."""
        if node.__class__.__name__ != "Name" or node.id not in self.scope.bound or node.id in self.scope.given:
            raise Untold

    def functions(self, name):
        """All functions of classes of the file of a name."""
        for node in self.source.defined.get(name, ()):
            self.function(node)

    def function(self, node):
        if node.scope not in self.within:  # or it is being read
            Reading(self.source, node.scope, self.within).block(node.body)


def of(source, first_line):
    """What the function that begins at a line depends on: ("own", …) on no more
    than which object its first argument is, or its attributes that are named;
    ("reach", …) on what these attributes reach, None for all that it has;
    ("any", None) on anything."""
    node = source.functions.get(first_line) if source else None
    if node is None or node.__class__.__name__ not in FUNCTIONS:
        return ANY, None
    reading = Reading(source, node.scope)
    try:
        if len(arguments(node.args)) != 1:
            raise Untold
        reading.block(node.body)
        for name in SHOWING:
            if name != node.name:
                for other in source.defined.get(name, ()):  # of what it shows, perhaps
                    Reading(source, other.scope, reading.within).block(other.body)
    except (Untold, RecursionError):
        return ANY, None
    if reading.whole:
        return REACHED, None
    return (REACHED if reading.attributes else OWN), tuple(sorted(reading.attributes))
