"""Finds functions that run alone, in the standard library and elsewhere, with calls.

It selects the functions of a file that need only constants, small helper functions and imports
of pure modules. Then it tries calls of them in a process of its own (see maker.worker), which
`npdb dataset harvest` starts. A record is one function with the calls that worked.
"""

import ast
import random

from . import real_tests, real_trial
from .real_inputs import Hints, examples
from .real_source import Module, assemble, free_names, with_needs


def programs(text):
    """Yields (function's name, source, hints, doctest calls, whether it yields) of one
    file."""
    try:
        module = Module(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for function, drop_self in module.candidates():
        if drop_self:
            first = function.args.args.pop(0)
        hints = Hints(function)
        if drop_self:
            function.args.args.insert(0, first)
        if not hints.possible:
            continue
        try:
            source = assemble(module, function, drop_self)
        except (SyntaxError, ValueError, RecursionError):
            continue
        if source is None:
            continue
        yields = _yields(function)
        yield (function.name, source, hints,
               examples(ast.get_docstring(function), function.name), yields)


def _yields(node):
    """Returns whether the function itself, not one inside it, is a generator."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(child, (ast.FunctionDef, ast.Lambda)) and \
                _yields(child):
            return True
    return False


def work(text, relative, skip, write):
    """Tries the functions of one file, except the first `skip` ones. It passes write()
    the number of each function before it is tried, and the result afterwards."""
    real_trial.confine()
    index = -1
    for index, (name, source, hints, seeds, yields) in \
            enumerate(programs(text)):
        if index < skip:
            continue
        write({"at": index})
        rng = random.Random("%s:%s:%d" % (relative, name, index))
        calls, events = real_trial.trial(rng, name, source, hints, seeds,
                                         yields)
        if calls:
            write({"origin": relative + ":" + name, "events": events,
                   "source": source, "calls": calls})
    for source in test_scripts(text, relative):
        index += 1
        if index >= skip:
            write({"at": index})
            events = real_trial.trial_script(source)
            if events > 4:
                write({"origin": relative, "events": events, "source": source,
                       "calls": [None]})


def test_scripts(text, relative):
    """Yields the sources of the scripts made of one file's test methods."""
    try:
        module = Module(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    rng = random.Random(relative)
    for chunk in real_tests.scripts(rng, module.tree, relative):
        try:
            body = ast.unparse(ast.Module(chunk, [])) + "\n"
            need = free_names(body)
            source = with_needs(module, body, need, ()) if need is not None \
                else None
        except (SyntaxError, ValueError, RecursionError, AttributeError):
            continue
        if source and source.count("\n") < 50:
            yield source
