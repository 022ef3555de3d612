"""Texts between the lines of a program, as people write them: comments, docstrings,
hints."""

import ast
import re

from . import words
from .words import pick

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
IMPORTS = ("import os", "import sys", "import math", "import collections", "import typing", "import re", "import itertools",
           "from collections import defaultdict", "from collections import Counter, deque", "from math import sqrt",
           "from functools import reduce", "from typing import Any")
# Imports of values that a recording of the module would show.
IMPORTS_ENTRY = ("from typing import List, Optional", "from typing import Dict, List", "from math import pi")
STOCK = ("TODO", "TODO: tidy up", "FIXME", "noqa", "type: ignore", "see above", "edge case", "not reached?", "in place",
         "O(n)", "copy", "result", "1-based", "pylint: disable=invalid-name", "---", "why?", "base case")
KINDS = (("str", "s text string word name line key prefix sep msg message label title sub char ch token"),
         ("int", "n i j k count size limit step depth index idx num start end total width m x y"),
         ("list[int]", "nums xs numbers values lst arr data vals seq array"),
         ("list[str]", "words lines names tags parts tokens strs"),
         ("dict[str, int]", "d counts mapping table scores dic freq dct"),
         ("list[list[int]]", "matrix grid rows board"), ("bool", "flag strict verbose reverse"))
OF_NAME = {name: kind for kind, names in KINDS for name in names.split()}
OF_RESULT = {ast.JoinedStr: "str", ast.Compare: "bool", ast.List: "list", ast.ListComp: "list", ast.Dict: "dict",
             ast.DictComp: "dict", ast.Set: "set", ast.Tuple: "tuple"}


def documents(node):
    return type(node) is ast.Expr and type(node.value) is ast.Constant and type(node.value.value) is str


def clean(rng):
    """Returns some words that may be in any comment or docstring."""
    return words.sentence(rng).strip().replace("\\", "/").replace('"', "'")


def sentence(rng, most=3):
    text = " ".join(clean(rng) for _ in range(1 + int(rng.random() * most)))
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?" else ".")


def remark(rng):
    """Returns a comment for the end of a line."""
    return "# " + (pick(rng, STOCK) if rng.random() < 0.2 else clean(rng))


def own_line(rng, pad, rows):
    """Returns comments on lines of their own."""
    mark = pick(rng, ("# ", "# ", "# ", "# ", "#", "## ", "#: "))
    return "".join(pad + mark + (clean(rng) if rng.random() < 0.8 else pick(rng, STOCK)) + "\n" for _ in range(rows))


def rule(rng):
    """Returns a line that separates sections."""
    line = "# " + pick(rng, "--=*#~") * pick(rng, (10, 20, 40, 60, 70, 77))
    title = clean(rng)[:40]
    form = rng.random()
    if form < 0.3:
        return line + "\n"
    if form < 0.6:
        return f"{line}\n# {title}\n{line}\n"
    if form < 0.85:
        return f"# {line[2] * pick(rng, (3, 4, 8))} {title} {line[2] * pick(rng, (3, 8, 30))}\n"
    return f"{line}\n# {title.upper()}\n"


def data(rng, known):
    """Returns a constant over several lines that nothing reads, or None."""
    name = pick(rng, ("DATA", "TEXT", "SAMPLE", "USAGE", "TEMPLATE", "EXAMPLE", "INPUT"))
    if name in known:
        return None
    lines = [clean(rng) if rng.random() < 0.6 else words.joined(rng).replace("\\", "/").replace('"', "") for _ in
             range(2 + int(rng.random() * 5))]
    return f'{name} = """' + pick(rng, ("", "\\\n", "\n")) + "\n".join(lines) + pick(rng, ("", "\n")) + '"""'


