"""Expressions over recorded text: what is allowed, and its evaluation.

An expression is checked as a syntax tree before anything of it runs. It sees
recorded values and pure builtins; it reaches no attribute but the public
methods of the literal types, so no frame, no module and no class it could
make an instance of behind npdb's back.
"""

import ast
import builtins
import dis
import functools
import re
from _string import formatter_parser, formatter_field_name_split

from literals import Literals, NotLiteral, shorten, without_addresses

_FORMAT = "format guard"  # no identifier: no expression can spell or rebind it
_NOT_DEFINED = re.compile(r"name '(.*)' is not defined\Z")
_LITERAL_TYPES = (str, bytes, int, float, complex, list, tuple, dict, set, frozenset)
_METHODS = frozenset(name for kind in _LITERAL_TYPES for name in dir(kind) if not name.startswith("_"))
_TYPES = _LITERAL_TYPES + (bool, type(None), type(...), range, slice, enumerate, filter, map, reversed, zip)
_TYPE_NAMES = frozenset(kind.__name__ for kind in _TYPES if hasattr(builtins, kind.__name__))
_NODES = (
    ast.Expression, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
    ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp,
    ast.Dict, ast.Set, ast.List, ast.Tuple, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
    ast.comprehension, ast.Compare, ast.Call, ast.keyword, ast.FormattedValue, ast.JoinedStr,
    ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Starred, ast.Name, ast.arguments, ast.arg,
)  # fmt: skip


class Refused(Exception):
    """Recorded text cannot answer. Arguments: the name it is about, and why."""


class Failed(Exception):
    """The expression raised. Arguments: the exception's type name and message."""


def _type_of(value, /):
    """type() of one argument. The class of a class or of a function would
    make new ones."""
    kind = type(value)
    if kind not in _TYPES:
        raise Refused("type", "the type of %s is no type of recorded values" % shorten(Literals().render(value)))
    return kind


def _format_guard(value, name):
    """The method str.format or str.format_map of a text whose fields reach
    for no attribute."""
    if isinstance(value, type):
        raise Refused(name, "is evaluated as a method of a text, not of a type")
    if type(value) is str:
        _check_fields(value, name)
    return getattr(value, name)


def _check_fields(template, name):
    try:
        for _, field, spec, _ in formatter_parser(template):
            if field is None:
                continue
            if any(is_attribute for is_attribute, _ in formatter_field_name_split(field)[1]):
                raise Refused(name, "the field {%s} reaches for an attribute" % shorten(field))
            _check_fields(spec, name)
    except ValueError:
        return  # a malformed template: str.format says so itself


def _import(name, *_):
    """Serves CPython, which imports _pylong for the digits of a large int with
    the __import__ of the expression; no expression can name it."""
    if name != "_pylong":
        raise ImportError("no module is imported behind the live edge")
    return __import__(name)


_BUILTINS = {
    name: getattr(builtins, name)
    for name in """abs all any ascii bin bool bytes chr complex dict divmod enumerate filter float format frozenset
    hex int isinstance issubclass iter len list map max min next oct ord pow range repr reversed round set slice
    sorted str sum tuple zip""".split()
}
_BUILTINS["type"] = _type_of


class _Rules(ast.NodeTransformer):
    """Refuses what recorded text cannot answer or must not do."""

    def __init__(self, recorded):
        self._recorded = recorded

    def visit(self, node):
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom)) or getattr(node, "is_async", 0):
            raise Refused("", "await and yield need a running program")
        if not isinstance(node, _NODES):
            raise Refused("", "%s is not evaluated from recorded text" % type(node).__name__)
        return super().visit(node)

    def visit_Name(self, node):
        self._check_name(node.id)
        return node

    def visit_arg(self, node):
        self._check_name(node.arg)
        return node

    def _check_name(self, name):
        if name == "__builtins__" or name.startswith("__") and name not in self._recorded:
            raise Refused(name, "names of Python's own are not evaluated from recorded text")

    def visit_Attribute(self, node):
        if node.attr not in _METHODS:
            raise Refused("." + node.attr, "is no public method of a literal; slices, comprehensions, lambdas and f-strings see no other attributes")
        if type(node.ctx) is not ast.Load:
            raise Refused("." + node.attr, "cannot be assigned behind the live edge")
        node = self.generic_visit(node)
        if node.attr not in ("format", "format_map"):
            return node
        guard = ast.Name(_FORMAT, ast.Load())
        return ast.copy_location(ast.Call(guard, [node.value, ast.Constant(node.attr)], []), node)

    def visit_Compare(self, node):
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:]):
            if isinstance(operator, (ast.Is, ast.IsNot)) and not (self._single(left) or self._single(right)):
                raise Refused("is", "here only recorded text is known, which does not tell whether two names share an object; compare with ==")
        return self.generic_visit(node)

    def _single(self, node):
        """Whether a node gives an object of which there is only one."""
        if isinstance(node, ast.Constant):
            return node.value is None or node.value is ... or isinstance(node.value, bool)
        if isinstance(node, ast.Call):
            node = node.func
            return isinstance(node, ast.Name) and node.id == "type" and "type" not in self._recorded
        return isinstance(node, ast.Name) and node.id in _TYPE_NAMES and node.id not in self._recorded


@functools.lru_cache(maxsize=64)
def _prepare(expression, recorded):
    """The code of an expression and the names it takes from outside. The
    cache serves breakpoint conditions, which are asked many times."""
    tree = ast.parse(expression, "<expression>", "eval")
    tree = ast.fix_missing_locations(_Rules(recorded).visit(tree))
    code = compile(tree, "<expression>", "eval")
    return code, frozenset(_outer_names(code)) - {_FORMAT}


def _outer_names(code):
    """The names that code looks up outside its own scopes."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            yield from _outer_names(constant)


def _bind(names, recorded, literals):
    space = {"__builtins__": {"__import__": _import}, _FORMAT: _format_guard}
    for name in sorted(names):
        if name in recorded:
            try:
                space[name] = literals.read(recorded[name])
            except NotLiteral as reason:
                raise Refused(name, "%s %s" % (shorten(recorded[name]), reason)) from None
        elif name in _BUILTINS:
            space[name] = _BUILTINS[name]
        elif hasattr(builtins, name):
            raise Refused(name, "is a builtin that has effects or asks more than recorded text can answer")
    return space


def _whatis(value):
    """pdb's words for what a value is (Lib/pdb.py, do_whatis)."""
    code = getattr(value, "__code__", None)
    if code:
        return "Function %s" % code.co_name
    if value.__class__ is type:
        return "Class %s.%s" % (value.__module__, value.__qualname__)
    return str(type(value))


def evaluate(verb, expression, recorded):
    """Answers verb (eval, pretty, whatis, truth) for an expression, as text.

    recorded maps names to texts. Raises Refused, Failed, and MemoryError for
    what is too large.
    """
    literals = Literals()
    try:
        code, names = _prepare(expression.strip(" \t"), frozenset(recorded))
        value = eval(code, _bind(names, recorded, literals))
        if value is _type_of:
            value = type
        if verb == "truth":
            return str(bool(value))
        if verb == "whatis":
            return _whatis(value)
        return literals.pretty(value) if verb == "pretty" else literals.render(value)
    except (Refused, MemoryError):
        raise
    except BaseException as error:
        raise Failed(type(error).__name__, _message(error)) from None


def _message(error):
    if isinstance(error, SyntaxError):
        return error.msg
    missing = type(error) is NameError and _NOT_DEFINED.match(str(error))
    return "name '%s' was not recorded here" % missing[1] if missing else without_addresses(str(error))
