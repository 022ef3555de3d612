"""Finds the places where a program can be edited, and the new text for each."""

import ast

from . import mutate_values, words
from .mutate_tables import (BINARY, COMPARE, FUNCTION, METHOD, NAMED, bracket,
                            is_text, local_names, symbol)
from .words import pick

_LOOSE = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.AnnAssign)


class Sites:
    """Every possible edit of one module: (weight, node, edit, arguments)."""

    def __init__(self, rng, source, tree):
        self.rng = rng
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        self.raw = source.encode()
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line.encode()))
        self.sites = []
        self.scope = ()
        self.stores = {}
        for node in ast.walk(tree):
            if type(node) is ast.Name and type(node.ctx) is ast.Store:
                self.stores[node.id] = self.stores.get(node.id, 0) + 1
        self._block(tree.body, False)
        for node in tree.body:
            self._node(node, False)

    # ------------------------------------------------------------ places

    def at(self, node):
        return (self.starts[node.lineno - 1] + node.col_offset,
                self.starts[node.end_lineno - 1] + node.end_col_offset)

    def text(self, node):
        start, end = self.at(node)
        return self.raw[start:end].decode()

    def put(self, weight, node, make, *args):
        """Adds a possible edit. make(node, *args) returns the node's new text, or None."""
        self.sites.append((weight, node, make, args))

    # ------------------------------------------------------------ the walk

    def _node(self, node, risky):
        kind = type(node)
        if kind is ast.JoinedStr or kind in (ast.Import, ast.ImportFrom):
            return
        if kind is ast.FunctionDef:
            outer, self.scope = self.scope, local_names(node)
            self._block(node.body, False)
            for child in node.args.defaults:
                self._node(child, False)
            for child in node.body:
                self._node(child, False)
            self.scope = outer
            return
        visit = _VISITS.get(kind)
        if visit:
            visit(self, node, risky)
        if kind is ast.While:
            # With a changed condition, a loop seldom ends; with a changed body, it
            # sometimes does not.
            if self.rng.random() < 0.15:
                self._node(node.test, True)
            risky = True
            self._block(node.body, True)
            for child in node.body:
                self._node(child, True)
            self._block(node.orelse, False)
            return
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if type(block) is list:
                self._block(block, risky)
        for child in ast.iter_child_nodes(node):
            self._node(child, risky)

    def _block(self, body, risky):
        if risky and self.rng.random() < 0.7:
            return
        for at, node in enumerate(body):
            if type(node) not in _LOOSE or is_text(node):
                continue
            if node.col_offset and self.lines[node.lineno - 1][
                    :node.col_offset].strip():
                continue        # it is on the line of its header or after a `;`
            if not self._only(node):
                self.put(0.6, node, self._drop, len(body) == 1)
            self.put(0.4, node, self._double)
            after = body[at + 1] if at + 1 < len(body) else None
            if type(after) in _LOOSE and after.lineno > node.end_lineno and \
                    not self._only(node, after):
                self.sites.append((0.6, (node, after), self._swap, ()))

    # ------------------------------------------------------------ statements

    def _only(self, node, user=None):
        """Returns whether the node contains the only assignment to some name. If `user`
        is given, it must read that name."""
        given = [n.id for n in ast.walk(node) if type(n) is ast.Name and
                 type(n.ctx) is ast.Store and self.stores[n.id] == 1]
        if not given or user is None:
            return bool(given)
        return any(type(n) is ast.Name and n.id in given
                   for n in ast.walk(user))

    def _drop(self, node, alone):
        start, end = self.at(node)
        if alone or self.raw[start:start + 4] == b"elif" or \
                self.raw[end:end + 1] != b"\n":
            return "pass"
        return (start - node.col_offset, end + 1, b"")

    def _double(self, node):
        if node.end_lineno - node.lineno > 2:
            return None
        text = self.text(node)
        return text + "\n" + " " * node.col_offset + text

    def _swap(self, pair):
        first, second = pair
        start, middle = self.at(first)
        resume, end = self.at(second)
        return (start, end, self.raw[resume:end] + self.raw[middle:resume] +
                self.raw[start:middle])

    def _return(self, node, risky):
        if node.value is not None and self.scope:
            known = self._known(node)
            if known:
                self.put(0.25, node.value, self._with_local, known)

    def _known(self, node):
        """Returns locals that are likely to have a value at the node."""
        return [name for name, line, column in self.scope
                if line < node.lineno and column <= node.col_offset]

    def _with_local(self, node, known):
        other = pick(self.rng, known)
        text = self.text(node)
        if type(node) is ast.Tuple or "\n" in text:
            return None
        roll = self.rng.random()
        if roll < 0.4:
            return "%s, %s" % (text, other)
        if roll < 0.6:
            return "[%s, %s]" % (text, other)
        return other if roll < 0.85 else "str(%s)" % text

    def _jump(self, node, risky):
        if not risky:
            self.put(0.7, node, lambda n: "continue"
                     if type(n) is ast.Break else "break")

    def _if(self, node, risky):
        if not risky:
            self.put(0.5, node.test, self._negate)

    def _negate(self, node):
        text = self.text(node)
        if type(node) is ast.UnaryOp and type(node.op) is ast.Not:
            return self.text(node.operand)
        return "not (%s)" % text if type(node) in (
            ast.BoolOp, ast.IfExp, ast.NamedExpr) or "\n" in text \
            else "not " + text

    def _for(self, node, risky):
        self.put(0.5, node.iter, self._iterate)

    def _iterate(self, node):
        text = self.text(node)
        if type(node) is ast.Call and getattr(node.func, "id", "") == "range":
            roll = self.rng.random()
            if len(node.args) == 1:
                arg = self.text(node.args[0])
                return "range(1, %s)" % arg if roll < 0.4 else \
                    "range(%s + 1)" % arg if roll < 0.6 else \
                    "range(0, %s, 2)" % arg if roll < 0.8 else \
                    "reversed(%s)" % text
            return "reversed(%s)" % text if roll < 0.6 else None
        if type(node) not in (ast.Name, ast.Call, ast.Attribute, ast.List,
                              ast.Subscript, ast.Constant):
            return None
        roll = self.rng.random()
        if type(node) is ast.Name and roll < 0.4:
            return text + pick(self.rng, ("[1:]", "[::-1]", "[:-1]", "[::2]",
                                          "[:3]"))
        return ("sorted(%s)" if roll < 0.75 else "list(%s)[::-1]") % text

    # ------------------------------------------------------------ expressions

    def _compare(self, node, risky):
        if len(node.ops) == 1:
            self.put(1.2, node, self._other_compare)

    def _other_compare(self, node):
        choices = COMPARE[type(node.ops[0])]
        left, right = self.text(node.left), self.text(node.comparators[0])
        start, _ = self.at(node.left)
        if start != self.at(node)[0] or "\n" in self.text(node):
            return None                 # the left side is in parentheses
        return "%s %s %s" % (left, pick(self.rng, choices),
                             bracket(node.comparators[0], right))

    def _binary(self, node, risky):
        if type(node.op) in BINARY and not (
                type(node.op) is ast.Mod and is_text(node.left)):
            self.put(1, node, self._other_binary)

    def _other_binary(self, node):
        left = bracket(node.left, self.text(node.left))
        right = bracket(node.right, self.text(node.right))
        roll = self.rng.random()
        textual = any(type(side) in (ast.JoinedStr, ast.List, ast.Tuple,
                                     ast.ListComp) or is_text(side)
                      for side in (node.left, node.right))
        if textual or type(node.op) is ast.Add and roll < 0.45:
            return "%s %s %s" % (right, symbol(node.op), left)
        if roll < 0.15:
            return left
        return "%s %s %s" % (left, pick(self.rng, BINARY[type(node.op)]),
                             right)

    def _augmented(self, node, risky):
        if type(node.op) in (ast.Add, ast.Sub, ast.Mult) and not risky and \
                type(node.value) in (ast.Constant, ast.Name, ast.Call):
            self.put(0.7, node, self._other_augmented)

    def _other_augmented(self, node):
        target, value = self.text(node.target), self.text(node.value)
        if is_text(node.value):
            return "%s = %s + %s" % (target, value, target)
        return "%s %s= %s" % (target, pick(self.rng, BINARY[type(node.op)]),
                              value)

    def _logic(self, node, risky):
        if len(node.values) == 2:
            self.put(0.8, node, lambda n: "%s %s %s" % (
                bracket(n.values[0], self.text(n.values[0])),
                "and" if type(n.op) is ast.Or else "or",
                bracket(n.values[1], self.text(n.values[1]))))

    def _choice(self, node, risky):
        self.put(0.7, node, lambda n: "%s if %s else %s" % (
            bracket(n.orelse, self.text(n.orelse)), self.text(n.test),
            self.text(n.body)))

    def _constant(self, node, risky):
        kind = type(node.value)
        if kind is int:
            self.put(0.3 if risky else 0.8, node, self._other_constant)
        elif kind is str and len(node.value) < 40 and not (
                "%" in node.value or "{" in node.value or
                node.value in NAMED):
            self.put(0.7, node, self._other_constant)
        elif kind is bool:
            self.put(0.5, node, lambda n: str(not n.value))

    def _other_constant(self, node):
        value = node.value
        if type(value) is str:
            new = words.char(self.rng) if len(value) == 1 else \
                mutate_values.vary_string(self.rng, value)
            # A separator must not become empty.
            return repr(new) if new and new.isprintable() else None
        new = mutate_values.vary_integer(self.rng, value)
        if value >= 0:
            new = abs(new)
        return str(new) if new != value and new < 10 ** 4 else None

    def _call(self, node, risky):
        func = node.func
        if type(func) is ast.Attribute:
            if func.attr in METHOD:
                self.put(1.3, node, self._other_method)
        elif type(func) is ast.Name and func.id in FUNCTION:
            self.put(1, func, lambda n: pick(self.rng, FUNCTION[n.id]))
        elif type(func) is ast.Name and func.id == "enumerate" and \
                len(node.args) == 1:
            self.put(0.8, node, lambda n: self.text(n)[:-1] + ", %s)" % pick(
                self.rng, ("1", "1", "start=1", "2", "-1", "10")))
        if len(node.args) == 2 and not node.keywords and getattr(
                func, "id", "") not in ("isinstance", "issubclass", "map",
                                        "filter", "hasattr") and not any(
                type(arg) is ast.Starred for arg in node.args):
            self.put(0.6, node, self._swap_arguments)

    def _other_method(self, node):
        func = node.func
        start, _ = self.at(node)
        _, end = self.at(func.value)
        name = pick(self.rng, METHOD[func.attr])
        if func.attr == "append" and len(node.args) == 1:
            if self.rng.random() < 0.7:
                return "%s.insert(%s, %s)" % (
                    self.text(func.value), pick(self.rng, ("0", "0", "1", "-1")),
                    self.text(node.args[0]))
            name = "extend" if name == "append" else name
        head = self.raw[start:end].decode()
        rest = self.raw[self.at(func)[1]:self.at(node)[1]].decode()
        if "\n" in head or head.count("(") != head.count(")"):
            return None
        return "%s.%s%s" % (head, name, rest)

    def _swap_arguments(self, node):
        start, _ = self.at(node)
        first, second = node.args
        text = "%s(%s, %s)" % (self.text(node.func), self.text(second),
                               self.text(first))
        return text

    def _subscript(self, node, risky):
        if type(node.ctx) is not ast.Load:
            return
        if type(node.slice) is ast.Slice:
            self.put(1, node, self._other_slice)

    def _other_slice(self, node):
        part = node.slice
        lower = self.text(part.lower) if part.lower else ""
        upper = self.text(part.upper) if part.upper else ""
        step = self.text(part.step) if part.step else ""
        roll = self.rng.random()
        if roll < 0.3 and not step:
            step = pick(self.rng, ("2", "-1", "-2", "3"))
        elif roll < 0.6:
            lower, upper = upper, lower
        elif roll < 0.8:
            lower = "" if lower else pick(self.rng, ("1", "2", "-3", "-2"))
        else:
            upper = "" if upper else pick(self.rng, ("-1", "2", "3", "-2"))
        return "%s[%s:%s%s]" % (self.text(node.value), lower, upper,
                                ":" + step if step else "")

    def _name(self, node, risky):
        if type(node.ctx) is ast.Load and not risky and \
                len(self.scope) > 1 and self.rng.random() < 0.4:
            known = self._known(node)
            if node.id in known and len(known) > 1:
                self.put(0.5, node, lambda n: pick(self.rng, known))

    def _comprehension(self, node, risky):
        if len(node.generators) == 1 and not node.generators[0].is_async:
            part = node.generators[0]
            if part.ifs:
                self.put(0.7, part.ifs[0], self._negate)
            elif type(part.target) is ast.Name:
                self.put(0.5, part.iter, lambda n: "%s if %s" % (
                    self.text(n), part.target.id))
            self.put(0.3, part.iter, self._iterate)


_VISITS = {
    ast.Return: Sites._return, ast.Break: Sites._jump,
    ast.Continue: Sites._jump, ast.If: Sites._if, ast.For: Sites._for,
    ast.Compare: Sites._compare, ast.BinOp: Sites._binary,
    ast.AugAssign: Sites._augmented, ast.BoolOp: Sites._logic,
    ast.IfExp: Sites._choice, ast.Constant: Sites._constant,
    ast.Call: Sites._call, ast.Subscript: Sites._subscript,
    ast.Name: Sites._name, ast.ListComp: Sites._comprehension,
    ast.SetComp: Sites._comprehension, ast.GeneratorExp: Sites._comprehension,
}
