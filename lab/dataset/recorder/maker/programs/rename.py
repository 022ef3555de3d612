"""Renames a program's identifiers consistently and keeps its layout."""

import ast
import builtins
import keyword
import re

from . import words

_FIXED = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | \
    frozenset(("self", "cls", "_"))
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


class Names:
    """Finds the positions of each identifier of a module, and which of them may change."""

    def __init__(self, source, tree):
        self.places = {}        # name -> [(line, column in bytes)]
        self.locals = set()     # names that are bound as parameters or by assignment
        self.functions = {}     # function name -> its def's position
        self.fixed = set()
        self.used = set(_IDENTIFIER.findall(source))
        self._visit(tree)
        self.fixed |= _FIXED

    def _visit(self, tree):
        for node in ast.walk(tree):
            kind = type(node)
            if kind is ast.Name:
                self.places.setdefault(node.id, []).append(
                    (node.lineno, node.col_offset))
                if type(node.ctx) is not ast.Load:
                    self.locals.add(node.id)
            elif kind is ast.arg:
                self.places.setdefault(node.arg, []).append(
                    (node.lineno, node.col_offset))
                self.locals.add(node.arg)
            elif kind is ast.FunctionDef:
                self.functions.setdefault(node.name, []).append(node)
            elif kind is ast.ClassDef:
                self.fixed.add(node.name)
                # Names that are bound in a class body are attributes.
                for inner in node.body:
                    if type(inner) in (ast.FunctionDef, ast.ClassDef):
                        self.fixed.add(inner.name)
                        continue
                    for name in ast.walk(inner):
                        if type(name) is ast.Name:
                            self.fixed.add(name.id)
            elif kind is ast.keyword:
                self.fixed.add(node.arg)
            elif kind in (ast.Import, ast.ImportFrom):
                for alias in node.names:
                    self.fixed.add(alias.asname or alias.name.split(".")[0])
            elif kind in (ast.Global, ast.Nonlocal):
                self.fixed.update(node.names)
            elif kind is ast.ExceptHandler:
                self.fixed.add(node.name)
            elif kind in (ast.MatchAs, ast.MatchStar):
                self.fixed.add(node.name)
            elif kind is ast.MatchMapping:
                self.fixed.add(node.rest)
            elif kind is ast.AsyncFunctionDef:
                self.fixed.add(node.name)
            elif kind is ast.Constant and type(node.value) is str:
                # The string may be a name: getattr, format(**…), __slots__.
                if node.value.isidentifier():
                    self.fixed.add(node.value)
                elif "{" in node.value:
                    self.fixed.update(_IDENTIFIER.findall(node.value))


def rename(rng, source, entry, share=0.6):
    """Returns (source, entry) with about `share` of the identifiers renamed."""
    tree = ast.parse(source)
    found = Names(source, tree)
    lines = source.splitlines(keepends=True)
    raw = [line.encode() for line in lines]
    places = dict(found.places)
    for name, nodes in found.functions.items():
        spots = places.setdefault(name, [])
        for node in nodes:
            match = re.compile(rb"def\s+").match(raw[node.lineno - 1],
                                                 node.col_offset)
            if not match:
                found.fixed.add(name)
                break
            spots = places[name] = spots + [(node.lineno, match.end())]
    if entry:
        call = ast.parse(entry, mode="eval")
        for node in ast.walk(call):
            if type(node) is ast.keyword:
                found.fixed.add(node.arg)
            elif type(node) is ast.Name and node.id not in found.functions:
                found.fixed.add(node.id)
    new = {}
    taken = set(found.used)
    for name in sorted(places):
        if name in found.fixed or name.startswith("__"):
            continue
        if name in found.functions:
            fresh = words.function_name
        elif name in found.locals:
            fresh = words.name
        else:
            continue
        if rng.random() > share:
            continue
        for _ in range(4):
            other = fresh(rng)
            if other not in taken and other not in found.fixed:
                taken.add(other)
                new[name] = other
                break
    edits = []
    for name, other in new.items():
        old, put = name.encode(), other.encode()
        for line, column in places[name]:
            if raw[line - 1][column:column + len(old)] != old:
                return source, entry        # the name is mangled or spelled in an unusual way
            edits.append((line, column, len(old), put))
    # As after every renaming, continuation lines are not aligned again.
    for line, column, size, put in sorted(set(edits), reverse=True):
        text = raw[line - 1]
        raw[line - 1] = text[:column] + put + text[column + size:]
    if entry:
        cuts = sorted({(node.col_offset, node.id) for node in ast.walk(call)
                       if type(node) is ast.Name and node.id in new},
                      reverse=True)
        text = entry.encode()
        for column, name in cuts:
            size = len(name)
            text = text[:column] + new[name].encode() + text[column + size:]
        entry = text.decode()
    return b"".join(raw).decode(), entry
