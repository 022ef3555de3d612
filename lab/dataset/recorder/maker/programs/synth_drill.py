"""Drills: one to four statements about one operation, with arguments that affect the result.

All templates are equally likely here, so that rare methods occur too.
"""

from . import words
from .synth_core import Maker, Retry
from .synth_methods import methods
from .synth_tables import PLAIN_TABLE, TABLES
from .synth_values import draw, literal

_NEEDS = {"r", "v", "w"}
_TEMPLATES = [(kind, pieces) for kind, table in TABLES.items() for _, pieces in table[1] if len(pieces) > 1]
_TEMPLATES += [(kind, pieces) for kind in ("str", "str", "ls", "int", "bool", "dsi", "li") for _, pieces in TABLES[kind][1] if len(pieces) > 1]
_SETS = [(kind, pieces) for kind, pieces in _TEMPLATES if "r:si" in pieces or "r:fs" in pieces]
_CHANGES = [pieces for _, pieces in PLAIN_TABLE[1] if pieces[0].startswith("del") or any(one.startswith("v:") for one in pieces[1::2])]
METHODS = 0.4  # the share of drills that use the table of all methods
_GROUPED = {"sized": ("str", "li", "dsi", "ls"), "seq": ("str", "li", "ls")}


def _kinds(rng, pieces):
    """Returns types for the variables that a template uses."""
    found = []
    for one in pieces[1::2]:
        what, _, of = one.partition(":")
        if what in _NEEDS and of:
            found.append(rng.choice(_GROUPED[of]) if of in _GROUPED else of)
        elif what == "var":
            found.append(of or rng.choice(("str", "int")))
        elif what.partition("@")[0] in ("int", "str", "bool", "float", "li", "ls", "si"):
            found.append(what.partition("@")[0])
    kept = list(dict.fromkeys(found))
    if "w:int" in pieces or "w:str" in pieces:
        kept += kept[:1]
    return kept[:3] or ["str"]


class _Drill:
    """The variables of a drill with their values, and the statements that use them."""

    def __init__(self, rng, quote, kinds):
        self.rng = rng
        self.maker = Maker(rng, 0.0, quote)
        self.names, self.values, self.kinds = [], [], kinds
        for kind in kinds:
            name = self.maker.name(kind, parameter=True)
            value = draw(rng, kind)
            if kind in ("str", "li", "ls", "dsi", "dss", "dis", "dsl", "si", "fs", "by", "ll", "lp") and not value and rng.random() < 0.6:
                value = draw(rng, kind)
            self.names.append(name)
            self.values.append(value)
            self.maker.bind(name, kind, value)
        self.values = [self.maker.env[name] for name in self.names]
        self.shown = [literal(value, quote) for value in self.values]
        self.lines = []
        self.last = None

    def assign(self, kind, source, level=9):
        """Assigns an expression's value to a name."""
        name = self.maker.name(kind)
        self.maker.fresh = [(name, kind)]
        if not self.maker.commit([f"{name} = {source}"]):
            return False
        self.lines.append(f"{name} = {source}")
        self.last = name
        return True


def _expression(rng, quote):
    """Returns a drill of one expression, perhaps with further statements on its result."""
    kind, pieces = rng.choice(_SETS if rng.random() < 0.12 else _TEMPLATES)
    made = _Drill(rng, quote, _kinds(rng, pieces))
    if not made.assign(kind, made.maker.fill(pieces, 1)):
        raise Retry
    _more(rng, made, (0, 0, 0, 1, 1, 2))
    return made


def _change(rng, quote):
    """Returns a drill of one template that changes a value in place, filled one to three times."""
    pieces = rng.choice(_CHANGES)
    made = _Drill(rng, quote, _kinds(rng, pieces))
    done = 0
    for _ in range(rng.choice((1, 1, 2, 3))):
        made.maker.fresh = []
        try:
            source = made.maker.fill(pieces, 1)
        except Retry:
            continue
        if made.maker.commit([source]):
            made.lines.append(source)
            done += 1
    if not done:
        raise Retry
    _more(rng, made, (0, 0, 1))
    return made


def _more(rng, made, counts):
    """Adds some further statements about the existing variables."""
    for _ in range(rng.choice(counts)):
        found = made.maker.plain(1)
        if found:
            made.lines += found


