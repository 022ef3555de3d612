"""The iterables of loops and comprehensions, and comprehensions themselves."""

import re

from .synth_core import COMPREHEND, Retry
from .synth_holes import quoted
from .synth_values import DICTS, ELEMENT, VALUE

_WORD = re.compile(r"[A-Za-z_]\w*")
ITEM = {"int": "x n i v num a e", "str": "w s word x item t name p", "ch": "c ch char x letter", "li": "row r sub", "tsi": "p pair t", "bool": "b"}
ITEM = {kind: names.split() for kind, names in ITEM.items()}


def source_of(maker, deep):
    """Returns an iterable: (target names with types and current values, source)."""
    rng = maker.rng
    names = [n for n, has in maker.types.items() if has in ELEMENT and has not in ("by", "fs") and len(maker.env[n]) <= 14]
    hot = [n for n in names if n in maker.hot]
    roll = rng.random()
    if not names or roll < 0.10:
        limit = [n for n in maker.pool("int") if 0 < maker.env[n] <= 9]
        text = maker.pick(limit) if limit and rng.random() < 0.7 else str(rng.randint(2, 6))
        source = rng.choice((f"range({text})", f"range({text})", f"range(1, {text} + 1)" if not text.isdigit() else f"range(1, {int(text) + 1})"))
        return [("int", rng.randint(0, 3))], source
    chosen = maker.pick(hot or names)
    value, kind = maker.env[chosen], maker.types[chosen]
    if not value:
        raise Retry
    first = rng.choice(sorted(value)) if kind in ("si",) else rng.choice(list(value))
    if kind in DICTS:
        keyed = "int" if kind == "dis" else "str"
        roll = rng.random()
        if roll < 0.65:
            return [(keyed, first), (VALUE[kind], value[first])], f"{chosen}.items()"
        if roll < 0.85:
            return [(keyed, first)], chosen if rng.random() < 0.7 else f"sorted({chosen})"
        return [(VALUE[kind], value[first])], f"{chosen}.values()"
    inner = ELEMENT[kind]
    if inner == "tsi":
        return [("str", first[0]), ("int", first[1])], chosen
    roll = rng.random()
    if roll < 0.14:
        start = rng.choice(("", "", "", "", ", 1", ", start=1"))
        return [("int", rng.randrange(len(value))), (inner, first)], f"enumerate({chosen}{start})"
    if roll < 0.30 and kind != "si":
        place = [("int", rng.randrange(len(value)))]
        if rng.random() < 0.65:
            return place, f"range(len({chosen}))"
        return place, rng.choice((f"range(1, len({chosen}))", f"range(0, len({chosen}), 2)", f"range(len({chosen}) - 1, -1, -1)", f"range(len({chosen}) - 1)", f"range(len({chosen}) // 2)"))
    if roll < 0.36:
        mates = [n for n in names if n != chosen and maker.types[n] in ("li", "ls", "str", "ti") and maker.env[n]]
        if mates:
            mate = maker.pick(mates)
            return [(inner, first), (ELEMENT[maker.types[mate]], maker.env[mate][0])], f"zip({chosen}, {mate})"
    if roll < 0.40 and kind in ("str", "ch"):
        return [("str", value.split()[0] if value.split() else "a")], f"{chosen}.split()"
    if roll < 0.47 and kind in ("str", "li", "ls", "ti"):
        return [(inner, first)], rng.choice((f"{chosen}[1:]", f"{chosen}[::-1]", f"reversed({chosen})", f"sorted({chosen})", f"{chosen}[:-1]", f"{chosen}[::2]"))
    return [(inner, first)], chosen


def comprehension(maker, deep, made, opening, closing, pair=False):
    """Returns `[e for x in y if c]` or a similar comprehension. made is the element's
    type, or the key's and the value's types."""
    rng = maker.rng
    try:
        targets, source = source_of(maker, deep)
    except Retry:
        return None
    saved, hot = maker.save(), maker.hot
    names = []
    maker.env = dict(maker.env)
    maker.types = dict(maker.types)
    for kind, value in targets:
        fitting = [n for n in ITEM.get(kind, ITEM["int"]) if n not in maker.types and n not in names]
        name = rng.choice(fitting) if fitting else f"x{len(names)}"
        if rng.random() < 0.04 and len(targets) > 1:
            name, kind = "_", "none"
        names.append(name)
        if kind != "none":
            maker.types[name] = kind
            maker.env[name] = value
    maker.hot = tuple(names)
    try:
        if pair:
            head = f"{_head(maker, made[0], deep, names)}: {_head(maker, made[1], deep, names)}"
        elif made:
            head = _head(maker, made, deep, names)
        else:
            head = names[0]
        condition = f" if {maker.expr('bool', min(deep - 1, 2), 2)}" if made == "bool" and rng.random() < 0.1 or made != "bool" and rng.random() < 0.5 else ""
    except Retry:
        return None
    finally:
        maker.undo(saved)
        maker.hot = hot
    if not any(name in _WORD.findall(head + condition) for name in names):
        return None
    return f"{opening}{head} for {', '.join(names)} in {source}{condition}{closing}"


def _head(maker, kind, deep, names):
    same = [n for n in names if maker.types.get(n) == kind or kind == "str" and maker.types.get(n) == "ch"]
    if same and maker.rng.random() < 0.4:
        return same[0]
    return maker.expr(kind, min(deep - 1, 2))


_TOTALS = (("sum(", ")"), ("sum(", ")"), ("sum([", "])"), ("len([", "])"), ("max((", "), default=0)"), ("min([", "], default=-1)"), ("len({", "})"))

COMPREHEND.update({
    "li": lambda m, d: comprehension(m, d, "int", "[", "]"),
    "ls": lambda m, d: comprehension(m, d, "str", "[", "]"),
    "ll": lambda m, d: comprehension(m, d, "li", "[", "]"),
    "str": lambda m, d: comprehension(m, d, "str", f"{quoted(m, m.rng.choice(('', '', '', '-', ' ', ',')))}.join(", ")"),
    "int": lambda m, d: comprehension(m, d, "int", *m.rng.choice(_TOTALS)) if m.rng.random() < 0.6 else _count(m, d),
    "bool": lambda m, d: comprehension(m, d, "bool", m.rng.choice(("any(", "all(")), ")"),
    "dsi": lambda m, d: comprehension(m, d, ("str", "int"), "{", "}", pair=True),
    "dis": lambda m, d: comprehension(m, d, ("int", "str"), "{", "}", pair=True),
    "dss": lambda m, d: comprehension(m, d, ("str", "str"), "{", "}", pair=True),
    "si": lambda m, d: comprehension(m, d, "int", "{", "}"),
    "ti": lambda m, d: comprehension(m, d, "int", "tuple(", ")"),
    "lb": lambda m, d: comprehension(m, d, "bool", "[", "]"),
})


def _count(maker, deep):
    """Returns an expression that counts the elements with some property."""
    made = comprehension(maker, deep, "bool", "sum(", ")")
    if made and maker.rng.random() < 0.6:
        head, _, rest = made[4:].partition(" for ")
        if " if " not in rest:
            return f"sum(1 for {rest[:-1]} if {head})" if " if " not in head else made
    return made
