"""Parses a source file: what it binds, and where its statements are. The tree is walked
once, and every later question about a line is answered from the result.
"""

import sys

from _npdb import library
from _npdb.known import COPYING, HANDED

AST = library.take("_ast").AST
warnings = library.take("_warnings")

OTHER = ("other",)  # a name that is bound several times, or to something unknown
FUNCTIONS = frozenset(("FunctionDef", "AsyncFunctionDef"))
COMPREHENSIONS = frozenset(("ListComp", "SetComp", "DictComp", "GeneratorExp"))
# Functions that return a namespace as a dict. Code that has it can change names or
# attributes by [].
NAMESPACES = frozenset(("globals", "locals", "vars"))


class Scope:
    """A module, class, function, lambda or comprehension, and the names that it binds."""

    __slots__ = ("kind", "parent", "bound", "uses", "declared", "inner", "first", "given", "shared", "owner")

    def __init__(self, kind, parent, owner=""):
        self.kind = kind
        self.parent = parent
        self.owner = owner or parent and parent.owner  # the class in which private names are written as __name
        self.bound = {}  # name -> its binding: ("def", node), ("class", node), ("import", module), ("from", module, name), OTHER
        self.uses = set()
        self.declared = {}  # name -> "global" or "nonlocal"
        self.inner = []
        self.given = ()  # the arguments of a function
        self.first = None  # the name of a function's first argument
        self.shared = None
        if parent is not None:
            parent.inner.append(self)

    def bind(self, name, what):
        found = self.bound.get(name)
        if found is None or found == what or found[0] == what[0] == "def":
            self.bound[name] = what
        else:
            self.bound[name] = OTHER

    def find(self, name):
        """Returns the binding of a name here, or None if only builtins may have it."""
        scope = self
        while scope is not None:
            declared = scope.declared.get(name)
            if declared == "global":
                while scope.parent is not None:
                    scope = scope.parent
                return scope.bound.get(name)
            if declared is None and name in scope.bound and (scope is self or scope.kind != "class"):
                return scope.bound[name]
            scope = scope.parent
        return None

    def mangled(self, name):
        """Returns the name as it is spelled at run time."""
        if self.owner and name[:2] == "__" and name[-2:] != "__" and "." not in name:
            return "_%s%s" % (self.owner, name)
        return name

    def frame(self):
        """Returns the scope in whose frame an assignment expression binds."""
        scope = self
        while scope.kind == "comprehension":
            scope = scope.parent
        return scope

    def cells(self):
        """Returns the names of this function that inner functions use too."""
        if self.shared is None:
            self.shared = found = set()
            todo = list(self.inner)
            while todo:
                scope = todo.pop()
                todo += scope.inner
                if scope.kind != "comprehension":
                    found |= scope.uses
                    found.update(scope.bound)
                elif any(s.kind != "comprehension" for s in scope.inner):
                    found |= scope.uses
        return self.shared


class Statement:
    """A statement, or the head of one that has a body."""

    __slots__ = ("node", "scope", "unbinds", "withs", "effect")

    def __init__(self, node, scope, unbinds, withs):
        self.node = node
        self.scope = scope
        self.unbinds = unbinds  # names of except clauses that may end after it
        self.effect = None  # of those of its lines that have no other statement
        self.withs = withs  # the with statements that may be left after it


def parse(text):
    """Parses a source text. Warnings are left to the program's own compilation."""
    loaded = sys.modules.get("warnings", warnings)
    filters = getattr(loaded, "__dict__", {}).get("filters")
    if type(filters) is not list:
        filters = warnings.filters
    before = list(filters)
    try:
        filters.insert(0, ("ignore", None, Warning, None, 0))
        refilter()
        return compile(text, "<source>", "exec", 0x400, True)  # PyCF_ONLY_AST
    finally:
        filters[:] = before
        refilter()


def refilter():
    """Tells the interpreter that its warning filters have changed."""
    changed = getattr(warnings, "_filters_mutated", None)
    if changed is not None:
        changed()
        return
    warnings._acquire_lock()  # from 3.14 on
    try:
        warnings._filters_mutated_lock_held()
    finally:
        warnings._release_lock()


def lazy_mode():
    """Returns which imports are lazy beside those that say so."""
    mode = getattr(sys, "get_lazy_imports", None)
    return mode() if mode is not None else "none"


class Unknowable(Exception):
    """A file in which any line may change anything, because code of the user runs
    without events."""


