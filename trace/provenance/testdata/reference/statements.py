"""The part of the rewriting that concerns statements."""
import ast

from instrument import TRACER, Expressions, Scope, Statement, bound_names, call, const


INNER = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)  # they may have additional line events


class Program(Expressions):
    """A rewritten program: code to run, and tables of its expressions, statements and functions."""

    def __init__(self, source, name):
        super().__init__(source)
        tree = ast.parse(source)
        self.shared = shared_lines(tree)
        self.followed = True  # statements have lines of the program, not of a doctest
        scope = Scope("module", "<module>", 0, None)
        self.functions.append(scope)
        self.scope = scope
        scope.bound = bound_names(tree.body)[0]
        tree.body = self.block(tree.body, prologue=[assign(ast.Name("_s_0", ast.Store()), call("module"))])
        ast.fix_missing_locations(tree)
        self.names = [f.name for f in self.functions]
        self.code = compile(tree, name, "exec", dont_inherit=True)

    def interactive(self, source, name, symbol, flags, dont_inherit):
        """Compile an example of a doctest, rewritten, as a part of the module."""
        tree = ast.parse(source, name, symbol)
        self.lines = [line.encode() for line in source.splitlines(keepends=True)]
        self.followed = False
        tree.body = self.block(tree.body)
        ast.fix_missing_locations(tree)
        self.names = [f.name for f in self.functions]
        return compile(tree, name, symbol, flags, dont_inherit)

    def statement(self, node, last=None, countable=True, line=None):
        """Return the call that reports to the tracer that a statement begins."""
        line = line or node.lineno
        last = last or node.end_lineno
        countable = countable and self.followed and line == last and self.shared.get(line, 0) == 1
        countable = countable and not any(isinstance(n, INNER) for n in header(node))
        self.statements.append(Statement(line, last, countable))
        self.current = len(self.statements) - 1
        return call("statement", self.me(), const(self.current))

    def block(self, body, prologue=None):
        """Rewrite a block. A prologue (None if there is none) comes after a docstring and imports from __future__."""
        made = []
        rest = list(body)
        while rest and prologue is not None and (is_docstring(rest[0]) and not made or is_future(rest[0])):
            made.append(rest.pop(0))
        made += prologue or []
        for node in rest:
            new = getattr(self, "stmt_" + type(node).__name__, self.plain)(node)
            for s in new:
                if not hasattr(s, "lineno"):
                    ast.copy_location(s, node)
                for inner in ast.walk(s):
                    if not hasattr(inner, "lineno"):
                        inner.lineno, inner.col_offset = node.lineno, node.col_offset
                        inner.end_lineno, inner.end_col_offset = node.end_lineno, node.end_col_offset
            made += new
        return made

    def plain(self, node):
        """A statement without stores or blocks."""
        note = ast.Expr(self.statement(node))
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.part(value))
        return [note, node]

    def stmt_Global(self, node):
        return [node]

    stmt_Nonlocal = stmt_Global

    def stmt_Pass(self, node):
        return [ast.Expr(self.statement(node)), node]

    def stmt_Assign(self, node):
        note = ast.Expr(self.statement(node))
        value, k = self.expr(node.value)
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            owner, key = self.owner(node.targets[0].id)
            node.value = call("store", self.me(), const(k), owner, const(key), value)
            return [note, node]
        made = [note, assign(self.temporary("value"), value)]
        for t in node.targets:
            made += self.target(t, k, "value", ())
        return made

    def temporary(self, name, ctx=None):
        return ast.Attribute(self.me(), name, ctx or ast.Store())

    def target(self, t, k, source, path):
        """Return statements that assign a temporary to a target, and report the store."""
        load = self.temporary(source, ast.Load())
        if isinstance(t, ast.Name):
            owner, key = self.owner(t.id)
            return [assign(t, call("store_part", self.me(), const(k), owner, const(key), const(path), load))]
        if isinstance(t, ast.Attribute):
            base, b = self.expr(t.value)
            return [
                assign(self.temporary("object"), base),
                ast.Expr(call("before_attribute", self.me(), const(self.mangle(t.attr)))),
                assign(ast.Attribute(self.temporary("object", ast.Load()), t.attr, ast.Store()), load),
                ast.Expr(call("attribute_stored", self.me(), const(k), const(self.mangle(t.attr)), const(path), const(self.text(t)))),
            ]
        if isinstance(t, ast.Subscript):
            base, b = self.expr(t.value)
            return [
                assign(self.temporary("object"), base),
                assign(self.temporary("index"), self.index(t.slice)),
                ast.Expr(call("before_item", self.me())),
                assign(ast.Subscript(self.temporary("object", ast.Load()), self.temporary("index", ast.Load()), ast.Store()), load),
                ast.Expr(call("item_stored", self.me(), const(k), const(path), load)),
            ]
        names, elements, made, starred = [], [], [], False
        for i, e in enumerate(t.elts):
            name = f"{source}_{i}"
            star = isinstance(e, ast.Starred)
            starred = starred or star
            elements.append(ast.Starred(self.temporary(name), ast.Store()) if star else self.temporary(name))
            names.append((name, e.value if star else e, -1 if starred else i))
        made.append(assign(ast.Tuple(elements, ast.Store()), load))
        for name, e, i in names:
            made += self.target(e, k, name, path + (i,))
        return made

    def stmt_AnnAssign(self, node):
        if node.value is None:
            return [node]
        note = ast.Expr(self.statement(node, countable=False))
        value, k = self.expr(node.value)
        if isinstance(node.target, ast.Name):
            owner, key = self.owner(node.target.id)
            node.value = call("store", self.me(), const(k), owner, const(key), value)
            return [note, node]
        return [note, assign(self.temporary("value"), value)] + self.target(node.target, k, "value", ())

    def stmt_AugAssign(self, node):
        note = ast.Expr(self.statement(node))
        op, t = type(node.op).__name__, node.target
        whole = self.number(t)
        self.expressions[whole].operator = op
        if isinstance(t, ast.Name):
            old, o = self.expr(ast.copy_location(ast.Name(t.id, ast.Load()), t))
            value, k = self.expr(node.value)
            self.augmentation(whole, o, k)
            owner, key = self.owner(t.id)
            return [note, assign(t, call("store", self.me(), const(whole), owner, const(key), call("augment", self.me(), const(whole), old, value)))]
        base, b = self.expr(t.value)
        made = [note, assign(self.temporary("object"), base)]
        if isinstance(t, ast.Attribute):
            load = ast.Attribute(self.temporary("object", ast.Load()), t.attr, ast.Load())
            store = ast.Attribute(self.temporary("object", ast.Load()), t.attr, ast.Store())
            end = [ast.Expr(call("attribute_stored", self.me(), const(whole), const(self.mangle(t.attr)), const(()), const(self.text(t))))]
            old = call("old_attribute", self.me(), const(whole), const(self.mangle(t.attr)), load)
        else:
            made.append(assign(self.temporary("index"), self.index(t.slice)))
            load = ast.Subscript(self.temporary("object", ast.Load()), self.temporary("index", ast.Load()), ast.Load())
            store = ast.Subscript(self.temporary("object", ast.Load()), self.temporary("index", ast.Load()), ast.Store())
            end = [ast.Expr(call("item_stored", self.me(), const(whole), const(()), self.temporary("value", ast.Load())))]
            old = call("old_item", self.me(), const(whole), load)
        self.expressions[whole].parts.append(whole + 1)  # a place for the old value
        value, k = self.expr(node.value)
        self.augmentation(whole, None, k)
        made.append(assign(self.temporary("value"), call("augment", self.me(), const(whole), old, value)))
        return made + [ast.Expr(call("before_item", self.me())), assign(store, self.temporary("value", ast.Load()))] + end

    def augmentation(self, whole, old, value):
        """Note the inputs of an augmented assignment."""
        known = self.expressions[whole]
        known.old, known.added = old, value
        known.inputs = [(e.text, i) for i, e in enumerate(self.expressions) if i > whole]

    def stmt_Delete(self, node):
        made = [ast.Expr(self.statement(node))]
        for t in node.targets:
            if isinstance(t, ast.Subscript):
                made.append(assign(self.temporary("object"), self.part(t.value)))
                made.append(assign(self.temporary("index"), self.index(t.slice)))
                made.append(ast.Delete([ast.Subscript(self.temporary("object", ast.Load()), self.temporary("index", ast.Load()), ast.Del())]))
                made.append(ast.Expr(call("item_deleted", self.me())))
            elif isinstance(t, ast.Attribute):
                made.append(assign(self.temporary("object"), self.part(t.value)))
                made.append(ast.Delete([ast.Attribute(self.temporary("object", ast.Load()), t.attr, ast.Del())]))
                made.append(ast.Expr(call("attribute_deleted", self.me(), const(self.mangle(t.attr)))))
            else:
                owner, key = self.owner(t.id)
                made += [ast.Delete([t]), ast.Expr(call("name_deleted", owner, const(key)))]
        return made

    def stmt_Return(self, node):
        note = ast.Expr(self.statement(node))
        if node.value is None:
            node.value = call("returned_nothing", self.me())
            return [note, node]
        value, k = self.expr(node.value)
        node.value = call("returned", self.me(), const(k), value)
        return [note, node]

    def stmt_If(self, node):
        note = ast.Expr(self.statement(node, last=node.test.end_lineno))
        node.test = self.part(node.test)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return [note, node]

    def stmt_While(self, node):
        note = self.statement(node, last=node.test.end_lineno, countable=not isinstance(node.test, ast.Constant))
        node.test = ast.Subscript(ast.Tuple([note, self.part(node.test)], ast.Load()), const(1), ast.Load())
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return [node]

    def stmt_For(self, node):
        note = ast.Expr(self.statement(node, last=node.iter.end_lineno))
        sid = self.current
        iterable, k = self.expr(node.iter)
        node.iter = call("iterate", self.me(), const(k), iterable, const(sid))
        binds = ast.Expr(call("bind", self.me(), const(k), const(False), *self.targets(node.target, ())))
        node.body, node.orelse = [binds] + self.block(node.body), self.block(node.orelse)
        return [note, node]

    def stmt_With(self, node):
        last = max((i.optional_vars or i.context_expr).end_lineno for i in node.items)
        note = ast.Expr(self.statement(node, last=last, countable=False))
        sid = self.current
        binds = []
        for item in node.items:
            new, k = self.expr(item.context_expr)
            item.context_expr = call("context", self.me(), const(k), new)
            if item.optional_vars is not None:
                binds.append(ast.Expr(call("entered", self.me(), const(k), *self.targets(item.optional_vars, ()))))
        node.body = binds + self.block(node.body)
        return [note, node]

    def stmt_Try(self, node):
        node.body = self.block(node.body)
        for h in node.handlers:
            note = ast.Expr(self.statement(h, last=(h.type or h).end_lineno if h.type else h.lineno))
            binds = []
            if h.name:
                owner, key = self.owner(h.name)
                binds = [ast.Expr(call("caught", self.me(), owner, const(key), ast.Name(h.name, ast.Load())))]
            h.body = [ast.copy_location(s, h) for s in [note] + binds] + self.block(h.body)
        node.orelse, node.finalbody = self.block(node.orelse), self.block(node.finalbody)
        return [node]

    stmt_TryStar = stmt_Try

    def stmt_Match(self, node):
        note = ast.Expr(self.statement(node, last=node.subject.end_lineno))
        node.subject, k = self.expr(node.subject)
        for case in node.cases:
            names = sorted(bound_names([case.pattern])[0])
            binds = []
            for name in names:
                owner, key = self.owner(name)
                binds.append(ast.Expr(call("unfollowed", self.me(), owner, const(key), ast.Name(name, ast.Load()))))
            if case.guard:
                case.guard = self.part(case.guard)
            case.body = binds + self.block(case.body)
        return [note, node]

    def stmt_Import(self, node):
        made = [ast.Expr(self.statement(node)), node]
        for a in node.names:
            name = (a.asname or a.name).split(".")[0]
            if name != "*":
                owner, key = self.owner(name)
                made.append(ast.Expr(call("defined", self.me(), owner, const(key), const("import"), ast.Name(name, ast.Load()))))
        return made

    stmt_ImportFrom = stmt_Import

    def stmt_FunctionDef(self, node):
        line = min([node.lineno] + [d.lineno for d in node.decorator_list])
        last = max(node.body[0].lineno - 1, node.lineno)
        note = ast.Expr(self.statement(node, last=last, countable=False, line=line))
        node.decorator_list = [self.part(d) for d in node.decorator_list]
        comprehensions, self.scope.comprehensions = self.scope.comprehensions, []
        classes = self.classes
        scope = self.enter(node.name, node.args, node.body)
        prologue = assign(ast.Name(f"_s_{scope.number}", ast.Store()), self.entry(scope, node.args, ast.Load()))
        node.body = self.block(node.body, prologue=[prologue])
        self.scope, self.classes = scope.outer, classes
        self.defaults(node.args, scope.number)
        self.scope.comprehensions = comprehensions
        owner, key = self.owner(node.name)
        return [note, node, ast.Expr(call("defined", self.me(), owner, const(key), const("def"), ast.Name(node.name, ast.Load())))]

    def stmt_AsyncFunctionDef(self, node):
        raise SyntaxError("coroutines are not followed")

    stmt_AsyncFor = stmt_AsyncWith = stmt_AsyncFunctionDef

    def stmt_ClassDef(self, node):
        line = min([node.lineno] + [d.lineno for d in node.decorator_list])
        note = ast.Expr(self.statement(node, last=node.lineno, countable=False, line=line))
        node.decorator_list = [self.part(d) for d in node.decorator_list]
        node.bases = [self.part(b) for b in node.bases]
        for k in node.keywords:
            k.value = self.part(k.value)
        scope = Scope("class", node.name, len(self.functions), self.scope)
        self.functions.append(scope)
        scope.bound, scope.globals, scope.nonlocals, _ = bound_names(node.body)
        begin = ast.Expr(call("enter_class", self.me(), const(scope.number)))
        self.scope = scope
        self.classes.append(node.name)
        node.body = self.block(node.body, prologue=[])
        self.classes.pop()
        self.scope = scope.outer
        owner, key = self.owner(node.name)
        load = ast.Name(node.name, ast.Load())
        return [note, begin, node, ast.Expr(call("class_defined", self.me(), owner, const(key), const(scope.number), load))]


def assign(target, value):
    return ast.Assign([target], value)


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_future(node):
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def header(node):
    """Yield the nodes of a statement, without those of its blocks."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += [c for c in ast.iter_child_nodes(node) if not isinstance(c, (ast.stmt, ast.ExceptHandler))]


def shared_lines(tree):
    """Return, for each line, how many statements begin on it."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            found[node.lineno] = found.get(node.lineno, 0) + 1
    return found
