"""Determines from its source what the result of a function depends on. This is used for
a __repr__, to know when its text may change.
"""

from _npdb.known import BUILTINS, METHODS, MUTATORS, exception
from _npdb.source import AST, FUNCTIONS, NAMESPACES, arguments

OWN, REACHED, ANY = "own", "reach", "any"

# Modules whose functions return the same result for the same arguments.
PURE_MODULES = frozenset("math cmath textwrap json os.path posixpath itertools operator string re functools pprint reprlib".split())
IMPURE = frozenset("input open next iter print exec eval id object __import__ dir help quit exit compile".split())
UNTOLD = frozenset(("read", "readline", "readlines", "write", "now", "today", "random", "time", "randint", "__next__"))
SHOWING = ("__str__", "__format__", "__iter__", "__len__", "__getitem__", "__contains__", "__bool__")
ABOUT = frozenset(("type", "id", "isinstance"))
NAMED = frozenset(("__class__", "__name__", "__qualname__", "__module__"))


class Untold(Exception):
    """The result may depend on anything."""


class Reading:
    """Analyses the body of a function; names are its parameters."""

    def __init__(self, source, scope, outer=()):
        self.source = source
        self.scope = scope
        self.within = outer + (scope,)
        self.attributes = set()  # attributes read of the first argument
        self.whole = False  # the first argument itself is passed on

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
        """Notes a target, which must be a local name of the function."""
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
            return  # a property of the object itself, not of its content
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
        """Checks that an object was created by the function itself, which may therefore
        change it: a local name."""
        if node.__class__.__name__ != "Name" or node.id not in self.scope.bound or node.id in self.scope.given:
            raise Untold

    def functions(self, name):
        """Analyses all methods with a name in the file."""
        for node in self.source.defined.get(name, ()):
            self.function(node)

    def function(self, node):
        if node.scope not in self.within:  # or it is being analysed
            Reading(self.source, node.scope, self.within).block(node.body)


def of(source, first_line):
    """Returns what the function that begins at a line depends on. ("own", …): only on
    the identity of its first argument, or on the named attributes of it. ("reach", …):
    on everything that these attributes reach, None for all attributes. ("any", None):
    on anything."""
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
                for other in source.defined.get(name, ()):  # perhaps of an object that it displays
                    Reading(source, other.scope, reading.within).block(other.body)
    except (Untold, RecursionError):
        return ANY, None
    if reading.whole:
        return REACHED, None
    return (REACHED if reading.attributes else OWN), tuple(sorted(reading.attributes))
