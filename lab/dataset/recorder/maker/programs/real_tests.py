"""Scripts made of the standard library's own tests.

A test method's statements become a module: `self.assertEqual(a, b)` becomes `x = a`,
`assert a == b` or `print(a)`, and the definitions that the statements need are put
before them.
"""

import ast
import copy
import doctest

from . import words

_CHECKS = {"assertEqual": "==", "assertNotEqual": "!=", "assertIs": "is",
           "assertIsNot": "is not", "assertIn": "in", "assertNotIn": "not in",
           "assertGreater": ">", "assertLess": "<", "assertGreaterEqual": ">=",
           "assertLessEqual": "<=", "assertListEqual": "==", "eq": "==",
           "assertTupleEqual": "==", "assertDictEqual": "==", "ae": "==",
           "assertSetEqual": "==", "assertSequenceEqual": "==",
           "assertCountEqual": "==", "assertAlmostEqual": "==",
           "assertEquals": "==", "assertMultiLineEqual": "=="}
# The type for `self.type2test` in the tests that several types share.
_TYPES = {"list_tests": "list", "seq_tests": "tuple", "string_tests": "str",
          "test_list": "list", "test_tuple": "tuple", "test_bytes": "bytes",
          "test_str": "str", "mapping_tests": "dict", "test_userlist": "list",
          "test_dict": "dict", "test_deque": "list"}
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.For, ast.If, ast.With,
           ast.Try, ast.While, ast.FunctionDef, ast.ClassDef, ast.Assert,
           ast.Delete, ast.Pass, ast.AnnAssign, ast.Match)


class _Rewrite(ast.NodeTransformer):
    """Turns the statements of a test into those of a script."""

    def __init__(self, rng, kind, result):
        self.rng, self.kind, self.result = rng, kind, result

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self" and \
                node.attr in ("type2test", "thetype", "theclass"):
            return ast.Name(self.kind, ast.Load())
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        # self.checkequal(3, 'aaa', 'count', 'a') tests 'aaa'.count('a').
        if _method(node) == "checkequal" and len(node.args) > 2 and \
                isinstance(node.args[2], ast.Constant):
            node.func.attr = "assertEqual"
            node.args = [ast.Call(ast.Attribute(
                node.args[1], node.args[2].value, ast.Load()), node.args[3:],
                node.keywords), node.args[0]]
            node.keywords = []
        elif _method(node) == "fixtype" and len(node.args) == 1:
            return node.args[0]
        return node

    def visit_With(self, node):
        item = node.items[0].context_expr
        if isinstance(item, ast.Call) and _method(item) == "subTest":
            return [self.visit(child) for child in node.body]
        if isinstance(item, ast.Call) and _method(item) in (
                "assertRaises", "assertRaisesRegex") and item.args and \
                node.items[0].optional_vars is None:
            self.generic_visit(node)
            return self._caught(node.body, item.args[0])
        self.generic_visit(node)
        return node

    def _caught(self, body, kind):
        name = self.rng.choice(("e", "err", "exc", "error"))
        roll = self.rng.random()
        if roll < 0.4:
            handler = ast.ExceptHandler(kind, None, [ast.Pass()])
        elif roll < 0.7:
            handler = ast.ExceptHandler(kind, name, ast.parse(
                "%s = str(%s)" % (self.result(), name)).body)
        else:
            handler = ast.ExceptHandler(kind, name, ast.parse(
                "print(%s)" % name).body)
        return ast.Try(body, [handler], [], [])

    def visit_Expr(self, node):
        self.generic_visit(node)
        call = node.value
        if isinstance(call, ast.Constant):
            return None
        method = _method(call)
        if method is None or any(isinstance(arg, ast.Starred)
                                 for arg in call.args):
            return node
        args = call.args
        if method == "checkraises" and len(args) > 2 and \
                isinstance(args[2], ast.Constant):
            args = [args[0], ast.Attribute(args[1], args[2].value, ast.Load())
                    ] + args[3:]
            method, call.keywords = "assertRaises", []
        if method in _CHECKS and len(args) >= 2:
            left, right = args[:2]
            if isinstance(left, ast.Constant) and \
                    not isinstance(right, ast.Constant):
                left, right = right, left
            if self.rng.random() < 0.28 or method.endswith("In") and \
                    self.rng.random() < 0.5:
                return ast.parse("assert %s %s %s" % (
                    _side(args[0]), _CHECKS[method], _side(args[1]))).body
            return self._shown(left)
        if method in ("assertTrue", "assertFalse", "assert_") and args:
            if self.rng.random() < 0.4:
                return ast.Assert(args[0] if method != "assertFalse" else
                                  ast.UnaryOp(ast.Not(), args[0]), None)
            return self._shown(args[0])
        if method in ("assertIsNone", "assertIsNotNone") and args:
            return self._shown(args[0])
        if method == "assertIsInstance" and len(args) > 1:
            return ast.parse("assert isinstance(%s, %s)" % (
                ast.unparse(args[0]), ast.unparse(args[1]))).body
        if method == "assertRaises" and len(args) > 1:
            called = ast.Call(args[1], args[2:], call.keywords)
            return self._caught([ast.Assign(
                [ast.Name(self.result(), ast.Store())], called)], args[0])
        return node

    def _shown(self, value):
        roll = self.rng.random()
        if isinstance(value, ast.Name) or roll < 0.12:
            return ast.Expr(ast.Call(ast.Name("print", ast.Load()), [value],
                                     []))
        return ast.Assign([ast.Name(self.result(), ast.Store())], value)


