"""Changes the meaning of programs, so that the templates of the generators are not recognisable in
the data.

Every edit replaces a range of the text that the syntax tree determines, so layout and comments
are kept. The result compiles; the caller must check whether it runs and ends.
"""

import ast

from . import mutate_insert, mutate_values
from .mutate_sites import Sites
from ..program import Program
from .rename import rename


def mutate(rng, program, edits=None):
    """Returns the program with one to three edits, other inputs and other names."""
    source, entry = program.source, program.entry
    roll = rng.random()
    if edits is None:
        edits = 0 if roll < 0.08 else 1 if roll < 0.5 else 2 if roll < 0.8 \
            else 3
    if edits:
        source = _edited(rng, source, edits, entry)
    if entry and rng.random() < 0.5:
        try:
            entry = mutate_values.vary_call(rng, entry)
        except (SyntaxError, ValueError):
            pass
    try:
        if rng.random() < 0.4:
            source, entry = rename(rng, source, entry, 0.3 + rng.random() * 0.7)
        if rng.random() < 0.2:
            source = ast.unparse(ast.parse(source)) + "\n"
        compile(source, "<mutated>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return program
    return Program(source, entry, program.family)


def _edited(rng, source, edits, entry):
    tree = ast.parse(source)
    found = Sites(rng, source, tree)
    cuts = []
    roll = rng.random()
    new = None
    if entry and roll < 0.4:
        new = mutate_insert.at_start(rng, tree, found.lines, entry)
    elif roll < 0.55:
        new = mutate_insert.at_loop(rng, tree, found.lines)
    if new:
        start = found.starts[new[0]]
        cuts.append((start, start, new[1].encode("utf-8", "backslashreplace")))
    sites = found.sites if len(cuts) < edits else []
    weights = [site[0] for site in sites]
    for _, node, make, args in rng.choices(
            sites, weights, k=edits * 2) if sites else ():
        if len(cuts) >= edits:
            break
        if type(node) is tuple:
            start, end, new = make(node, *args)
        else:
            new = make(node, *args)
            if new is None:
                continue
            if type(new) is tuple:
                start, end, new = new
            else:
                start, end = found.at(node)
                new = new.encode("utf-8", "backslashreplace")
        if new == found.raw[start:end] or any(
                start < other_end and other_start < end
                for other_start, other_end, _ in cuts):
            continue
        cuts.append((start, end, new))
    raw = found.raw
    for start, end, new in sorted(cuts, reverse=True):
        raw = raw[:start] + new + raw[end:]
    text = raw.decode()
    try:
        compile(text, "<mutated>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return source
    return text