def docstring(rng, pad, node, style, quotes):
    """Returns a docstring as a literal, without the indentation of its first line. node
    is the function or class that it describes; None for a module."""
    summary = sentence(rng, 2)
    if rng.random() < (0.45 if node else 0.35):
        return quotes + pick(rng, ("", "", "", " ")) + summary + quotes
    arguments = node.args.posonlyargs + node.args.args if type(node) in FUNCTIONS else ()
    names = [arg.arg for arg in arguments if arg.arg not in ("self", "cls")]
    if style == "any":
        style = pick(rng, ("google", "plain", "sphinx", "numpy"))
    lines = []
    for _ in range(pick(rng, (0, 0, 1, 1, 2))):
        lines.append("")
        lines += [sentence(rng) for _ in range(pick(rng, (1, 1, 2, 3)))]
    if type(node) in FUNCTIONS and rng.random() < 0.8:
        lines += parameters(rng, names, style)
    elif rng.random() < 0.4:
        lines += ["", *(pick(rng, ("- ", "* ")) + clean(rng) for _ in range(2 + int(rng.random() * 3)))]
    if node and rng.random() < 0.3:
        values = ", ".join(pick(rng, ("2", "[1, 2]", "'ab'", "0", "[]", "''")) for _ in names)
        lines += ["", ">>> %s(%s)" % (node.name, values), repr(words.scalar(rng) or 0).replace("\\", "/").replace('"', "'")]
    if not lines:
        lines = ["", sentence(rng)]
    lines = lines[:12]
    if rng.random() < 0.25:
        lines.insert(0, summary)
        summary = ""
    text = "".join("\n" + (pad + line if line else "") for line in lines)
    return quotes + summary + text + (quotes if rng.random() < 0.12 and text[-1] != quotes[0] else "\n" + pad + quotes)


def parameters(rng, names, style):
    """Returns the lines about the parameters and the result in one of the usual styles."""
    told = [(name, clean(rng)) for name in names]
    result = clean(rng)
    if style == "sphinx":
        return ["", *(f":param {name}: {text}" for name, text in told), f":return: {result}"]
    if style == "google":
        head = ["", "Args:", *(f"    {name}: {text}" for name, text in told)] if told else []
        return head + ["", "Returns:", "    " + result]
    if style == "numpy":
        head = ["", "Parameters", "----------"] if told else []
        for name, text in told:
            head += [f"{name} : {OF_NAME.get(name, 'object')}", "    " + text]
        return head + ["", "Returns", "-------", result]
    return ["", sentence(rng)]


def bound(tree):
    """Returns the names that a program binds anywhere. A type with one of these names is not used
    as a hint."""
    found = set()
    for node in ast.walk(tree):
        if type(node) is ast.Name:
            if type(node.ctx) is not ast.Load:
                found.add(node.id)
        else:
            for field in ("name", "asname", "arg", "rest"):
                name = getattr(node, field, None)
                if type(name) is str:
                    found.add(name)
    return found


def hint_of(rng, name, value, bound):
    """Returns a type hint for a parameter, which follows from the passed value or from the
    parameter's name. Returns None if neither suggests one, or if the program uses the names in
    the type for something else."""
    text = OF_NAME.get(name)
    if value is not None:
        try:
            text = kind_of(ast.literal_eval(value))
        except (ValueError, TypeError, SyntaxError):
            pass
    if text and rng.random() < 0.1:
        text = text.split("[")[0]
    return text if text and safe(text, bound) else None


def kind_of(value):
    kind = type(value)
    if value is None:
        return None
    if kind is dict and value:
        key, one = next(iter(value.items()))
        return "dict[%s, %s]" % (kind_of(key) or "object", kind_of(one) or "object")
    if kind in (list, set) and value:
        return "%s[%s]" % (kind.__name__, kind_of(next(iter(value))) or "object")
    return kind.__name__


def safe(text, bound):
    return bound.isdisjoint(re.findall(r"\w+", text))


def returned(node, bound):
    """Returns the type hint for a function's result if all its returns have the same
    type, or if it returns nothing; otherwise None."""
    kinds, stack = set(), list(node.body)
    while stack:
        one = stack.pop()
        if isinstance(one, (*DEFINITIONS, ast.Lambda)):
            continue
        if isinstance(one, (ast.Yield, ast.YieldFrom)):
            return None
        if type(one) is ast.Return:
            value = one.value
            kinds.add("None" if value is None else type(value.value).__name__ if type(value) is ast.Constant and
                      value.value is not None else OF_RESULT.get(type(value), "?"))
        stack.extend(ast.iter_child_nodes(one))
    text = kinds.pop() if len(kinds) == 1 else "?" if kinds else "None"
    return text if text.isidentifier() and safe(text, bound) else None
