"""The effects of each kind of statement: a method visits its expressions, and notes
which names and places it stores.
"""

import sys

from _npdb import calls
from _npdb.known import ALL, CHANGING
from _npdb.source import AST

CLASS_NAMES = (
    "__module__", "__qualname__", "__doc__", "__annotations__", "__firstlineno__", "__static_attributes__", "__classcell__",
    "__classdictcell__", "__type_params__", "__annotate__", "__annotate_func__", "__conditional_annotations__", "__classdict__",
)
BINDING = frozenset("NamedExpr ListComp DictComp SetComp GeneratorExp".split())  # expressions that bind names
LEAVES_SILENTLY = sys.version_info < (3, 10)  # the end of a with statement has no event of its own
INPLACE = {
    "Add": "__iadd__", "Sub": "__isub__", "Mult": "__imul__", "Div": "__itruediv__", "FloorDiv": "__ifloordiv__",
    "Mod": "__imod__", "Pow": "__ipow__", "BitAnd": "__iand__", "BitOr": "__ior__", "BitXor": "__ixor__",
    "LShift": "__ilshift__", "RShift": "__irshift__", "MatMult": "__imatmul__",
}


class Statements:
    """Part of Line: a method for each kind of statement."""

    def take_def(self, node):
        for part in node.decorator_list + node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(part)
        self.definition(node)

    def take_ClassDef(self, node):
        for part in node.decorator_list + node.bases + [k.value for k in node.keywords]:
            self.visit(part)
        for name in CLASS_NAMES:
            self.names.setdefault(name, False)
        self.definition(node)

    def definition(self, node):
        self.fresh = True
        for d in node.decorator_list:
            calls.decorator(self, d)
        if getattr(node, "type_params", None):
            self.rise(ALL)
        self.store(node.name)

    def take_Expr(self, node):
        if self.scope.kind != "function" and node.value.__class__.__name__ == "Constant":
            self.names.setdefault("__doc__", False)  # the docstring of a module or class
        self.visit(node.value)

    def take_Assign(self, node):
        self.visit(node.value)
        for method in self.only_called(node):
            if method in self.passed:
                self.passed.remove(method)
        self.rebound_keys |= rebound_later(node)
        for target in node.targets:
            self.target(target, node.value)

    def only_called(self, node):
        """Yields the methods of an assignment that get names which the file only calls:
        push = stack.append."""
        for target in node.targets if self.scope.kind != "class" else ():
            pairs = [(target, node.value)]
            if target.__class__.__name__ == node.value.__class__.__name__ == "Tuple":
                pairs = zip(target.elts, node.value.elts)
            for x, value in pairs:
                if x.__class__.__name__ == "Name" and value.__class__.__name__ == "Attribute" and x.id not in self.source.as_values:
                    yield self.path(value.value), value.attr, self.scope

    def take_AnnAssign(self, node):
        if self.scope.kind != "function":
            self.names.setdefault("__annotations__", False)
            self.found.append(("look", ("name", "__annotations__"), None, self.scope))
            self.names.setdefault("__conditional_annotations__", False)
        if node.value is not None:
            self.visit(node.value)
            self.target(node.target, node.value)

    def take_AugAssign(self, node):
        target = node.target
        self.visit(node.value)
        self.uses(INPLACE[node.op.__class__.__name__], target)
        kind = target.__class__.__name__
        if kind == "Name":
            self.roots.add(target.id)
            self.store(target.id)
            self.fresh = True
            own = target.id if target.id in self.names else None
            self.found.append(("value", ("name", target.id), own, self.scope))
            return
        # The target's old object is stored again in the same place, whether or not it
        # was changed in place.
        p = self.path(target, True)
        self.target(target, None)
        if p is not None:
            self.found.append(("value", p, None, self.scope))
        elif kind == "Subscript":
            self.place("elements", target.value, None)
        else:
            self.reached(target)
        self.fresh = True

    def take_For(self, node):
        self.visit(node.iter)
        self.target(node.target, None)
        self.uses("__next__", None)

    def take_AsyncFor(self, node):
        self.take_For(node)
        self.rise(ALL)

    def take_While(self, node):
        self.visit(node.test)

    take_If = take_While

    def take_Try(self, node):
        pass

    take_TryStar = take_Try

    def take_ExceptHandler(self, node):
        if node.type is not None:
            self.visit(node.type)
        if node.name:
            self.store(node.name)

    def take_With(self, node):
        self.managers(node)

    def take_AsyncWith(self, node):
        self.managers(node)
        self.rise(ALL)

    def managers(self, node, leaving=False):
        """Handles the context managers of a with statement, on entry or exit."""
        for item in node.items:
            e = item.context_expr
            if not leaving:
                self.visit(e)
                if item.optional_vars is not None:
                    self.target(item.optional_vars, None)
            p = self.path(e)
            if p is not None:
                self.found.append(("look", p, None, self.scope))  # the text of a lock shows whether it is locked
                self.uses("__enter__", e)
                self.uses("__exit__", e)
                self.callees.append((p, "__enter__", self.scope))
                self.callees.append((p, "__exit__", self.scope))
            elif not (e.__class__.__name__ == "Call" and calls.makes_manager(self, e)):
                self.rise(ALL)  # the line that leaves does not name what the manager has

    def take_Match(self, node):
        self.visit(node.subject)

    def take_match_case(self, node):
        self.fresh = True
        todo = [node.pattern]
        while todo:
            part = todo.pop()
            for name in (getattr(part, "name", None), getattr(part, "rest", None)):
                if name:
                    self.store(name)
            for x in part.__dict__.values():
                for y in x if x.__class__ is list else (x,):
                    if not isinstance(y, AST):
                        continue
                    if y.__class__.__name__.startswith("Match"):
                        todo.append(y)
                    else:
                        self.visit(y)
        if node.guard is not None:
            self.visit(node.guard)

    def take_Delete(self, node):
        for target in node.targets:
            self.target(target, None, True)

    def take_Import(self, node):
        for alias in node.names:
            self.store(alias.asname or alias.name.partition(".")[0])
            if "." in alias.name:
                self.submodule(alias.name)
        self.fresh = True

    def submodule(self, name):
        """Handles an import of a submodule, which binds a name of its package. The
        package's own code may be running."""
        if self.scope.kind != "function" and name not in CHANGING:
            self.rise(ALL)

    def take_ImportFrom(self, node):
        if node.level or "." in node.module:
            self.submodule(node.module)
        for alias in node.names:
            if alias.name == "*":
                self.rise(ALL)
            else:
                self.store(alias.asname or alias.name)
        self.fresh = True

    def take_Raise(self, node):
        self.children(node)
        if node.exc is None and LEAVES_SILENTLY:
            self.rise(ALL)  # 3.9: a finally clause on the way may have no line event

    def take_Global(self, node):
        pass

    take_Nonlocal = take_Global

    def take_TypeAlias(self, node):
        self.store(node.name.id)
        self.rise(ALL)


