"""Computes the effect of a line from its statements. effects.py explains the parts."""

from _npdb import calls
from _npdb.following import follower, later
from _npdb.known import ALL, MUTATORS, QUIET, REACH, READ
from _npdb.places import depth, names, namespace_of, path, prefixes, steps, targets
from _npdb.source import AST, FUNCTIONS
from _npdb.statements import LEAVES_SILENTLY, Statements, places_of_last_store

FRESH = frozenset("List Dict Set Tuple ListComp DictComp SetComp GeneratorExp Slice JoinedStr Lambda TemplateStr".split())
PLACED = frozenset(("name", "attribute", "item", "default", "returned"))
KEEPING = frozenset(("setdefault", "next()"))  # methods that do not move the elements of a container
KEYED = frozenset(("item", "earlier", "delete"))
STRUCTURE = frozenset(("item", "delete", "call", "look", "value", "elements"))

class Line(Statements):
    """Collects what the statements of a line may change."""

    def __init__(self, source):
        self.source = source
        self.scope = None
        self.names = {}  # name -> whether its new value was already recorded elsewhere, or READ
        self.globals = set()
        self.cells = set()
        self.found = []  # places: (what, path, extra, scope)
        self.roots = set()
        self.used = []  # methods and attributes: (name, path of their object, scope)
        self.subscripts = []
        self.callees = []  # (path, name, scope)
        self.passed = []  # changing methods used as values: (path of their object, name, scope)
        self.stored = set()
        self.hazards = set()  # names through which an object without a path was reached
        self.looped = {}  # names of comprehension variables -> names that reach their values
        self.level = QUIET
        self.unwinds = QUIET
        self.fresh = False
        self.repeats = False  # a place is in code that runs more than once
        self.statements = 0
        self.assigns = False  # the last statement is an assignment
        self.inner = False  # an expression binds names
        self.rebound_keys = set()  # names that are used in keys of places before they are bound
        self.stores_last = None  # number of places, if the line binds and changes everything at its end

    def uses(self, name, node):
        """Notes the use of a method or attribute of an expression's value. node is None
        if the value has no path."""
        self.used.append((name, node and self.path(node), self.scope))

    def passes(self, node):
        """Notes that a method is used as a value."""
        todo = [node.value]
        for x in todo:  # todo grows during the loop
            kind = x.__class__.__name__
            if kind == "IfExp":
                todo += [x.body, x.orelse]
            elif kind == "BoolOp":
                todo += x.values
            else:
                p = self.path(x.target if kind == "NamedExpr" else x)
                if p is not None:
                    self.passed.append((p, node.attr, self.scope))

    def indexes(self, node):
        """Notes that library code may index an expression's value by unknown keys."""
        p = self.path(node)
        if p is not None:
            self.subscripts.append((p, None, self.scope))

    def rise(self, level):
        if level > self.level:
            self.level = level

    # ---- statements ----------------------------------------------------------

    def take(self, statement):
        node = statement.node
        self.scope = statement.scope
        self.statements += 1
        self.assigns = statement.node.__class__.__name__ == "Assign" and not statement.withs and not statement.unbinds
        alone = self.stores_last is None and not statement.withs and not statement.unbinds
        self.stores_last = places_of_last_store(node) if alone else -1
        for name in statement.unbinds:
            self.store(name)
        for node_with in statement.withs:
            if LEAVES_SILENTLY:
                self.managers(node_with, True)
            elif self.unwinds < ALL:
                before = self.level, len(self.found), len(self.callees), len(self.used)
                self.managers(node_with, True)
                if (self.level, len(self.found)) != before[:2]:
                    self.unwinds = ALL
                self.level = before[0]
                del self.found[before[1] :], self.callees[before[2] :], self.used[before[3] :]
        if self.source.lazy_imports:
            self.reads_lazy(node)
        kind = node.__class__.__name__
        special = getattr(self, "take_" + kind, None)
        if special is not None:
            special(node)
        elif kind in FUNCTIONS:
            self.take_def(node)
        else:
            self.children(node)

    def reads_lazy(self, node):
        """Notes the lazy imports that a statement, or one in its body, may load."""
        todo = [node]
        for node in todo:  # todo grows during the loop
            module = self.source.lazy_imports.get(getattr(node, "id", None))
            if module is not None:
                self.globals.add(node.id)
                self.fresh = True
                if "." in module:
                    self.submodule(module)
            for part in node.__dict__.values():
                todo += [x for x in (part if part.__class__ is list else (part,)) if isinstance(x, AST)]

    # ---- what is stored ------------------------------------------------------

    def store(self, name, known=False):
        """Notes a name that the line binds or deletes, in the frame of its scope."""
        scope = self.scope
        name = scope.mangled(name)
        self.stored.add(name)
        while scope.kind == "comprehension" and name not in scope.bound:
            self.cells.add(name)  # an assignment expression: it binds the name in the enclosing frame
            if scope.parent.kind == "module":
                self.globals.add(name)
            scope = scope.parent
        declared = scope.declared.get(name)
        if declared == "global":
            self.globals.add(name)
            if scope.kind != "function":
                self.note(name, known)
            return
        if scope.kind == "class" and self.source.prepared:
            self.rise(ALL)
        if declared == "nonlocal" or scope.kind == "function" and scope.inner and name in scope.cells():
            self.cells.add(name)
        self.note(name, known)

    def note(self, name, known):
        """Notes a name that the line binds, perhaps more than once."""
        before = self.names.get(name, True)
        self.names[name] = max(known, before) if known and before else False

    def target(self, node, value, delete=False):
        kind = node.__class__.__name__
        if kind == "Name":
            known = False
            if value is not None and not delete:
                p = self.path(value)
                known = p is not None and p[0] in ("name", "attribute", "item")
                if known and "attribute" in [step[0] for step in [p] + prefixes(p)]:
                    known = READ
            self.store(node.id, known)
        elif kind in ("Tuple", "List"):
            values = [None] * len(node.elts)
            if value.__class__.__name__ in ("Tuple", "List") and len(value.elts) == len(values):
                if not any(v.__class__.__name__ == "Starred" for v in value.elts + node.elts):
                    values = value.elts
            for x, v in zip(node.elts, values):
                self.target(x, v, delete)
        elif kind == "Starred":
            self.fresh = True
            self.target(node.value, None, delete)
        elif kind == "Attribute":
            self.visit(node.value)
            self.uses(node.attr, node.value)
            self.place("attribute", node.value, node.attr)
        elif kind == "Subscript":
            self.visit(node.value)
            self.visit(node.slice)
            self.uses("__delitem__" if delete else "__setitem__", node.value)
            key = self.path(node.slice)
            if key is None or not steps(key).isdisjoint(self.source.properties):
                self.place("look", node.value, None)
            else:
                self.place("delete" if delete else "item", node.value, key)
        else:
            self.rise(ALL)

    def place(self, what, node, extra):
        """Notes a place, given by an expression, whose content may change."""
        owner = namespace_of(node)
        if owner is not None:
            what, node, extra = "look", owner, None
        p = self.path(node, True)
        if p is not None and p[0] == "function":
            p = None  # max(xs) is one of the elements of xs
        if p is not None and p[0] in PLACED:
            if self.source.namespaces and what == "attribute":
                self.found.append(("look", ("namespace", p), None, self.scope))
            elif self.source.namespaces and owner is None:
                p = ("object", p)  # the dict may hold the names of a frame, or the attributes of an object
            self.found.append((what, p, extra, self.scope))
        elif p is None:
            inner = getattr(node, "value", None)
            if node.__class__.__name__ == "Subscript" and what != "elements" and self.path(inner) is not None:
                self.place("elements", inner, None)  # any one of the elements
            else:
                self.reached(node)

    def path(self, node, returned=False):
        return path(node, self.scope, self.source, returned)

    def answered(self, p):
        """Returns whether a path may lead through code of this file, which returns the
        next object on it."""
        return any(
            step[0] == "returned" or step[0] == "attribute" and step[2] in self.source.properties or step[0] == "item" and self.source.indexed
            for step in [p] + prefixes(p)
        )

    def reached(self, node):
        """Notes a change of an object that has no path: the effect becomes everything
        on the way to it, or simply everything."""
        roots = set()
        if self.within(node, roots):
            self.rise(REACH)
            self.hazards |= roots
        else:
            self.rise(ALL)

    def within(self, node, roots):
        """Returns whether an expression's value is new or can be reached from names,
        and adds these names to roots."""
        kind = node.__class__.__name__
        if kind == "Constant":
            return True
        if kind == "Name":
            self.roots.add(node.id)
            roots.add(node.id)
            return True
        if kind == "Attribute":
            if node.attr in self.source.properties:
                return False
        elif kind == "Subscript":
            return not self.source.indexed and self.within(node.value, roots)
        elif kind == "Call":
            if not calls.gives_what_it_got(self, node):
                return False
            f = node.func
            parts = node.args + [k.value for k in node.keywords]
            if f.__class__.__name__ == "Attribute":
                parts.append(f.value)
            return all(self.within(part, roots) for part in parts)
        elif kind in ("Await", "Yield", "YieldFrom", "Lambda"):
            return False
        for part in node.__dict__.values():
            for x in part if part.__class__ is list else (part,):
                if isinstance(x, AST) and x._fields and not self.within(x, roots):
                    return False
        return True

    # ---- expressions ---------------------------------------------------------

    def children(self, node):
        for part in node.__dict__.values():
            if part.__class__ is list:
                for x in part:
                    if isinstance(x, AST):
                        self.visit(x)
            elif isinstance(part, AST):
                self.visit(part)

    def visit(self, node):
        kind = node.__class__.__name__
        if kind == "Name":
            self.roots.add(node.id)
        elif kind == "Constant":
            pass
        elif kind == "Attribute":
            self.uses(node.attr, node.value)
            if node.attr in self.source.caching:
                self.place("attribute", node.value, node.attr)
            if node.attr in MUTATORS:  # used as a value, without a call
                self.place("look", node.value, None)
                self.rise(REACH)
                self.passes(node)
            elif node.attr == "__getitem__":
                self.indexes(node.value)  # defaultdict
                self.passes(node)
            self.visit(node.value)
        elif kind == "Subscript":
            self.subscripts.append((self.path(node.value), self.path(node.slice), self.scope))
            self.uses("__getitem__", node.value)
            self.visit(node.value)
            self.visit(node.slice)
        elif kind == "Call":
            self.fresh = True
            calls.call(self, node)
        elif kind == "NamedExpr":
            self.visit(node.value)
            self.inner = True
            self.store(node.target.id)
            self.roots.add(node.target.id)
        elif kind == "Lambda":
            self.fresh = True
            for d in node.args.defaults + [d for d in node.args.kw_defaults if d]:
                self.visit(d)
            self.within_scope(node.scope, [node.body])
        elif kind in ("ListComp", "SetComp", "DictComp", "GeneratorExp"):
            self.comprehension(node, kind)
        elif kind == "BinOp":
            self.fresh = True
            if node.op.__class__.__name__ == "Mod" and node.left.__class__.__name__ in ("Constant", "Name"):
                left = getattr(node.left, "value", None)
                if left.__class__ in (str, bytes) or getattr(node.left, "id", None) in self.source.constants:
                    self.indexes(node.right)  # "%(name)s" % names
            self.children(node)
        elif kind == "Await":
            self.children(node)
            if not calls.delegates(self, node.value):
                self.rise(ALL)
        else:
            if kind in FRESH:
                self.fresh = True
            self.children(node)

    def within_scope(self, scope, parts):
        before, self.scope = self.scope, scope
        found = len(self.found)
        for part in parts:
            self.visit(part)
        if len(self.found) > found:
            self.repeats = True
        self.scope = before

    def comprehension(self, node, kind):
        self.fresh = self.inner = True
        self.visit(node.generators[0].iter)
        before, self.scope = self.scope, node.scope
        found = len(self.found)
        for g in node.generators:
            if g is not node.generators[0]:
                self.visit(g.iter)
            if g.is_async:
                self.rise(ALL)
            self.target(g.target, None)
            roots = set()
            if self.within(g.iter, roots):
                self.looped.update(dict.fromkeys(targets(g.target), roots))
            for part in g.ifs:
                self.visit(part)
        if len(self.found) > found:
            self.repeats = True
        self.scope = before
        self.within_scope(node.scope, [node.key] + ([node.value] if node.value else []) if kind == "DictComp" else [node.elt])

    # ---- the whole effect ----------------------------------------------------

    def effect(self, make):
        """Returns the effect. Paths are followed after the line has run, which fails
        for names and places that the line itself changes."""
        stored = self.stored
        changed = {x for what, _, x, _ in self.found if what == "attribute"}
        if any(what in ("item", "delete", "call", "look") and x not in KEEPING for what, _, x, _ in self.found):
            changed.add("[]")
        if self.hazards & stored:
            self.rise(ALL)
        # x[i][j] = y does not change the path to x[i]; x[0][1], x[0] = y, z does.
        ways = {tuple(steps(p)) + (p[0], depth(p), min(names(p), default="")) for what, p, x, _ in self.found if what not in ("value", "elements") and x not in KEEPING}
        alike = len(ways) == 1
        found = []
        for what, p, extra, scope in dict.fromkeys(self.found):
            own = what == "value" and p[0] == "name"
            if not own:
                lost = names(p) & stored
                if lost:
                    ways = [self.looped.get(name) for name in lost]
                    others = stored.difference(self.looped)
                    self.rise(ALL if None in ways or any(way & others for way in ways) else REACH)
                    continue
                if steps(p) & changed and not alike and what not in ("value", "elements"):
                    self.rise(ALL)
                if what == "item" and self.statements == 1 and extra[0] == "name" and extra[1] in self.rebound_keys:
                    what = "earlier"
                elif what in ("item", "delete") and (names(extra) & stored or steps(extra) & changed):
                    what, extra = "look", None
            if what == "attribute" and extra in steps(p):
                found += [(what, q, extra, scope) for q in prefixes(p)]  # they may belong to a cycle
            found.append((what, p, extra, scope))
        e = make(self.level)
        e.names = tuple(self.names.items())
        e.globals = tuple(sorted(self.globals))
        e.cells = tuple(sorted(self.cells))
        e.rebound = tuple(extra[1] for what, _, extra, _ in found if what == "earlier")
        e.places = tuple(
            (what, follower(p, scope), follower(extra, scope) if what in KEYED else extra)
            for what, p, extra, scope in found
        )
        e.roots = tuple(sorted(self.roots | stored))
        e.methods = frozenset([name for name, _, _ in self.used])
        e.receivers = tuple((name, self.lasting(p, scope, changed)) for name, p, scope in dict.fromkeys(self.used))
        e.subscripts = tuple(
            (self.lasting(p, scope, changed), self.lasting(k, scope, changed)) for p, k, scope in dict.fromkeys(self.subscripts)
        )
        callees = []
        for p, name, scope in dict.fromkeys(self.callees):
            if names(p) & stored or steps(p) & changed:
                e.level = max(e.level, REACH if name else ALL)  # f = f(x): the function is not known any more
            else:
                callees.append((follower(p, scope), name))
        e.callees = tuple(callees)
        e.passed = tuple(
            (follower(p, scope), name, follower(p[1], scope) if p[0] == "attribute" else None, p[2] if p[0] == "attribute" else None)
            for p, name, scope in dict.fromkeys(self.passed)
        )
        structural = [one for one in self.found if one[0] in STRUCTURE]
        e.once = self.statements == 1 and self.assigns and not self.inner
        e.single = not self.repeats and len(structural) <= 1
        e.repeats = self.repeats or len(set(structural)) < len(structural)
        e.late = self.stores_last == len(self.found) and not e.level and not e.globals and not e.cells and not e.callees
        e.ways = tuple((p, scope) for _, p, _, scope in found)
        e.answers = bool(callees) or any(self.answered(p) for p, _ in e.ways)
        e.fresh = self.fresh
        e.unwinds = self.unwinds
        e.quiet = not (e.names or e.globals or e.cells or e.places or e.callees or e.level or e.unwinds)
        return e

    def lasting(self, p, scope, changed):
        """Returns a function that follows a path, compiled on first use, or None for a
        path that the line itself changes."""
        if p is None or names(p) & self.stored or steps(p) & changed:
            return None
        return later(p, scope)
