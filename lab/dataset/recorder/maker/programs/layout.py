"""Gives programs the layout of code that people write: docstrings, comments, blank lines,
statements over several lines.

dressed(rng, program) changes the layout of a program but not what it computes. Every edit
replaces a range of the text that the syntax tree determines, and all edits are applied at once.
Then the result is parsed and compared with the tree before. If they differ, the original
program is returned. The comparison ignores docstrings, hints and additions (unused imports, an
unused constant, a driver that does not run), because these differences are intended. A list of
strings may also become a text that is split into the same list.
"""

import ast
import re

from .layout_statements import Dress
from .layout_texts import DEFINITIONS, FUNCTIONS, documents
from ..program import Program
from .words import pick

# The probability of each feature in a program, and how often it is then applied at a
# possible position.
FEATURES = {
    "module_doc": (0.3, 1, 1),
    "docs": (0.45, 0.3, 1),
    "comments": (0.45, 0.04, 0.35),
    "ends": (0.35, 0.04, 0.35),
    "dead": (0.15, 0.03, 0.15),
    "rules": (0.15, 0.1, 0.9),
    "blanks": (0.22, 0.03, 0.4),
    "hints": (0.25, 0.5, 1),
    "breaks": (0.6, 0.15, 0.9),
    "operators": (0.35, 0.15, 0.9),
    "chains": (0.35, 0.2, 0.9),
    "parens": (0.2, 0.05, 0.4),
    "concat": (0.3, 0.2, 0.8),
    "backslash": (0.07, 0.2, 0.7),
    "triple": (0.8, 0.5, 1),
    "listed": (0.2, 0.3, 1),
    "semicolons": (0.06, 0.1, 0.4),
    "imports": (0.1, 1, 1),
    "data": (0.1, 1, 1),
    "main": (0.25, 1, 1),
}
# Code that could notice the edits: texts of the program about itself, and counts of its
# names.
NOTICES = re.compile(r"__doc__|__annotations__|lineno|traceback|inspect|__code__|__file__|_getframe|"
                     r"\b(?:globals|locals|vars|dir|exec|eval|help|signature|stacklevel|doctest)\b|[\f\r]")
# Code that copies a function's docstring and hints to where a recording shows them.
CARRIES = re.compile(r"\b(?:lru_cache|cache|cached_property|update_wrapper|contextmanager|singledispatch|"
                     r"singledispatchmethod|get_type_hints|__future__|__dict__)\b")


def dressed(rng, program, features=FEATURES):
    """Returns the program in another layout, or the same program if that is impossible."""
    if NOTICES.search(program.source):
        return program
    try:
        source = program.source
        rates = {name: low + rng.random() * (high - low) if rng.random() < chance else 0.0
                 for name, (chance, low, high) in features.items()}
        if CARRIES.search(source):
            rates["docs"] = rates["hints"] = 0.0
        tree = ast.parse(source)
        if rates["main"] and program.entry is None:
            source, tree = guarded(rng, source, tree)
        dress = Dress(rng, rates, source, tree, program.entry)
        text = dress.text()
        if not same(tree, without(ast.parse(text), dress.added)):
            return program
        return Program(text, program.entry, program.family)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program


def same(a, b):
    """Returns whether two trees differ only in positions, docstrings and hints of
    functions."""
    stack = [(a, b)]
    while stack:
        a, b = stack.pop()
        kind = type(a)
        if kind is not type(b):
            if kind is ast.List and spelled(a) == spelled(b):
                continue
            return False
        if kind is list:
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b))
        elif kind is ast.Name:
            if a.id != b.id:
                return False
        elif kind is ast.Constant:
            if type(a.value) is not type(b.value) or a.value != b.value and repr(a.value) != repr(b.value):
                return False
        elif isinstance(a, ast.AST):
            for field in a._fields:
                x, y = getattr(a, field, None), getattr(b, field, None)
                if x is y or field == "ctx" or field == "annotation" and kind is ast.arg or \
                        field == "returns" and kind in FUNCTIONS:
                    continue
                if field == "body" and kind in (*DEFINITIONS, ast.Module):
                    x, y = undocumented(x), undocumented(y)
                stack.append((x, y))
        elif a != b:
            return False
    return True


def spelled(node):
    """Returns a list of strings: the elements of a list, or the parts of a text that
    the code splits."""
    if type(node) is ast.List:
        return [getattr(item, "value", None) for item in node.elts]
    if type(node) is ast.Call and type(node.func) is ast.Attribute and not node.args + node.keywords and \
            type(node.func.value) is ast.Constant and type(node.func.value.value) is str:
        text = node.func.value.value
        return text.split() if node.func.attr == "split" else \
            text.splitlines() if node.func.attr == "splitlines" else None
    return None


def undocumented(body):
    return body[1:] if body and documents(body[0]) else body


def without(tree, added):
    """Returns the tree without the statements that were added to the module. added is
    their source."""
    if added:
        known = [ast.dump(node) for node in ast.parse("\n".join(added)).body]
        body = []
        for node in tree.body:
            text = ast.dump(node) if type(node) in (ast.Import, ast.ImportFrom, ast.Assign, ast.If) else None
            if text in known:
                known.remove(text)
            else:
                body.append(node)
        tree.body = body
    return tree


def guarded(rng, source, tree):
    """Returns the source and the tree with everything after the last definition under
    `if __name__ == …`."""
    at = max((i for i, node in enumerate(tree.body) if type(node) in DEFINITIONS), default=-1) + 1
    tail = tree.body[at:]
    if not at or not tail or "__name__" in source or tail[0].col_offset or \
            any(type(node) in (ast.Import, ast.ImportFrom) for node in tail):
        return source, tree
    kept = set()        # lines that begin inside a string are not indented
    for node in tail:
        if node.end_lineno > node.lineno:
            for part in ast.walk(node):
                if type(part) in (ast.Constant, ast.JoinedStr):
                    kept.update(range(part.lineno + 1, part.end_lineno + 1))
    lines = source.split("\n")
    first = tail[0].lineno
    if lines[first - 1][:1].isspace() or tail[0].lineno == tree.body[at - 1].end_lineno:
        return source, tree
    for row in range(first, len(lines) + 1):
        if row not in kept and lines[row - 1].strip():
            lines[row - 1] = "    " + lines[row - 1]
    quote = pick(rng, "\"\"'")
    lines.insert(first - 1, f"if __name__ == {quote}__main__{quote}:")
    text = "\n".join(lines)
    other = ast.parse(text)
    last = other.body[-1]
    if type(last) is ast.If and same(tree.body[:at], other.body[:-1]) and same(tail, last.body):
        return text, other
    return source, tree
