"""Rewrite a program so that each expression and each store reports to a Tracer.

An expression has a number. Its wrapper notes in the activation where the expression got its
value; the wrappers of the expressions around it read the note. Each function stores its activation
in a local variable, so that nested functions reach the activation that owns a name as a closure.
"""
import ast

TRACER = "_R"
RAW_CALLS = {"super", "locals", "globals", "vars", "dir", "eval", "exec"}
PLACES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.IfExp, ast.BoolOp)


class Statement:
    """A statement, or the header of a compound one: its lines, and whether its runs can be counted by line."""

    def __init__(self, line, last, countable):
        self.line, self.last, self.countable = line, last, countable


class Expression:
    """An expression of the program: its text, its line, and the numbers of its parts."""

    def __init__(self, node, text):
        self.node, self.line, self.text = node, node.lineno, text
        self.kind = type(node).__name__
        self.parts = []  # operands as numbers; parts of a display and arguments of a call as (kind, number)
        self.inputs = []  # (text, number) of the names, attributes, subscripts and calls inside
        self.base = None  # the number of the object of an attribute, a subscript or a method
        self.literal = isinstance(node, ast.Constant)


class Scope:
    """A function, a class body or the module."""

    def __init__(self, kind, name, number, outer):
        self.kind, self.name, self.number, self.outer = kind, name, number, outer
        self.bound, self.globals, self.nonlocals = set(), set(), set()
        self.generator = False
        self.comprehensions = []  # (number, names) of the comprehensions around the current expression

    def reference(self):
        """Return the expression that reads the activation in the rewritten program."""
        if self.kind == "class":
            return call("sub", self.outer.reference(), const(self.number))
        return ast.Name(f"_s_{self.number}", ast.Load())


def const(value):
    return ast.Constant(value)


def call(method, *args):
    return ast.Call(ast.Attribute(ast.Name(TRACER, ast.Load()), method, ast.Load()), list(args), [])


