"""Syntax without names: of whole programs, of functions, and piece by piece."""

import ast


class Nameless(ast.NodeTransformer):
    """Names by their order of appearance; constants by their type where asked."""

    def __init__(self, constants):
        self.constants, self.names = constants, {}

    def name(self, n):
        return self.names.setdefault(n, f"n{len(self.names)}")

    def visit_Name(self, node):
        return ast.Name(self.name(node.id), node.ctx)

    def visit_arg(self, node):
        return ast.arg(self.name(node.arg), None)

    def visit_FunctionDef(self, node):
        node.name, node.returns, node.decorator_list = self.name(node.name), None, []
        return self.generic_visit(node)

    def visit_Constant(self, node):
        return node if self.constants else ast.Constant(type(node.value).__name__)


def nameless(tree, constants=False):
    """A number that syntax trees share that differ in names, and in constants where those
    are put aside. The tree is used up."""
    return hash(ast.dump(Nameless(constants).visit(tree)))


def functions(source):
    """The functions of a module, nameless, with their source, by whether constants
    count: number -> source."""
    found = {True: {}, False: {}}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return found
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            segment = ast.get_source_segment(source, node) or ""
            for constants, known in found.items():  # with them first: without, they are used up
                known[nameless(node, constants)] = segment
    return found


def shapes(tree):
    """Each node with the kinds of what it is made of: "Call(Attribute, Constant)". Of
    what it has several of a kind, in a row, it counts one; of a statement with a body,
    what stands in the body is no part."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.stmt, ast.comprehension, ast.pattern)):
            yield shape(node)


def shape(node):
    parts = []
    for name, value in ast.iter_fields(node):
        if name in ("body", "orelse", "finalbody", "handlers", "cases") and isinstance(value, list):
            parts += [name] if value and name != "body" else []
        elif name in ("ctx", "type_comment", "kind", "lineno"):
            continue
        elif isinstance(value, list):
            parts += dict.fromkeys(kind(one) for one in value)
        elif isinstance(value, ast.AST):
            parts.append(kind(value))
        elif name == "value" and isinstance(node, ast.Constant):
            parts.append(type(value).__name__)
    return f"{type(node).__name__}({', '.join(parts)})"


def kind(one):
    return type(one).__name__