def rebound_later(node):
    """Returns the i of x[i], i = …: names that are used as a key first, and bound after
    that."""
    if len(node.targets) != 1 or node.targets[0].__class__.__name__ != "Tuple" or binds_within(node):
        return set()
    found, bound, keys = set(), set(), set()
    for part in node.targets[0].elts:
        if part.__class__.__name__ == "Name":
            if part.id in keys and part.id not in bound:
                found.add(part.id)
            bound.add(part.id)
        elif part.__class__.__name__ == "Subscript" and part.slice.__class__.__name__ == "Name" and part.slice.id not in bound:
            keys.add(part.slice.id)
        else:
            return set()
    return found


def places_of_last_store(node):
    """Returns the number of places that a statement of the form x = …, x.a += … or for
    x in … stores, all at its end. Returns -1 for other statements, and if something is
    stored earlier."""
    kind = node.__class__.__name__
    if kind == "Assign" and len(node.targets) == 1:
        target, parts = node.targets[0], [node.targets[0], node.value]
    elif kind in ("AnnAssign", "AugAssign"):
        target, parts = node.target, [node.target, node.value]
        if kind == "AugAssign" and indexes(target):
            return -1  # the indexed object is read first, which may store something there
    elif kind == "For":
        target, parts = node.target, [node.target, node.iter]
    else:
        return -1
    where = target.__class__.__name__
    if where in ("Tuple", "List"):
        if any(part.__class__.__name__ != "Name" for part in target.elts):
            return -1
        places = 0
    elif where in ("Name", "Attribute", "Subscript"):
        places = int(where != "Name")
    else:
        return -1
    if any(binds_within(part) for part in parts if part is not None):
        return -1
    return places + (kind == "AugAssign")


def indexes(target):
    """Returns whether a target (a name, or attributes and indices of an expression) has
    an index."""
    while target.__class__.__name__ == "Attribute":
        target = target.value
    return target.__class__.__name__ != "Name"


def binds_within(node):
    """Returns whether an expression binds names itself, or may do so."""
    if node.__class__.__name__ in BINDING:
        return True
    for part in node.__dict__.values():
        for x in part if part.__class__ is list else (part,):
            if isinstance(x, AST) and binds_within(x):
                return True
    return False
