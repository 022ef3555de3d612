"""Changes the layout of statements, as edits of a program's text."""

import ast
import re

from .layout_expressions import Expressions, row_of
from .layout_texts import (
    DEFINITIONS,
    IMPORTS,
    IMPORTS_ENTRY,
    bound,
    data,
    docstring,
    documents,
    hint_of,
    own_line,
    remark,
    returned,
    rule,
)
from .words import pick

SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.AnnAssign, ast.Assert, ast.Raise,
          ast.Pass, ast.Break, ast.Continue, ast.Delete)
SHORT = (ast.Assign, ast.AugAssign, ast.Expr)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


class Dress(Expressions):
    """Collects the edits of one program, as (start, end, new text). Positions are in
    bytes, as in the syntax tree."""

    def __init__(self, rng, rates, source, tree, entry):
        self.rng, self.rates, self.tree, self.entry = rng, rates, tree, entry
        self.raw = source.encode()
        self.starts, at = [0], 0
        for line in self.raw.split(b"\n"):
            at += len(line) + 1
            self.starts.append(at)
        self.cuts = []
        self.added = []
        self.joined = set()     # rows that semicolons join: nothing may be put between them
        self.known = set(re.findall(r"\w+", source)) | set(re.findall(r"\w+", entry or ""))
        # The length at which a line is broken differs between people. It is short here, because the
        # programs have short lines.
        self.long = pick(rng, (18, 24, 24, 32, 32, 44, 60))
        self.floor = min(self.long, 10) if rates["triple"] or rates["concat"] or rates["listed"] else self.long
        self.style = pick(rng, ("black", "black", "black", "open", "hanging", "aligned", "filled", "mixed"))
        self.before = rng.random() < 0.6        # operators are at the beginning of lines
        self.documents = pick(rng, ("google", "google", "plain", "plain", "sphinx", "numpy", "any"))
        self.quotes = "'''" if rng.random() < 0.07 else '"""'
        self.arguments = self.passed()
        self.bound = bound(tree) if rates["hints"] else ()

    def text(self):
        self.top()
        self.block(self.tree.body, 0)
        out, at, raw = [], 0, self.raw
        for start, end, new in sorted(self.cuts, key=lambda cut: cut[:2]):      # a stable sort keeps the order of edits at the same position
            if start < at:
                raise ValueError("cuts overlap")
            out += (raw[at:start], new.encode())
            at = end
        out.append(raw[at:])
        return b"".join(out).decode()

    def passed(self):
        """Returns function name -> nodes that the entry passes by position, which
        determine the hints."""
        if self.entry and self.rates["hints"]:
            call = ast.parse(self.entry, mode="eval").body
            if type(call) is ast.Call and type(call.func) is ast.Name:
                return {call.func.id: call.args}
        return {}

    # ------------------------------------------------------------ the module

    def top(self):
        rng, body = self.rng, self.tree.body
        if not body:
            return
        if self.draw("module_doc"):
            if documents(body[0]):
                self.put(*self.replaced(body[0], docstring(rng, "", None, self.documents, self.quotes)))
            else:
                head = "#!/usr/bin/env python3\n" if rng.random() < 0.08 else ""
                self.put(0, head + docstring(rng, "", None, self.documents, self.quotes) + "\n" * pick(rng, (1, 2, 2, 2, 3)))
        first = next((node for node in body if not documents(node) and
                      getattr(node, "module", None) != "__future__"), None)
        if first is None or first.col_offset:
            return
        new = []
        if self.draw("imports"):
            offered = IMPORTS if self.entry is None else IMPORTS + IMPORTS_ENTRY
            for _ in range(pick(rng, (1, 1, 2, 3))):
                text = pick(rng, offered)
                if text not in new and self.known.isdisjoint(re.findall(r"\w+", text)[1:]):
                    new.append(text)
        if self.entry is not None and self.draw("data"):
            text = data(rng, self.known)
            new += ["", text] if new and text else [text] if text else []
        if new:
            self.added += new
            self.put(self.starts[row_of(first) - 1], "\n".join(new) + "\n" * pick(rng, (1, 2, 2, 3)))
        if self.entry is not None and self.draw("main") and "__name__" not in self.known and "\n" not in self.entry:
            # Code that only runs by hand: the recording runs the entry.
            form = pick(rng, ("print(%s)", "print(%s)", "%s", "result = %s\n    print(result)"))
            text = "if __name__ == '__main__':\n    " + form % self.entry
            self.added.append(text)
            self.put(len(self.raw), "\n" * pick(rng, (0, 1, 2, 2)) + text + "\n")

    def replaced(self, node, new):
        start, end = self.at(node)
        return start, new, end

    # ------------------------------------------------------------ statements

    def block(self, body, indent):
        for at, node in enumerate(body):
            if type(node) in (ast.ExceptHandler, ast.match_case):
                self.nested(node, indent)
                continue
            start = self.starts[row_of(node) - 1]
            line = self.raw[start:self.starts[node.lineno]]
            indent = len(line) - len(line.lstrip(b" "))
            if indent == node.col_offset and row_of(node) not in self.joined:
                self.above(node, start, indent)
                if self.rates["semicolons"] and at + 1 < len(body):
                    self.join(node, body[at + 1])
            self.statement(node, indent)

    def above(self, node, start, indent):
        """Adds blank lines and comments before a statement."""
        rng, pad, text = self.rng, " " * indent, ""
        definition = type(node) in DEFINITIONS
        if self.raw[start + indent:start + indent + 4] == b"elif" or documents(node):
            return
        if self.draw("blanks") and (not indent or rng.random() < 0.3):
            text += "\n" * (3 + int(rng.random() * 4)) if start else ""
        if not indent and (definition or rng.random() < 0.3) and self.draw("rules"):
            text += rule(rng) + "\n" * pick(rng, (1, 1, 2))
        if self.draw("comments"):
            text += own_line(rng, pad, pick(rng, (1, 1, 1, 1, 2, 2, 3, 4)))
        if self.draw("dead"):
            lines = [line for line in self.raw.decode().split("\n") if line.strip() and '"""' not in line]
            first = int(rng.random() * len(lines))
            for line in lines[first:first + pick(rng, (1, 1, 2, 3))]:
                text += pad + pick(rng, ("# ", "# ", "#")) + line.strip() + "\n"
        if text:
            self.put(start, text)

    def join(self, node, after):
        """Joins two short statements on one line."""
        if type(node) in SHORT and type(after) in SHORT and node.end_lineno + 1 == after.lineno and \
                after.lineno == after.end_lineno and not documents(node) and self.draw("semicolons"):
            start, end = self.at(node)[1], self.at(after)[0]
            if not self.raw[start:end].strip() and end - start < 20 and node.end_lineno == node.lineno and \
                    self.at(after)[1] - self.at(node)[0] < 70:
                self.put(start, "; ", end)
                self.joined.update((node.lineno, after.lineno))

    def statement(self, node, indent):
        kind = type(node)
        if kind in SIMPLE:
            value = getattr(node, "value", None)
            if node.lineno not in self.joined:
                if kind is ast.Assert:
                    self.expression(node.test, indent)
                elif value is not None and not documents(node):
                    self.value(value, indent, kind is not ast.Expr)
                end = self.at(node)[1]
                if self.raw[end:end + 1] == b"\n" and not documents(node) and self.draw("ends"):
                    self.put(end, "  " + remark(self.rng))
            return
        if kind in DEFINITIONS:
            self.definition(node, indent)
        elif kind in (ast.If, ast.While):
            self.value(node.test, indent)
        elif kind in (ast.For, ast.AsyncFor):
            self.expression(node.iter, indent)
        self.nested(node, indent)

    def nested(self, node, indent):
        for field in BLOCKS:
            body = getattr(node, field, None)
            if body:
                self.block(body, indent)
        body = getattr(node, "body", None)
        if body and type(node) is not ast.match_case and self.rates["ends"]:
            end = self.starts[node.lineno] - 1
            if self.raw[end - 1:end] == b":" and body[0].lineno > node.lineno and self.draw("ends"):
                self.put(end, "  " + remark(self.rng))

    def definition(self, node, indent):
        body = node.body
        first = body[0]
        if self.draw("docs") and row_of(first) > node.lineno:
            pad = " " * first.col_offset
            text = docstring(self.rng, pad, node, self.documents, self.quotes)
            if not documents(first):
                self.put(self.starts[row_of(first) - 1], pad + text + "\n" * pick(self.rng, (1, 1, 1, 2)))
            elif first.lineno == first.end_lineno and self.rng.random() < 0.5:
                self.put(*self.replaced(first, text))
        if type(node) is ast.ClassDef:
            return
        if row_of(first) > node.lineno:
            self.header(node, indent)

    def header(self, node, indent):
        """Adds hints, and breaks parameters over several lines."""
        args = node.args
        named = args.posonlyargs + args.args
        plain = not (args.posonlyargs or args.vararg or args.kwonlyargs or args.kwarg)
        spans = [self.at(arg) for arg in named]
        free = len(named) - len(args.defaults)
        hints = self.rates["hints"] and not node.returns and not any(arg.annotation for arg in named)
        passed = self.arguments.get(node.name, ())
        for i, arg in enumerate(named):
            value = args.defaults[i - free] if i >= free else None
            if hints and arg.arg not in ("self", "cls") and self.draw("hints"):
                text = hint_of(self.rng, arg.arg, value or (passed[i] if i < len(passed) else None), self.bound)
                if text:
                    self.put(spans[i][1], ": " + text)
                    if value and self.at(value)[0] == spans[i][1] + 1:
                        self.put(spans[i][1], " = ", spans[i][1] + 1)
            if value:
                spans[i] = (spans[i][0], self.at(value)[1])
        line = self.raw[self.starts[node.lineno - 1]:self.starts[node.lineno] - 1]
        close = self.starts[node.lineno] - 3
        if not line.endswith(b"):"):
            return
        if hints and self.draw("hints"):
            text = returned(node, self.bound)
            if text:
                self.put(close + 1, " -> " + text)
        if plain and spans and spans[-1][1] == close and close - spans[0][0] > self.long // 2 and self.draw("breaks"):
            self.bracket(spans[0][0], spans, close, indent, True, None)
