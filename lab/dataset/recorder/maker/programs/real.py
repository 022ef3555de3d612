"""Functions of the standard library, renamed, with other inputs.

The functions, and calls that work, come from the file that `npdb dataset harvest` writes.
NPDB_REAL is its path.
"""

import ast
import io
import json
import os
import tokenize

from . import words
from .mutate import mutate
from .mutate_values import vary_call
from ..program import Program
from .rename import rename
from .words import pick

_functions = None
_scripts = None


def load(lines=None):
    """Reads the lines of the file, unless they were read before. Raises LookupError if there are
    no lines and no file is named."""
    global _functions, _scripts
    if _functions is not None:
        return
    if lines is None:
        path = os.environ.get("NPDB_REAL")
        if not path:
            raise LookupError("NPDB_REAL is not set")
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
    found = []
    for line in lines:
        record = json.loads(line)
        if "source" in record:
            found.append((record["events"], record["source"], record["calls"]))
    # Sorted by events: the difficulty determines which part of the list is used.
    found.sort(key=lambda record: record[:2])
    functions = [record for record in found if record[2] != [None]]
    if not functions:
        raise LookupError("there are no functions in the file")
    _scripts = [record for record in found if record[2] == [None]]
    _functions = functions


def make(rng, difficulty):
    """Returns a function of real code and a call of it, or the statements of a test."""
    load()
    records = _scripts if _scripts and rng.random() < 0.3 else _functions
    # There are many short functions. The power makes long ones more likely.
    place = rng.random() ** (1 / (1 + 4 * difficulty))
    events, source, calls = records[int(place * len(records))]
    entry = pick(rng, calls)
    if entry is None:
        # The statements of a test, whose inputs are in the text itself.
        if rng.random() < 0.6:
            source = ast.unparse(_Show(rng).visit(ast.parse(source))) + "\n"
            source = mutate(rng, Program(source, None, "real"),
                            1 + int(rng.random() * 3)).source
    elif rng.random() < 0.6:
        entry = vary_call(rng, entry)
    if rng.random() < 0.85:
        source, entry = rename(rng, source, entry, 0.2 + rng.random() * 0.8)
    if entry and events < 40 and rng.random() < 0.15:
        source, entry = _script(rng, source, entry, events), None
    roll = rng.random()
    if roll < 0.45:
        source = ast.unparse(ast.parse(source)) + "\n"
    elif roll < 0.7 and "#" in source:
        source = without_comments(source)
    return Program(source, entry, "real")


def _script(rng, source, entry, events):
    """Returns the module with calls of the function at its end."""
    lines, names = [], words.names(rng, 3)
    for turn in range(1 + int(rng.random() * min(3, 70 // events))):
        call = vary_call(rng, entry) if turn else entry
        roll = rng.random()
        lines.append("print(%s)" % call if roll < 0.3 else
                     "%s = %s" % (names[turn], call))
    if rng.random() < 0.15:
        lines = ["if __name__ == '__main__':"] + ["    " + line
                                                  for line in lines]
    return source + pick(rng, ("\n\n", "\n", "")) + "\n".join(lines) + "\n"


class _Show(ast.NodeTransformer):
    """Turns most assertions into assignments, because they would fail after an edit."""

    def __init__(self, rng):
        self.rng = rng

    def visit_Assert(self, node):
        test = node.test
        if self.rng.random() < 0.15:
            return node
        if type(test) is ast.Compare and type(test.ops[0]) is ast.Eq:
            test = test.left
        if self.rng.random() < 0.2:
            return ast.parse("print(%s)" % ast.unparse(test)).body
        name = pick(self.rng, ("r", "res", "got", "ok", "out", "value"))
        return ast.parse("%s = %s" % (name, ast.unparse(test))).body


def without_comments(source):
    """Returns the source without its comments and without lines that had nothing else."""
    lines = source.splitlines(keepends=True)
    drop = set()
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return source
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row, column = token.start
            rest = lines[row - 1][:column].rstrip()
            lines[row - 1] = rest + "\n"
            if not rest:
                drop.add(row - 1)
    return "".join(line for at, line in enumerate(lines) if at not in drop)
