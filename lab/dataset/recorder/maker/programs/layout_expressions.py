"""Writes expressions and strings over several lines, as edits of a program's text."""

import ast
import re

from .layout_texts import remark
from .words import pick

OPERATOR = re.compile(rb"(\)*)( *)([-+*/%&|^<>=!@]+|and|or|not +in|in|is +not|is|if|else|async +for|for)( *)(\(*)")
COMMA = re.compile(rb", *")
QUOTED = re.compile(rb"(f?)(['\"])((?:(?!\2)[^\\\n]|\\.)*)\2")
SUMS = (ast.Add, ast.Sub)


class Expressions:
    """Finds the places where a program's expressions can be edited. A subclass defines rng, rates,
    cuts and raw, the source as bytes."""

    def draw(self, feature):
        rate = self.rates[feature]
        return rate and self.rng.random() < rate

    def at(self, node):
        return (self.starts[node.lineno - 1] + node.col_offset,
                self.starts[node.end_lineno - 1] + node.end_col_offset)

    def put(self, start, new, end=None):
        self.cuts.append((start, start if end is None else end, new))

    # ------------------------------------------------------------ expressions

    def value(self, node, indent, needless=True):
        """Edits an expression that is a whole part of a statement, such as the right side of an
        assignment. It may add parentheses, also redundant ones."""
        start, end = self.at(node)
        size, kind, rng = end - start, type(node), self.rng
        if node.lineno != node.end_lineno or size < self.floor:
            return
        pad, inner = "\n" + " " * indent, "\n" + " " * (indent + 4)
        if self.raw[start - 1:start] == b" ":
            if kind in (ast.Constant, ast.JoinedStr):
                if kind is ast.Constant and self.tripled(node):
                    return
                pieces = self.pieces(node)
                if pieces:
                    self.put(start, "(" + inner + inner.join(pieces) + pad + ")", end)
                    return
            found = size >= min(self.long, 32) and self.operators(node)
            if found and self.draw("backslash"):
                for match in found[:1 + int(rng.random() * 2)]:
                    self.put(match.end(3), " \\" + inner, match.end(4))
                return
            if found and self.draw("operators"):
                self.around(node, pad, inner, rng.random() < 0.3)
                for match in found:
                    if self.before:
                        self.put(match.start(2), inner, match.start(3))
                    else:
                        self.put(match.start(4), inner, match.end(4))
                return
            dots = size >= min(self.long, 32) and self.dots(node)
            if dots and self.draw("chains"):
                self.around(node, pad, inner, False)
                for dot in dots:
                    self.put(dot, inner)
                return
            if needless and size >= self.long // 2 and self.draw("parens"):
                self.around(node, pad, inner, False)
                return
            if kind is ast.List and len(node.elts) > 2 and self.rates["listed"] and self.listed(node, indent):
                return
        self.expression(node, indent)

    def around(self, node, pad, inner, close):
        start, end = self.at(node)
        self.put(start, "(" if close else "(" + inner)
        self.put(end, ")" if close else pad + ")")

    def operators(self, node):
        """Returns the matches of OPERATOR between the operands of the outermost
        operators, or None."""
        kind = type(node)
        if kind is ast.BinOp:
            parts, sums = [node.right], type(node.op) in SUMS
            while type(node.left) is ast.BinOp and (type(node.left.op) in SUMS) == sums:
                node = node.left
                parts.append(node.right)
            parts = [node.left, *reversed(parts)]
        elif kind is ast.BoolOp:
            parts = node.values
        elif kind is ast.Compare:
            parts = [node.left, *node.comparators]
        elif kind is ast.IfExp:
            parts = [node.body, node.test, node.orelse]
        else:
            return None
        return self.between(parts)

    def between(self, parts):
        spans = [self.at(part) for part in parts]
        found = [OPERATOR.fullmatch(self.raw, a[1], b[0]) for a, b in zip(spans, spans[1:])]
        return found if found and all(found) else None

    def dots(self, node):
        """Returns the positions of the dots in a chain of two or more method calls."""
        found = []
        while type(node) is ast.Call and type(node.func) is ast.Attribute:
            node = node.func.value
            found.append(self.at(node)[1])
        if len(found) < 2 or any(self.raw[dot:dot + 1] != b"." for dot in found):
            return None
        if type(node) is ast.Name and self.rng.random() < 0.4:
            found.pop()     # x.strip() is not split
        return found[::-1]

    def expression(self, node, indent, element=False):
        """Breaks long parts of a node over several lines, if the node is on one line."""
        start, end = self.at(node)
        size, kind = end - start, type(node)
        if node.lineno != node.end_lineno or size < self.floor:
            return
        if kind is ast.Constant or kind is ast.JoinedStr:
            if kind is ast.Constant and self.tripled(node):
                return
            pieces = element and self.pieces(node)
            if pieces:
                self.put(start, ("\n" + " " * (node.col_offset if element == "same" else indent)).join(pieces), end)
            return
        # Not for the iterable of a loop: there the compiler turns a list into a tuple.
        if kind is ast.List and element and len(node.elts) > 2 and self.rates["listed"] and self.listed(node, indent):
            return
        inner = None
        if size >= self.long and self.draw("breaks"):
            inner = self.broken(node, kind, start, end, indent)
        element = "new" if inner is not None else "same"
        if kind not in (ast.Call, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.keyword):
            element = False
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child, indent if inner is None else inner,
                                False if child is getattr(node, "func", None) else element)
            elif type(child) is ast.keyword:
                self.expression(child.value, indent if inner is None else inner, element)
            elif type(child) is ast.comprehension:
                self.expression(child.iter, indent if inner is None else inner)

    def broken(self, node, kind, start, end, indent):
        """Breaks one bracketed expression over several lines. Returns the column where
        its parts begin, or None if it was not broken."""
        raw = self.raw
        if kind is ast.Call:
            start = self.at(node.func)[1]
            parts = sorted(self.at(part) for part in node.args + node.keywords)
        elif kind in (ast.List, ast.Tuple, ast.Set):
            parts = [self.at(part) for part in node.elts]
        elif kind is ast.Dict and None not in node.keys:
            parts = [(self.at(key)[0], self.at(value)[1]) for key, value in zip(node.keys, node.values)]
        elif kind in (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp):
            return self.comprehension(node, start, end, indent)
        else:
            return None
        if not parts or parts[0][0] != start + 1 or raw[start] not in b"([{":
            return None
        if parts[-1][1] != end - 1:
            return None     # there is a comma, a bracket or a blank at the end
        lone = kind is ast.Call and len(parts) == 1 and type((node.args or [0])[0]) is ast.GeneratorExp
        return self.bracket(parts[0][0], parts, end - 1, indent, not lone, node.col_offset)

    def bracket(self, first, parts, close, indent, comma, column):
        """Puts line breaks between the parts of a bracket. Returns the column where the
        parts begin, or None if it was not broken."""
        rng, pad, inner = self.rng, "\n" + " " * indent, "\n" + " " * (indent + 4)
        gaps = [(a[1], b[0]) for a, b in zip(parts, parts[1:])]
        if not all(COMMA.fullmatch(self.raw, *gap) for gap in gaps):
            return None
        style = self.style
        if style == "mixed":
            style = pick(rng, ("black", "black", "open", "hanging", "aligned", "filled"))
        if style == "aligned" and (len(parts) < 2 or column is None):
            style = "black"
        if style == "aligned":
            row_start = self.raw.rfind(b"\n", 0, first) + 1
            width = first - row_start
            for gap in gaps:
                if len(gaps) < 4 or rng.random() < 0.5:
                    self.put(gap[0], ",\n" + " " * width, gap[1])
            return width
        if column is None and style == "hanging":
            inner += "    "         # so that parameters are not aligned with the body
        self.put(first, inner)
        each = 1 if style in ("black", "hanging") else 2 + int(rng.random() * 3) if style == "filled" else len(parts)
        remarks = each == 1 and self.rates["ends"] * 0.3
        for i, gap in enumerate(gaps):
            if (i + 1) % each == 0:
                self.put(gap[0], ("," + ("  " + remark(rng) if remarks and rng.random() < remarks else "")) + inner, gap[1])
        if style != "hanging":
            self.put(close, ("," if comma and style != "open" else "") + pad)
        return indent + 4

    def comprehension(self, node, start, end, indent):
        parts = [node.value if type(node) is ast.DictComp else node.elt]
        found = []
        for part in node.generators:
            found.append(self.between([parts[-1], part.target]))
            found += [self.between(pair) for pair in zip([part.iter, *part.ifs], part.ifs)]
            parts.append((part.ifs or [part.iter])[-1])
        head = self.at(node.key if type(node) is ast.DictComp else node.elt)[0]
        if not all(found) or self.raw[start] not in b"([{" or head != start + 1:
            return None
        inner = "\n" + " " * (indent + 4)
        self.put(head, inner)
        for match, in found:
            self.put(match.start(2), inner, match.start(3))
        self.put(end - 1, "\n" + " " * indent)
        return indent + 4

    # ------------------------------------------------------------ strings

    def tripled(self, node):
        """Rewrites a string that contains line ends as a triple-quoted one. Returns whether that
        was possible."""
        text = node.value
        if type(text) is not str or "\n" not in text or not self.draw("triple"):
            return False
        start, end = self.at(node)
        if self.raw[start] not in b"'\"" or not text.replace("\n", "").isprintable():
            return False
        body = text.replace("\\", "\\\\").replace(self.quotes, "\\" + self.quotes)
        if body.endswith(self.quotes[0]):
            body = body[:-1] + "\\" + body[-1]
        self.put(start, self.quotes + ("\\\n" if self.rng.random() < 0.4 else "") + body + self.quotes, end)
        return True

    def listed(self, node, indent):
        """Rewrites a list of strings as a text over several lines that the program splits. Returns
        whether that was possible."""
        rng, items = self.rng, [getattr(item, "value", None) for item in node.elts]
        if not all(type(item) is str and item and item.isprintable() and self.quotes[0] not in item and
                   "\\" not in item for item in items) or not self.draw("listed"):
            return False
        if all(item.split() == [item] for item in items):
            rows, size = [], pick(rng, (1, 1, 2, 3))
            for at in range(0, len(items), size):
                rows.append(" ".join(items[at:at + size]))
            pad = "\n" + " " * pick(rng, (0, indent + 4, indent + 4))
            text = pad + pad.join(rows) + "\n" + " " * indent + self.quotes + ".split()"
        else:
            text = "\\\n" + "\n".join(items) + pick(rng, ("", "\n")) + self.quotes + ".splitlines()"
        start, end = self.at(node)
        self.put(start, self.quotes + text, end)
        return True

    def pieces(self, node):
        """Returns a string's text as adjacent literals, or None if it cannot be
        divided."""
        start, end = self.at(node)
        found = end - start > 16 and QUOTED.fullmatch(self.raw, start, end)
        if not found or not self.draw("concat"):
            return None
        prefix, quote, body = (group.decode() for group in found.groups())
        depth, spaces = 0, []
        for i, letter in enumerate(body):
            if prefix and letter in "{}":
                depth += 1 if letter == "{" else -1
            elif letter == " " and not depth and 3 < i < len(body) - 4 and body[i - 1] != "\\":
                spaces.append(i + 1)
        if not spaces:
            return None
        cut = sorted(set(pick(self.rng, spaces) for _ in range(1 + len(body) // 40)))
        return [prefix + quote + body[a:b] + quote for a, b in zip([0, *cut], [*cut, len(body)])]


def row_of(node):
    """Returns the first row of a statement, including its decorators."""
    decorators = getattr(node, "decorator_list", None)
    return min(decorators[0].lineno, node.lineno) if decorators else node.lineno
