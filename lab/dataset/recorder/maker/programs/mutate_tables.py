"""The replacements that mutate uses, and small functions about syntax."""

import ast

COMPARE = {
    ast.Lt: ("<=", ">", ">=", "!="), ast.LtE: ("<", ">=", ">", "=="),
    ast.Gt: (">=", "<", "<=", "!="), ast.GtE: (">", "<=", "<", "=="),
    ast.Eq: ("!=",), ast.NotEq: ("==",), ast.In: ("not in",),
    ast.NotIn: ("in",), ast.Is: ("is not",), ast.IsNot: ("is",),
}
BINARY = {
    ast.Add: ("-", "*", "-"), ast.Sub: ("+", "*", "+"), ast.Mult: ("+", "-", "//"),
    ast.Div: ("//", "*"), ast.FloorDiv: ("%", "*", "-"), ast.Mod: ("//", "-", "+"),
    ast.Pow: ("*", "+"), ast.BitAnd: ("|", "^"), ast.BitOr: ("&", "^"),
    ast.BitXor: ("&", "|"), ast.LShift: (">>", "+"), ast.RShift: ("<<", "-"),
}
_SIBLINGS = [group.split() for group in (
    "lower upper swapcase title capitalize casefold", "lower upper",
    "strip lstrip rstrip", "find rfind index rindex count", "find rfind",
    "ljust rjust center", "split rsplit", "partition rpartition",
    "removeprefix removesuffix", "startswith endswith",
    "isalpha isdigit isalnum islower isupper isspace isnumeric isdecimal",
    "append extend", "keys values items", "keys values",
    "add discard", "remove append", "union intersection difference "
    "symmetric_difference", "issubset issuperset isdisjoint",
    "appendleft append", "pop popleft", "update difference_update "
    "intersection_update", "get setdefault", "splitlines split", "index count",
    "istitle isupper", "discard remove", "heappush heappop",
    "bisect_left bisect_right", "floor ceil", "combinations permutations")]
_BUILTINS = [group.split() for group in (
    "min max", "any all", "sorted list", "list tuple", "sum len", "max sum",
    "min sum", "sorted reversed", "abs int", "str repr",
    "map filter", "bin hex", "float int", "list sorted")]


def _table(groups):
    table = {}
    for group in groups:
        for one in group:
            table.setdefault(one, []).extend(o for o in group if o != one)
    return table


METHOD = _table(_SIBLINGS)
FUNCTION = _table(_BUILTINS)
# Strings that name a codec or an error handler.
NAMED = frozenset("""utf-8 utf8 ascii latin-1 latin1 replace ignore strict
surrogateescape backslashreplace __main__ little big""".split())


def is_text(node):
    if type(node) is ast.Expr:
        node = node.value
    return type(node) is ast.Constant and type(node.value) is str


def bracket(node, text):
    return "(%s)" % text if type(node) in (
        ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.UnaryOp, ast.Lambda,
        ast.NamedExpr) and not text.startswith("(") else text


def symbol(op):
    return {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%",
            ast.Div: "/", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^",
            ast.FloorDiv: "//", ast.Pow: "**", ast.LShift: "<<",
            ast.RShift: ">>"}[type(op)]


def local_names(function):
    """Returns (name, line, column) of parameters and of the first assignments of
    locals."""
    args = function.args
    found = {arg.arg: (function.lineno, 0) for arg in
             args.posonlyargs + args.args + args.kwonlyargs
             if arg.arg not in ("self", "cls")}
    for node in ast.walk(function):
        if type(node) in (ast.Assign, ast.For, ast.AnnAssign):
            targets = node.targets if type(node) is ast.Assign else \
                [node.target]
            for target in targets:
                for name in ast.walk(target):
                    if type(name) is ast.Name and name.id != "_" and \
                            type(name.ctx) is ast.Store:
                        # The name has a value from the next line of this block on.
                        found.setdefault(name.id, (node.lineno,
                                                   node.col_offset))
    return [(name, line, column) for name, (line, column) in found.items()]