def bound_names(body, params=()):
    """Return the names that a block binds, declares global and declares nonlocal, and whether it yields."""
    bound, global_, nonlocal_, yields = set(params), set(), set(), False
    stack = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            bound.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
            stack += node.decorator_list
            continue
        elif isinstance(node, ast.Lambda):
            continue
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            bound |= {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
            continue
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {(a.asname or a.name).split(".")[0] for a in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.Global):
            global_ |= set(node.names)
        elif isinstance(node, ast.Nonlocal):
            nonlocal_ |= set(node.names)
        elif isinstance(node, (ast.Yield, ast.YieldFrom)):
            yields = True
        elif type(node).__name__ in ("MatchAs", "MatchStar") and node.name:
            bound.add(node.name)
        elif type(node).__name__ == "MatchMapping" and node.rest:
            bound.add(node.rest)
        stack += ast.iter_child_nodes(node)
    return bound, global_, nonlocal_, yields


class Expressions:
    """The part of the rewriting that concerns expressions."""

    def __init__(self, source):
        self.lines = [line.encode() for line in source.splitlines(keepends=True)]
        self.expressions, self.statements, self.functions = [], [], []
        self.scope = None
        self.classes = []

    def text(self, node):
        """Return the source of an expression."""
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        if not lines:
            return ""
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"".join(lines).decode()

    def number(self, node):
        self.expressions.append(Expression(node, self.text(node)))
        return len(self.expressions) - 1

    def me(self):
        return self.scope.reference()

    def owner(self, name):
        """Return the expression for the activation that owns a name, and the name's key there."""
        scope = self.scope
        for number, names in reversed(scope.comprehensions):
            if name in names:
                return scope.reference(), f"{name} {number}"
        first = True
        while scope.outer is not None:
            if name in scope.globals:
                break
            if (first or scope.kind == "function") and name in scope.bound and name not in scope.nonlocals:
                return scope.reference(), name
            if not first or scope.kind == "function":
                for number, names in reversed(scope.outer.comprehensions):
                    if name in names:
                        return scope.outer.reference(), f"{name} {number}"
            scope, first = scope.outer, False
        while scope.outer is not None:
            scope = scope.outer
        return scope.reference(), name

    def mangle(self, name):
        if name.startswith("__") and not name.endswith("__") and self.classes:
            return "_" + self.classes[-1].lstrip("_") + name
        return name

    def expr(self, node):
        """Return the rewritten expression and its number."""
        n = self.number(node)
        known = self.expressions[n]
        method = getattr(self, "expr_" + type(node).__name__, None)
        new = method(node, n, known) if method else self.generic(node, n, known)
        if known.kind not in ("Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp"):
            for k in range(n + 1, len(self.expressions)):
                inner = self.expressions[k]
                if isinstance(inner.node, PLACES):
                    known.inputs.append((inner.text, k))
        return ast.copy_location(new, node), n

    def part(self, node):
        return self.expr(node)[0]

    def generic(self, node, n, known):
        """Rewrite an operation: an expression without a method of its own."""
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                new, k = self.expr(value)
                setattr(node, field, new)
                known.parts.append(k)
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
                both = [self.expr(v) for v in value]
                setattr(node, field, [new for new, _ in both])
                known.parts += [k for _, k in both]
        return call("computed", self.me(), const(n), node)

    def expr_Constant(self, node, n, known):
        return node

    def expr_Name(self, node, n, known):
        if node.id == "super":
            return node
        owner, key = self.owner(node.id)
        return call("name", self.me(), const(n), owner, const(key), node)

    def expr_Attribute(self, node, n, known):
        value, known.base = self.expr(node.value)
        known.attribute = self.mangle(node.attr)
        node.value = call("base", self.me(), const(n), value)
        return call("attribute", self.me(), const(n), node)

    def expr_Subscript(self, node, n, known):
        value, known.base = self.expr(node.value)
        node.value = call("base", self.me(), const(n), value)
        node.slice = call("subscript", self.me(), const(n), self.index(node.slice))
        return call("item", self.me(), const(n), node)

    def index(self, node):
        if not isinstance(node, ast.Slice):
            return self.part(node)
        bounds = [self.part(b) if b else const(None) for b in (node.lower, node.upper, node.step)]
        return ast.Call(ast.Attribute(ast.Name(TRACER, ast.Load()), "slice", ast.Load()), bounds, [])

    def expr_Call(self, node, n, known):
        if isinstance(node.func, ast.Name) and node.func.id in RAW_CALLS:
            known.raw = True
            func = node.func
        else:
            func, f = self.expr(node.func)
            if isinstance(node.func, ast.Attribute):
                known.base = self.expressions[f].base
        args = []
        for a in node.args:
            star = isinstance(a, ast.Starred)
            new, k = self.expr(a.value if star else a)
            new = call("argument", self.me(), const(n), const(len(known.parts)), new)
            known.parts.append(("*" if star else "", k))
            args.append(ast.Starred(new, ast.Load()) if star else new)
        keywords = []
        for a in node.keywords:
            new, k = self.expr(a.value)
            new = call("argument", self.me(), const(n), const(len(known.parts)), new)
            known.parts.append((a.arg or "**", k))
            keywords.append(ast.keyword(a.arg, new))
        made = ast.Call(call("before", self.me(), const(n), func), args, keywords)
        return call("after", self.me(), const(n), made)

    def expr_BoolOp(self, node, n, known):
        values = []
        for v in node.values:
            new, k = self.expr(v)
            values.append(call("chosen", self.me(), const(n), const(k), new))
        node.values = values
        return call("choice", self.me(), const(n), node)

    def expr_IfExp(self, node, n, known):
        test = self.part(node.test)
        body, b = self.expr(node.body)
        orelse, o = self.expr(node.orelse)
        new = ast.IfExp(test, call("chosen", self.me(), const(n), const(b), body), call("chosen", self.me(), const(n), const(o), orelse))
        return call("choice", self.me(), const(n), new)

    def expr_NamedExpr(self, node, n, known):
        value, k = self.expr(node.value)
        comprehensions, self.scope.comprehensions = self.scope.comprehensions, []
        owner, key = self.owner(node.target.id)
        self.scope.comprehensions = comprehensions
        node.value = call("walrus", self.me(), const(n), const(k), owner, const(key), value)
        return node

    def display(self, node, n, known):
        elements = []
        for e in node.elts:
            star = isinstance(e, ast.Starred)
            new, k = self.expr(e.value if star else e)
            known.parts.append(("*" if star else "", k))
            elements.append(ast.Starred(new, ast.Load()) if star else new)
        node.elts = elements
        return call("display", self.me(), const(n), node)

    expr_List = expr_Tuple = expr_Set = display

    def expr_Dict(self, node, n, known):
        for i, (key, value) in enumerate(zip(node.keys, node.values)):
            if key is not None:
                node.keys[i] = call("key", self.me(), const(n), const(i), self.part(key))
            node.values[i], k = self.expr(value)
            known.parts.append(("**" if key is None else "", k))
        return call("dict_display", self.me(), const(n), node)

    def comprehension(self, node, n, known):
        names = set()
        for g in node.generators:
            names |= {t.id for t in ast.walk(g.target) if isinstance(t, ast.Name)}
        first = True
        entered = False
        for g in node.generators:
            iterable, k = self.expr(g.iter)
            if first:
                known.inputs += [(e.text, i) for i, e in enumerate(self.expressions) if i >= k and isinstance(e.node, PLACES)]
                first = False
            if not entered:
                self.scope.comprehensions.append((n, names))
                entered = True
            g.iter = call("iterate", self.me(), const(k), iterable, const(-1))
            g.ifs = [call("bind", self.me(), const(k), const(True), *self.targets(g.target, ()))] + [self.part(i) for i in g.ifs]
        if isinstance(node, ast.DictComp):
            node.key = call("comprehension_key", self.me(), const(n), self.part(node.key))
            value, k = self.expr(node.value)
            node.value = call("comprehension_element", self.me(), const(n), const(k), value)
        else:
            element, k = self.expr(node.elt)
            method = "generated" if isinstance(node, ast.GeneratorExp) else "comprehension_element"
            node.elt = call(method, self.me(), const(n), const(k), element)
        self.scope.comprehensions.pop()
        known.element = k
        if isinstance(node, ast.GeneratorExp):
            return call("generator_expression", self.me(), const(n), node)
        return call("comprehension", self.me(), const(n), call("begin", self.me(), const(n)), node)

    expr_ListComp = expr_SetComp = expr_DictComp = expr_GeneratorExp = comprehension

    def targets(self, target, path):
        """Return tuples of (path, owner, key, value) for the names of a target, to read after it was bound."""
        if isinstance(target, ast.Name):
            owner, key = self.owner(target.id)
            load = ast.Name(target.id, ast.Load())
            return [ast.Tuple([const(path), owner, const(key), load], ast.Load())]
        found = []
        if isinstance(target, (ast.Tuple, ast.List)):
            starred = False
            for i, t in enumerate(target.elts):
                starred = starred or isinstance(t, ast.Starred)
                found += self.targets(t.value if isinstance(t, ast.Starred) else t, path + (-1 if starred else i,))
        return found

    def expr_Lambda(self, node, n, known):
        scope = self.enter("<lambda>", node.args, [node.body])
        prologue = ast.NamedExpr(ast.Name(f"_s_{scope.number}", ast.Store()), self.entry(scope, node.args, ast.Load()))
        body, k = self.expr(node.body)
        self.scope = scope.outer
        self.defaults(node.args, scope.number)
        node.body = ast.Subscript(ast.Tuple([prologue, call("returned", scope.reference(), const(k), body)], ast.Load()), const(1), ast.Load())
        return call("computed", self.me(), const(n), node)

    def expr_Yield(self, node, n, known):
        if node.value is None:
            return call("computed", self.me(), const(n), node)
        value, k = self.expr(node.value)
        node.value = call("yielded", self.me(), const(k), value)
        return call("received", self.me(), const(n), node)

    def expr_YieldFrom(self, node, n, known):
        node.value = self.part(node.value)
        return call("received", self.me(), const(n), node)

    def expr_JoinedStr(self, node, n, known):
        for v in node.values:
            if isinstance(v, ast.FormattedValue):
                v.value = self.part(v.value)
                if v.format_spec is not None:
                    for w in v.format_spec.values:
                        if isinstance(w, ast.FormattedValue):
                            w.value = self.part(w.value)
        return call("computed", self.me(), const(n), node)

    def enter(self, name, args, body):
        """Open the scope of a function."""
        params = [a.arg for a in args.posonlyargs + args.args + args.kwonlyargs] + [a.arg for a in (args.vararg, args.kwarg) if a]
        scope = Scope("function", name, len(self.functions), self.scope)
        scope.bound, scope.globals, scope.nonlocals, scope.generator = bound_names(body, params)
        scope.bound -= scope.globals
        self.functions.append(scope)
        self.scope = scope
        return scope

    def entry(self, scope, args, ctx):
        params = [a.arg for a in args.posonlyargs + args.args + args.kwonlyargs] + [a.arg for a in (args.vararg, args.kwarg) if a]
        scope.positional = [a.arg for a in args.posonlyargs + args.args]
        scope.keyword_only = [a.arg for a in args.kwonlyargs]
        scope.star = args.vararg and args.vararg.arg
        scope.double_star = args.kwarg and args.kwarg.arg
        return call("enter", const(scope.number), ast.Dict([const(p) for p in params], [ast.Name(p, ast.Load()) for p in params]))

    def defaults(self, args, number):
        """Rewrite the defaults of a function."""
        names = [a.arg for a in args.posonlyargs + args.args]
        names = names[len(names) - len(args.defaults):]
        for i, d in enumerate(args.defaults):
            new, k = self.expr(d)
            args.defaults[i] = call("default", self.me(), const(k), const(number), const(names[i]), new)
        for i, d in enumerate(args.kw_defaults):
            if d is not None:
                new, k = self.expr(d)
                args.kw_defaults[i] = call("default", self.me(), const(k), const(number), const(args.kwonlyargs[i].arg), new)
