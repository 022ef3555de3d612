"""The syntax of programs without names, for whole programs, functions, and single nodes."""

import ast


class Nameless(ast.NodeTransformer):
    """Replaces each name by a number in the order of first appearance. Unless constants
    is true, it also replaces each constant by its type."""

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
    """Returns a number that is the same for two syntax trees that differ only in names.
    If constants is false, their constants may differ too. It modifies the tree."""
    return hash(ast.dump(Nameless(constants).visit(tree)))


def functions(source):
    """Returns the functions of a module as number -> source. The number does not depend
    on names. There are two such dicts: under True the number depends on constants,
    under False it does not."""
    found = {True: {}, False: {}}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return found
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            segment = ast.get_source_segment(source, node) or ""
            for constants, known in found.items():  # with constants first: the other call modifies the trees
                known[nameless(node, constants)] = segment
    return found


def shapes(tree):
    """Yields each node with the kinds of its parts: "Call(Attribute, Constant)".
    Several parts of one kind in a row count once. The body of a statement is not a
    part."""
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
