"""Adds definitions that a program does not use, so that it looks like a file with several
functions.

surrounded(rng, program, other) puts the definitions of another program before or after those of
program. The same code runs, but with other line numbers, and a reader has to find the function
that is called. A script, whose definitions are events themselves, gets only one definition.
"""

import ast
import re

from ..program import Program

# Code that could notice other names in its module, or other lines before its own.
NOTICES = re.compile(r"\b(?:globals|locals|vars|dir|exec|eval|lineno|traceback|inspect|__code__|__file__|_getframe|"
                     r"__future__|__name__|__main__)\b|[\f\r]")


def surrounded(rng, program, other):
    """Returns the program with definitions of other around it. If the two share names, it returns
    the program unchanged."""
    if NOTICES.search(program.source) or NOTICES.search(other.source):
        return program
    try:
        ours, theirs = ast.parse(program.source), ast.parse(other.source)
    except SyntaxError:
        return program
    if not all(type(node) in (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef) for node in theirs.body):
        return program
    if bound(theirs) & named(ours) or bound(ours) & named(theirs):
        return program
    definitions = [node for node in theirs.body if type(node) in (ast.FunctionDef, ast.ClassDef)]
    if program.entry is None and len(definitions) > 1:
        return program
    imports = [node for node in theirs.body if node not in definitions]
    lines = program.source.splitlines(keepends=True)
    top = "".join(ast.get_source_segment(other.source, node) + "\n" for node in imports)
    rest = "\n\n".join(segment(other.source, node) + "\n" for node in definitions)
    gap = "\n" * rng.choice((1, 2, 2))
    at = head(ours)
    before, after = "".join(lines[:at]), "".join(lines[at:])
    if program.entry is not None and rng.random() < 0.5:
        text = before + top + after + gap + rest
    else:
        text = before + top + (gap if before or top else "") + rest + gap + after.lstrip("\n")
    try:
        ast.parse(text)
    except SyntaxError:
        return program
    return Program(text, program.entry, program.family)


def bound(tree):
    """Returns the names that a module's own statements bind."""
    names = set()
    for node in tree.body:
        if type(node) in (ast.Import, ast.ImportFrom):
            names.update(alias.asname or alias.name.split(".")[0] for alias in node.names)
        elif type(node) in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            names.add(node.name)
        else:
            names.update(inner.id for inner in ast.walk(node) if type(inner) is ast.Name and type(inner.ctx) is ast.Store)
    return names


def named(tree):
    """Returns all names of a module, wherever they are bound or used."""
    names = bound(tree)
    for node in ast.walk(tree):
        if type(node) is ast.Name:
            names.add(node.id)
        elif type(node) is ast.arg:
            names.add(node.arg)
        elif type(node) in (ast.FunctionDef, ast.ClassDef):
            names.add(node.name)
    return names


def head(tree):
    """Returns the number of lines of the docstring and the imports at a module's
    beginning."""
    at = 0
    for i, node in enumerate(tree.body):
        documents = i == 0 and type(node) is ast.Expr and type(node.value) is ast.Constant and type(node.value.value) is str
        if not documents and type(node) not in (ast.Import, ast.ImportFrom):
            break
        at = node.end_lineno
    return at


def segment(source, node):
    """Returns the text of a definition, including its decorators."""
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return "\n".join(source.split("\n")[first - 1:node.end_lineno])