def _chain(rng, quote):
    """Returns two to four methods of a string, chained or one after the other."""
    made = _Drill(rng, quote, ["str", "str"] if rng.random() < 0.25 else ["str"])
    name = made.names[0]
    steps = [pieces for _, pieces in TABLES["str"][1] if len(pieces) > 1 and pieces[0] == "" and pieces[1] == "r:str" and pieces[2].startswith((".", "["))]
    chained = rng.random() < 0.4
    source = name
    for _ in range(rng.randint(2, 4)):
        pieces = rng.choice(steps)
        if chained:
            got = [source, made.maker.value(source), "str"]
            source += pieces[2] + "".join(one if at % 2 else made.maker.hole(one, 1, got, [], None) for at, one in enumerate(pieces[3:]))
            if not isinstance(made.maker.value(source), str):
                raise Retry
        else:
            text = f"{name} = " + "".join(one if at % 2 == 0 else name if one == "r:str" else made.maker.hole(one, 1, [name, made.maker.env[name], "str"], [name], None) for at, one in enumerate(pieces))
            made.maker.fresh = []
            if made.maker.commit([text]):
                made.lines.append(text)
    if chained and not made.assign("str", source):
        raise Retry
    made.last = made.last or name
    return made


def _figures(rng):
    """Returns a number for arithmetic with a few digits."""
    return rng.choice((rng.randint(2, 12), rng.randint(10, 99), rng.randint(10, 99), rng.randint(100, 999), rng.randint(1000, 9999), -rng.randint(2, 99)))


def _arithmetic(rng, quote):
    """Returns sums, products, quotients and bit operations of numbers with up to four
    digits."""
    made = _Drill(rng, quote, ["int", "int"] if rng.random() < 0.7 else ["int", "int", "int"])
    for place, name in enumerate(made.names):
        value = _figures(rng)
        made.values[place] = made.maker.env[name] = value
        made.shown[place] = str(value)
    for _ in range(rng.choice((1, 1, 2, 3))):
        a, b = rng.choice(made.maker.pool("int")), rng.choice([*made.maker.pool("int"), str(_figures(rng))])
        c = rng.choice([*made.maker.pool("int"), str(rng.randint(2, 20))])
        source = rng.choice((
            f"{a} * {b}", f"{a} * {b}", f"{a} + {b}", f"{a} - {b}", f"{a} // {c}", f"{a} % {c}", f"-{a} // {c}", f"-{a} % {c}", f"{a} + {b} * {c}",
            f"({a} + {b}) * {c}", f"{a} - {b} // {c}", f"{a} & {b}", f"{a} | {b}", f"{a} ^ {b}", f"{a} << {rng.randint(1, 5)}", f"{a} >> {rng.randint(1, 4)}",
            f"~{a}", f"abs({a} - {b})", f"max({a}, {b}) - min({a}, {b})", f"({a} * {b}) % {c}", f"{a} ** 2", f"{a} ** 2 - {b} ** 2", f"round({a} / {c})",
            f"int({a} / {c})", f"sum(divmod({a}, {c}))", f"pow({a}, {rng.randint(2, 9)}, {rng.randint(3, 50)})", f"{a} * {a} + {c}", f"len(str({a} * {b}))",
            f"int(str({a}) + str(abs({b})))", f"{a} % 10 + {a} // 10", f"({a} > {b}) + ({b} > {c})", f"abs({a}).bit_length()",
        ))
        if not made.assign("int", source):
            raise Retry
    return made


def drill(rng, quote):
    """Returns a drill: its lines and its entry (None for a script)."""
    if rng.random() < METHODS:
        return methods(rng, quote)
    while True:
        roll = rng.random()
        try:
            if roll < 0.48:
                made = _expression(rng, quote)
            elif roll < 0.72:
                made = _change(rng, quote)
            elif roll < 0.85:
                made = _chain(rng, quote)
            else:
                made = _arithmetic(rng, quote)
        except Retry:
            continue
        return _shape(rng, made)


def _shape(rng, made):
    """Returns the drill as a function that returns the result, or as a script."""
    result = made.last or made.names[0]
    names = [name for name in made.maker.types if name not in made.names]
    if rng.random() < 0.2 and names:
        result = f"{made.names[0]}, {names[-1]}"
    imports = [f"import {name}" for name in ("math", "itertools", "collections", "re") if any(f"{name}." in line for line in made.lines)]
    if rng.random() < 0.33:
        given = [f"{name} = {shown}" for name, shown in zip(made.names, made.shown)]
        if rng.random() < 0.15 and len(given) > 1:
            given = [f"{', '.join(made.names)} = {', '.join(made.shown)}"]
        tail = [f"print({result})"] if rng.random() < 0.45 else []
        return [*imports, *given, *made.lines, *tail], None
    lines = list(made.lines)
    head = lines[-1].partition(" = ")
    if head[0] == result and result not in made.names and rng.random() < 0.6:
        lines[-1] = f"return {head[2]}"
    else:
        lines.append(f"return {result}")
    name = words.function_name(rng)
    body = [f"def {name}({', '.join(made.names)}):", *("    " + line for line in lines)]
    return [*imports, *body], f"{name}({', '.join(made.shown)})"