def _method(call):
    """Returns the name of the method of self that is called, else None."""
    if isinstance(call, ast.Call):
        func = call.func
        if isinstance(func, ast.Attribute) and \
                isinstance(func.value, ast.Name) and func.value.id == "self":
            return func.attr
        if isinstance(func, ast.Name) and func.id in ("eq", "ae"):
            return func.id
    return None


def _side(node):
    text = ast.unparse(node)
    return "(%s)" % text if isinstance(node, (
        ast.Compare, ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr,
        ast.UnaryOp)) else text


def _bound(node):
    """Returns the names that a statement binds at its own level."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)
            and isinstance(n.ctx, ast.Store)}


def _used(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def scripts(rng, tree, relative):
    """Yields the statements of scripts, from every test method of the module."""
    kind = _TYPES.get(relative.rsplit("/", 1)[-1][:-3], "list")
    for holder in ast.walk(tree):
        if not isinstance(holder, ast.ClassDef):
            continue
        for node in holder.body:
            if isinstance(node, ast.FunctionDef) and \
                    node.name.startswith("test") and len(node.args.args) == 1 \
                    and not node.decorator_list:
                yield from _cut(rng, node, kind)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) \
                and ">>> " in node.value:
            body = _examples(rng, node.value)
            if len(body) > 2:
                yield from _cut(rng, ast.FunctionDef("f", ast.arguments(
                    [], [], None, [], [], None, []), body, []), kind)


def _examples(rng, text):
    """Returns the statements of a doctest. A value that it would display is printed or
    assigned."""
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []
    body = []
    for example in found:
        try:
            nodes = ast.parse(example.source).body
        except SyntaxError:
            continue
        one = nodes[0] if len(nodes) == 1 else None
        if example.exc_msg is not None:
            kind = example.exc_msg.split(":")[0].split(".")[-1].strip()
            if kind.isidentifier():
                nodes = [ast.Try(nodes, [ast.ExceptHandler(
                    ast.Name(kind, ast.Load()), "e",
                    ast.parse("print(e)").body)], [], [])]
        elif isinstance(one, ast.Expr) and example.want and not (
                isinstance(one.value, ast.Call) and
                getattr(one.value.func, "id", "") == "print"):
            name = rng.choice(("r", "out", "got", "res", "value"))
            text = ast.unparse(one)
            nodes = ast.parse("print(%s)" % text if rng.random() < 0.35 else
                              "%s = %s" % (name, text)).body
        body += nodes
    return body


def _cut(rng, function, kind):
    names = words.names(rng, 3) if rng.random() < 0.6 else ["r", "res", "x"]
    taken = _used(function)
    names = [n for n in names if n not in taken] or ["result_"]

    def result():
        return names[int(rng.random() * len(names))]

    body = _Rewrite(rng, kind, result).visit(copy.deepcopy(function)).body
    flat = [ast.fix_missing_locations(node) for node in body]
    at = 0
    while at < len(flat):
        size = 3 + int(rng.random() * 9)
        chunk = flat[at:at + size]
        need = set().union(*map(_used, chunk))
        # The results of earlier statements, the latest first.
        before = []
        for node in reversed(flat[:at]):
            if isinstance(node, _SIMPLE) and _bound(node) & need and \
                    (not names[0] in _bound(node)):
                before.insert(0, node)
                need |= _used(node)
        at += size
        if len(before) > 8:
            continue
        chunk = [node for node in before + chunk
                 if not _mentions_self(node)]
        if len(chunk) >= 3:
            yield chunk


def _mentions_self(node):
    """Returns whether a statement needs the test object, or a function around it."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Return, ast.Yield,
                         ast.YieldFrom, ast.Await, ast.Nonlocal, ast.Global)):
        return True
    if isinstance(node, ast.Name) and node.id in ("self", "support"):
        return True
    if isinstance(node, ast.ClassDef):
        return False
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        # Its own return statements and its own self do not matter.
        own = {arg.arg for arg in node.args.args}
        return any(isinstance(n, ast.Name) and n.id == "self"
                   for n in ast.walk(node)) and "self" not in own
    return any(map(_mentions_self, ast.iter_child_nodes(node)))