class Source:
    """The statements of a file by line, its scopes, and facts that hold for the whole
    file."""

    def __init__(self, text):
        self.lines = {}  # line -> [Statement, …]
        self.methods = set()  # names of methods
        self.properties = set()  # names of attributes that run code of the file
        self.defined = {}  # name -> methods with this name
        self.functions = {}  # line -> the function that begins there
        self.constants = set()  # names of the module that always refer to one text or number
        self.shared = set()  # names in classes that code outside the class may bind, for example through the class
        self.caching = set()  # names of cached properties: reading them stores an attribute
        self.indexed = False  # a class defines its own __getitem__
        self.as_values = set()  # names that are not only called
        self.prepared = False  # a class body has a namespace of the program (__prepare__)
        self.namespaces = False  # a namespace is passed on as a dict
        self.builtins = True  # the builtin names have their usual meaning
        self.starred = []  # modules of which all names are imported
        self.lazy_imports = {}  # name that a lazy import of the module binds -> its module; code that reads it binds it again
        self.all_lazy = "__lazy_modules__" in text or lazy_mode() == "all"
        self.stored_again = set()
        self.attributes = set()  # names of attributes that are set: x.name(…) may call any function
        self.of_classes = set()
        self.module = Scope("module", None)
        if "setprofile" in text or "settrace" in text:
            raise Unknowable
        tree = parse(text)
        self.body(tree.body, self.module, (), ())
        for node in tree.body:
            if node.__class__.__name__ == "Assign" and node.value.__class__.__name__ == "Constant":
                self.constants.update(t.id for t in node.targets if t.__class__.__name__ == "Name")
        self.constants.difference_update(self.stored_again)
        self.shared &= self.of_classes

    def body(self, statements, scope, unbinds, withs):
        for node in statements:
            self.statement(node, scope, unbinds, withs)

    def place(self, node, last, scope, unbinds, withs, first=None):
        found = Statement(node, scope, unbinds, withs)
        lines = self.lines
        for line in range(first or node.lineno, last + 1):
            if line in lines:
                lines[line].append(found)
            else:
                lines[line] = [found]

    def statement(self, node, scope, unbinds, withs):
        kind = node.__class__.__name__
        if kind in FUNCTIONS or kind == "ClassDef":
            self.definition(node, kind, scope, unbinds)
            return
        body = getattr(node, "body", None)
        if body.__class__ is list:
            last = node.lineno
            for name in ("test", "target", "iter"):
                part = getattr(node, name, None)
                if part is not None:
                    last = max(last, part.end_lineno)
                    self.expression(part, scope)
            inside = withs
            if kind in ("With", "AsyncWith"):
                for item in node.items:
                    self.expression(item, scope)
                    last = max(last, (item.optional_vars or item.context_expr).end_lineno)
                inside = withs + (node,)
            self.place(node, last, scope, unbinds, withs)
            self.body(body, scope, unbinds, inside)
            for clause in getattr(node, "handlers", ()):
                self.place(clause, clause.type.end_lineno if clause.type else clause.lineno, scope, unbinds, withs)
                inner = unbinds
                if clause.type:
                    self.expression(clause.type, scope)
                if clause.name:
                    self.store(scope, clause.name)
                    inner += (clause.name,)
                self.body(clause.body, scope, inner, withs)
            self.body(getattr(node, "orelse", ()), scope, unbinds, withs)
            self.body(getattr(node, "finalbody", ()), scope, unbinds, withs)
            return
        if kind == "Match":
            self.expression(node.subject, scope)
            self.place(node, node.subject.end_lineno, scope, unbinds, withs)
            for case in node.cases:
                self.expression(case.pattern, scope)
                if case.guard is not None:
                    self.expression(case.guard, scope)
                self.place(case, (case.guard or case.pattern).end_lineno, scope, unbinds, withs, case.pattern.lineno)
                self.body(case.body, scope, unbinds, withs)
            return
        self.place(node, node.end_lineno, scope, unbinds, withs)
        if kind in ("Global", "Nonlocal"):
            for name in node.names:
                scope.declared[scope.mangled(name)] = kind.lower()
        elif kind == "Import":
            self.lazily(node, scope)
            for alias in node.names:
                top = alias.name.partition(".")[0]
                if top == "builtins":
                    self.builtins = False
                self.store(scope, alias.asname or top, ("import", alias.name if alias.asname else top))
        elif kind == "ImportFrom":
            self.lazily(node, scope)
            for alias in node.names:
                if alias.name == "*":
                    self.starred.append(node.module if not node.level else "")
                else:
                    module = node.module if not node.level else ""
                    self.store(scope, alias.asname or alias.name, ("from", module, alias.name))
        else:
            self.expression(node, scope)

    def lazily(self, node, scope):
        """Notes the names that a lazy import binds."""
        if scope is self.module and (getattr(node, "is_lazy", 0) or self.all_lazy):
            for alias in node.names:
                name = alias.asname or (alias.name if hasattr(node, "module") else alias.name.partition(".")[0])
                self.lazy_imports[name] = node.module or "." if hasattr(node, "module") else alias.name

    def definition(self, node, kind, scope, unbinds):
        last = node.lineno
        heads = list(node.decorator_list)
        if kind == "ClassDef":
            heads += node.bases + [k.value for k in node.keywords]
        else:
            heads += node.args.defaults + [d for d in node.args.kw_defaults if d]
            notes = [a.annotation for a in arguments(node.args) if a.annotation] + ([node.returns] if node.returns else [])
            last = max([last] + [a.end_lineno for a in arguments(node.args)] + [n.end_lineno for n in notes])
        for part in heads:
            self.expression(part, scope)
        last = max([last] + [part.end_lineno for part in heads])
        first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        self.place(node, last, scope, unbinds, (), first)
        inner = node.scope = Scope(*(("class", scope, node.name.lstrip("_")) if kind == "ClassDef" else ("function", scope)))
        if kind == "ClassDef":
            self.store(scope, node.name, ("class", node))
        else:
            self.store(scope, node.name, OTHER if node.decorator_list else ("def", node))
            self.functions[first] = node
            inner.given = frozenset(a.arg for a in arguments(node.args))
            names = arguments(node.args)
            for a in names:
                inner.bound[inner.mangled(a.arg)] = OTHER
            if names:
                inner.first = inner.mangled(names[0].arg)
            if scope.kind == "class":
                self.method(node)
        self.body(node.body, inner, (), ())

    def method(self, node):
        self.methods.add(node.scope.mangled(node.name))
        self.defined.setdefault(node.scope.mangled(node.name), []).append(node)
        self.prepared = self.prepared or node.name == "__prepare__"
        if node.name in ("__getitem__", "__getattr__", "__getattribute__", "__call__", "__missing__"):
            self.indexed = True
        for d in node.decorator_list:
            d = getattr(d, "func", d)
            name = getattr(d, "attr", None) or getattr(d, "id", None)
            if name in ("staticmethod", "classmethod", "abstractmethod", "override"):
                continue
            self.properties.add(node.name)
            if "cached" in (name or ""):
                self.caching.add(node.name)

    def store(self, scope, name, what=OTHER):
        name = scope.mangled(name)
        declared = scope.declared.get(name)
        if scope.kind == "class" and what is OTHER:
            self.of_classes.add(name)
        if name in self.module.bound and (scope is self.module or declared == "global"):
            self.stored_again.add(name)
        if declared == "global":
            self.module.bind(name, OTHER)
        elif declared is None:
            scope.bind(name, what)

    def expression(self, node, scope):
        """Notes the names that an expression, or a statement without a body, uses and
        binds."""
        todo = [(node, scope)]
        while todo:
            node, scope = todo.pop()
            kind = node.__class__.__name__
            if kind == "Name":
                if node.id[:2] == "__":
                    node.id = scope.mangled(node.id)
                scope.uses.add(node.id)
                if node.ctx.__class__.__name__ != "Load":
                    self.store(scope, node.id)
                else:
                    if node.id == "__builtins__":
                        self.builtins = False
                    if not getattr(node, "callee", False):
                        self.as_values.add(node.id)
                continue
            if kind == "Constant":
                continue
            if kind == "Attribute":
                if node.attr[:2] == "__":
                    node.attr = scope.mangled(node.attr)
                if node.ctx.__class__.__name__ != "Load":
                    self.attributes.add(node.attr)
                    receiver = getattr(node.value, "id", None)
                    if receiver is None or receiver != scope.first or receiver == "cls":
                        self.shared.add(node.attr)
                if node.attr == "__dict__" and not getattr(node, "called", False):
                    self.namespaces = True
                todo.append((node.value, scope))
                if node.value.__class__.__name__ in ("Attribute", "Call") and node.attr in HANDED:
                    node.value.called = True  # x.__dict__.items(): the dict itself is not passed on
                continue
            if kind == "Call":
                f = node.func
                f.called = f.callee = True
                if f.__class__.__name__ == "Name":
                    if f.id in NAMESPACES and not getattr(node, "called", False):
                        self.namespaces = True
                    elif f.id in COPYING:
                        for a in node.args:
                            a.called = True
            elif kind == "Subscript":
                node.value.called = True
            elif kind == "NamedExpr":
                self.store(scope.frame(), node.target.id)
                node.target.id = scope.mangled(node.target.id)
                scope.uses.add(node.target.id)
                todo.append((node.value, scope))
                continue
            elif kind == "Lambda":
                inner = node.scope = Scope("lambda", scope)
                for a in arguments(node.args):
                    inner.bound[inner.mangled(a.arg)] = OTHER
                todo += [(d, scope) for d in node.args.defaults + node.args.kw_defaults if d]
                todo.append((node.body, inner))
                continue
            elif kind in COMPREHENSIONS:
                inner = node.scope = Scope("comprehension", scope)
                for g in node.generators:
                    todo += [(part, inner) for part in [g.target] + g.ifs]
                    todo.append((g.iter, scope if g is node.generators[0] else inner))
                todo += [(part, inner) for part in (node.key, node.value) if part] if kind == "DictComp" else [(node.elt, inner)]
                continue
            elif kind in ("MatchAs", "MatchStar", "MatchMapping"):
                name = node.rest if kind == "MatchMapping" else node.name
                if name:
                    self.store(scope, name)
            elif kind == "TypeAlias":
                self.store(scope, node.name.id)
                continue
            for part in node.__dict__.values():
                if part.__class__ is list:
                    for item in part:
                        if isinstance(item, AST):
                            todo.append((item, scope))
                elif isinstance(part, AST):
                    todo.append((part, scope))


def arguments(args):
    """Returns the arguments of a function or lambda, the first one first."""
    found = args.posonlyargs + args.args + args.kwonlyargs
    return found + [a for a in (args.vararg, args.kwarg) if a]
