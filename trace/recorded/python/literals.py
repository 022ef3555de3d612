"""Text to value and back, for the values that recorded text can stand for.

A recorded value is a repr. What ast.literal_eval accepts is read back, and
besides: set(), frozenset(...), inf, nan and exact complex numbers. Sets keep
the order in which their text lists them, because the order of a set depends
on its history and the text is all that is left of it.
"""

import ast
import pprint
import re

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=>)")
_CUT = re.compile(r"… \+[0-9][0-9,]* ")
_INF = float("inf")
_NAN = float("nan")
_NAMES = {"inf": _INF, "nan": _NAN, "infj": complex(0.0, _INF), "nanj": complex(0.0, _NAN)}
_NUMBERS = (int, float, complex)
_ATOMS = (type(None), bool, int, float, complex, str, bytes)


class NotLiteral(Exception):
    """The text is no literal. Its argument says why, following the text."""


def without_addresses(text):
    """The text of a repr or an exception without " at 0x…" before ">"."""
    return _ADDRESS.sub("", text)


def shorten(text, limit=60):
    """The text's first characters on one line, for a message."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit] + "…"


class Literals:
    """Reads texts and renders values; remembers the order of the sets it read."""

    def __init__(self):
        self._orders = {}  # id of a set → the set, which keeps the id taken, and its elements

    def read(self, text):
        """The value of a text. Raises NotLiteral."""
        try:
            return self._value(ast.parse(text.strip(" \t"), mode="eval").body)
        except NotLiteral:
            raise
        except RecursionError:
            raise NotLiteral("is nested too deeply to be read") from None
        except (SyntaxError, ValueError, TypeError):
            if _CUT.search(text):
                raise NotLiteral("was cut when it was recorded") from None
            raise NotLiteral("is no literal") from None

    def _value(self, node):
        kind = type(node)
        if kind is ast.Constant:
            if node.value is ...:
                # An Ellipsis object reads Ellipsis; dots stand for a cycle.
                raise NotLiteral("holds itself or was shortened, its text does not say what stands there")
            return node.value
        if kind is ast.List:
            return [self._value(item) for item in node.elts]
        if kind is ast.Tuple:
            return tuple([self._value(item) for item in node.elts])
        if kind is ast.Dict and None not in node.keys:
            return {self._value(key): self._value(value) for key, value in zip(node.keys, node.values)}
        if kind is ast.Set:
            return self._keep(set, [self._value(item) for item in node.elts])
        if kind is ast.Name and node.id in _NAMES:
            return _NAMES[node.id]
        if kind is ast.Call:
            return self._set(node)
        return self._number(node)

    def _set(self, node):
        if type(node.func) is ast.Name and not node.keywords:
            if node.func.id == "set" and not node.args:
                return set()
            if node.func.id == "frozenset" and not node.args:
                return frozenset()
            if node.func.id == "frozenset" and len(node.args) == 1 and type(node.args[0]) is ast.Set:
                return self._keep(frozenset, [self._value(item) for item in node.args[0].elts])
        raise NotLiteral("is no literal")

    def _keep(self, kind, elements):
        value = kind(elements)
        self._orders[id(value)] = value, tuple(dict.fromkeys(elements))
        return value

    def _number(self, node):
        if type(node) is ast.UnaryOp and type(node.op) in (ast.USub, ast.UAdd):
            value = self._operand(node.operand)
            if type(node.op) is ast.UAdd:
                return value
            if type(value) is complex:
                # Unlike the expression, the repr -2j has the real part 0.0.
                return complex(value.real, -value.imag)
            return -value
        if type(node) is ast.BinOp and type(node.op) in (ast.Add, ast.Sub):
            imag = self._operand(node.right)
            if type(imag) is complex:
                real = self._real(node.left)
                return complex(real, imag.imag if type(node.op) is ast.Add else -imag.imag)
        raise NotLiteral("is no literal")

    def _operand(self, node):
        value = _NAMES.get(node.id) if type(node) is ast.Name else getattr(node, "value", None)
        if type(value) not in _NUMBERS or type(node) not in (ast.Name, ast.Constant):
            raise NotLiteral("is no literal")
        return value

    def _real(self, node):
        negative = type(node) is ast.UnaryOp and type(node.op) is ast.USub
        value = self._operand(node.operand if negative else node)
        if type(value) is complex:
            raise NotLiteral("is no literal")
        # As a float first: the real part of (-0-2j) is -0.0.
        return -float(value) if negative else float(value)

    def _elements(self, value):
        """The elements of a set: as its text had them, else as it iterates."""
        known, order = self._orders.get(id(value), (None, ()))
        if known is value and len(order) == len(value) and value.issuperset(order):
            return order
        return value

    def render(self, value):
        """The text of a value, as npdb renders values."""
        return self._render(value, set())

    def _render(self, value, open_):
        kind = type(value)
        if kind in _ATOMS:
            return repr(value)
        if kind not in (list, tuple, dict, set, frozenset):
            return without_addresses(repr(value))
        if not value:
            return repr(value)
        if id(value) in open_:
            return {list: "[...]", tuple: "(...)", dict: "{...}"}.get(kind, kind.__name__ + "(...)")
        open_.add(id(value))
        if kind is dict:
            parts = [self._render(k, open_) + ": " + self._render(v, open_) for k, v in value.items()]
        else:
            items = self._elements(value) if kind in (set, frozenset) else value
            parts = [self._render(item, open_) for item in items]
        open_.discard(id(value))
        text = ", ".join(parts)
        if kind is list:
            return "[" + text + "]"
        if kind is tuple:
            return "(" + text + (",)" if len(parts) == 1 else ")")
        if kind is frozenset:
            return "frozenset({" + text + "})"
        return "{" + text + "}"

    def pretty(self, value):
        """The text of a value over several lines. What holds objects that are
        no literals is rendered on one line: pprint would show addresses."""
        return pprint.pformat(value) if _literal(value, set()) else self.render(value)


def _literal(value, seen):
    kind = type(value)
    if kind in _ATOMS or id(value) in seen:
        return True
    if kind not in (list, tuple, dict, set, frozenset):
        return False
    seen.add(id(value))
    if kind is dict:
        return all(_literal(k, seen) and _literal(v, seen) for k, v in value.items())
    return all(_literal(item, seen) for item in value)
