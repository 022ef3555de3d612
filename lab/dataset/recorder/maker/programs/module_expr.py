"""Random typed expressions for composed scripts, from a table of templates.

A template is text with holes: `{int}` is an int expression, `{int:9}` one that binds at least
as tightly as +, `{1.ints}` a variable of type ints (the same variable wherever slot 1 occurs),
`{X.int}` a new loop variable of type int, `{x}` that variable, `{in.bool}` an expression that
may use it, `{c}` a small positive number, `{k}` an index, `{w}` a word, `{ch}` a character.
"""

import re

from . import words

# The number is how tightly the text binds: ternary 0, or 1, and 2, not 3, comparison 4,
# | 5, ^ 6, & 7, shift 8, + 9, * 10, unary 11, ** 12, atom 13.
TABLE = {
    "int": [
        (9, 9, "{int:9} + {int:10}"), (7, 9, "{int:9} - {int:10}"), (5, 10, "{int:10} * {c}"),
        (3, 10, "{int:10} // {c}"), (4, 10, "{int:10} % {m}"), (1, 9, "{c} - {int:10}"),
        (2, 13, "abs({int} - {int:10})"), (2, 13, "max({int}, {int})"), (2, 13, "min({int}, {int})"),
        (5, 13, "len({strs})"), (4, 13, "len({str})"), (3, 13, "len({ints})"), (4, 13, "sum({ints})"),
        (2, 13, "{ints:13}.count({int})"), (3, 13, "{str:13}.count({ch})"), (2, 13, "{str:13}.find({ch})"),
        (2, 13, "max({ints}, default={n})"), (2, 13, "min({ints}, default={n})"),
        (3, 0, "{1.ints}[-1] if {1.ints} else {n}"), (3, 0, "{1.ints}[0] if {1.ints} else {n}"),
        (3, 0, "{int:1} if {bool:1} else {int}"), (3, 13, "{dict:13}.get({w}, {n})"), (2, 13, "len({dict})"),
        (3, 13, "sum({in.int} for {X.int} in {ints:1})"), (2, 13, "sum(1 for {X.str} in {strs:1} if {in.bool:1})"),
        (1, 13, "sum(len({x}) for {X.str} in {strs:1})"), (1, 7, "{int:8} & {c}"), (1, 5, "{int:6} | {c}"),
        (1, 6, "{int:7} ^ {c}"), (1, 8, "{int:9} << 1"), (1, 8, "{int:9} >> {k}"), (1, 13, "int({bool})"),
        (1, 13, "divmod({int}, {c})[{b}]"), (1, 11, "-{int:12}"), (1, 13, "ord({ch})"), (1, 13, "sum({dict:13}.values())"),
        (1, 13, "max({1.int}, {c}) ** 2 % {m}", ), (1, 10, "({int} + {c}) * {c}"), (1, 13, "round({int:11} / {c})"),
        (1, 13, "next(({x} for {X.int} in {ints:1} if {in.bool:1}), {n})"), (1, 13, "len(set({str}))"),
        (1, 13, "len(set({ints}))"), (1, 1, "{int:2} or {c}"), (1, 13, "abs({int})"), (1, 13, "sum(map(len, {strs}))"),
        (1, 13, "{str:13}.rfind({ch})"), (1, 13, "int({digits})"), (1, 13, "sum({str:13}.count({x}) for {X.str} in {word})"),
    ],
    "str": [
        (6, 9, "{str:9} + {str:10}"), (4, 13, "{str:13}.upper()"), (3, 13, "{str:13}[::-1]"), (3, 13, "{str:13}[:{k}]"),
        (3, 13, "{str:13}[{k}:]"), (3, 13, "{str:13}.replace({ch}, {ch})"), (4, 13, "str({int})"),
        (6, 13, "f'{{{int:0}}}{sep}{{{1.str}}}'"), (3, 13, "f'{{{1.str}}}{sep}{{{2.int}}}'"), (2, 10, "{ch} * ({int:10} % 4)"),
        (2, 13, "{str:13}.strip({ch})"), (5, 13, "{sepq}.join({strs})"), (1, 13, "{str:13}.title()"), (1, 13, "{str:13}.capitalize()"),
        (1, 13, "{str:13}.swapcase()"), (1, 13, "{str:13}.lower()"), (1, 13, "str({int}).zfill({c})"), (1, 13, "{str:13}.center({m}, {ch})"),
        (1, 13, "{str:13}.ljust({m}, {ch})"), (1, 13, "{str:13}.rjust({m})"), (3, 0, "{str:1} if {bool:1} else {str}"),
        (2, 13, "''.join(sorted({str}))"), (2, 13, "chr(97 + {int:10} % 26)"), (2, 13, "''.join({x} for {X.str} in {str:1} if {in.bool:1})"),
        (2, 0, "{1.strs}[0] if {1.strs} else {w}"), (2, 0, "{1.strs}[-1] if {1.strs} else {w}"), (1, 10, "'%s-%d' % ({str}, {int})"),
        (1, 13, "'{{}}:{{}}'.format({int}, {str})"), (1, 1, "{str:2} or {w}"), (1, 13, "{str:13}.removeprefix({w})"),
        (1, 13, "{str:13}.split({ch})[0]"), (1, 13, "{str:13}.partition({ch})[{b}]"), (1, 13, "{str:13}[-{c}:]"), (1, 13, "{str:13}[::2]"),
        (1, 13, "max({strs}, key=len, default={w})"), (1, 13, "min({strs}, default={w})"), (1, 13, "repr({str})"), (1, 13, "bin({1.int})[-{c}:]"),
        (1, 13, "f'{{{2.int}:>{c}}}'"), (1, 13, "f'{{{1.str}!r}}'"), (1, 13, "'/'.join(map(str, {ints}))"), (1, 13, "{str:13}.rstrip({ch})"),
    ],
    "bool": [
        (7, 4, "{int:5} > {n}"), (5, 4, "{int:5} < {int:5}"), (4, 4, "{int:5} == {int:5}"), (4, 4, "{int:10} % {m} == {k}"),
        (3, 4, "{n} <= {int:5} < {m}"), (3, 4, "{int:5} in {ints:5}"), (3, 4, "{ch} in {str:5}"), (3, 4, "{w} not in {strs:5}"),
        (3, 13, "{str:13}.startswith({ch})"), (2, 13, "{str:13}.endswith({ch})"), (1, 13, "{str:13}.isalpha()"), (1, 13, "{str:13}.isupper()"),
        (2, 13, "bool({ints})"), (2, 3, "not {strs:4}"), (3, 2, "{bool:2} and {bool:3}"), (3, 1, "{bool:1} or {bool:2}"), (1, 3, "not {bool:4}"),
        (2, 13, "any({in.bool:1} for {X.int} in {ints:1})"), (2, 13, "all({in.bool:1} for {X.str} in {strs:1})"),
        (2, 4, "{w} in {dict:5}"), (2, 4, "{str:5} == {str:5}"), (2, 4, "{int:5} != {n}"), (1, 4, "{str:5} < {str:5}"), (2, 4, "{int:5} >= {n}"),
        (1, 13, "{str:13}.isdigit()"), (1, 4, "len({str}) > {c}"), (1, 13, "isinstance({1.int}, int)"), (1, 4, "{str:5} == {1.str}[::-1]"),
    ],
    "ints": [
        (4, 9, "{ints:9} + [{int}]"), (2, 13, "{ints:13}[::-1]"), (3, 13, "sorted({ints})"), (2, 13, "sorted({ints}, reverse=True)"),
        (7, 13, "[{in.int} for {X.int} in {ints:1}]"), (5, 13, "[{x} for {X.int} in {ints:1} if {in.bool:1}]"),
        (3, 13, "[{in.int} for {X.int} in {ints:1} if {in.bool:1}]"), (3, 13, "[len({x}) for {X.str} in {strs:1}]"),
        (2, 13, "list(range({k}, {m}))"), (2, 13, "list(range({int:10} % {m}))"), (2, 13, "{ints:13}[:{k}]"), (2, 13, "{ints:13}[{k}:]"),
                (1, 13, "{ints:13}[::2]"),
        (2, 13, "list(map(lambda {X.int}: {in.int}, {ints}))"), (2, 13, "list(filter(lambda {X.int}: {in.bool}, {ints}))"),
        (3, 13, "[{int}, {int}, {int}]"), (2, 13, "list({dict:13}.values())"), (1, 13, "[*{ints}, {int}]"), (1, 13, "list(reversed({ints}))"),
        (1, 13, "sorted({ints}, key=lambda {X.int}: {in.int})"), (1, 13, "sorted(set({ints}))"), (1, 13, "[{int}] * {k}"),
        (1, 13, "[{1.int} + {X.int} for {x} in range({c})]"), (1, 13, "[ord({X.str}) - 97 for {x} in {str:1}]"), (1, 0, "{ints:1} if {bool:1} else []"),
        (1, 13, "[i * {in.int:11} for i, {X.int} in enumerate({ints})]"), (1, 13, "[a - b for a, b in zip({1.ints}, {1.ints}[1:])]"),
    ],
    "strs": [
        (4, 13, "{str:13}.split()"), (2, 13, "{str:13}.split({ch})"), (3, 13, "list({str})"), (5, 13, "[{in.str} for {X.str} in {strs:1}]"),
        (4, 13, "[{x} for {X.str} in {strs:1} if {in.bool:1}]"), (3, 13, "sorted({strs})"), (3, 13, "sorted({strs}, key=len)"), (3, 13, "[{str}, {str}]"),
        (3, 9, "{strs:9} + [{str}]"), (2, 13, "list({dict})"), (2, 13, "{strs:13}[::-1]"), (2, 13, "{strs:13}[:{k}]"),
                (2, 13, "[str({x}) for {X.int} in {ints:1}]"),
        (1, 13, "list(map(str.upper, {strs}))"), (1, 13, "sorted(set({str}))"), (1, 13, "[{ch} * {X.int} for {x} in range({k}, {c})]"),
        (1, 13, "sorted({dict}, key=lambda {X.str}: len({x}))"), (1, 13, "[{x}[0] for {X.str} in {strs:1} if {x}]"), (1, 13, "{strs:13}[1:]"),
        (1, 13, "[f'{{i}}{{{X.str}}}' for i, {x} in enumerate({strs})]"),
    ],
    "dict": [
        (4, 13, "{{{w}: {int}, {w}: {int}}}"), (4, 13, "{{{x}: len({x}) for {X.str} in {strs:1}}}"), (3, 13, "dict(zip({strs}, {ints}))"),
        (2, 13, "{{**{dict}, {w}: {int}}}"), (3, 13, "{{k: v for k, v in {dict:13}.items() if v > {n}}}"),
                (2, 13, "{{k: v + {int:10} for k, v in {dict:13}.items()}}"),
        (2, 13, "{{{x}: {str:13}.count({x}) for {X.str} in {str:1}}}"), (2, 13, "dict(sorted({dict:13}.items()))"), (1, 5, "{dict:5} | {{{w}: {int}}}"),
        (1, 13, "{{{w}: {int}}}"), (1, 13, "{{str({X.int}): {in.int} for {x} in {ints:1}}}"), (1, 13, "dict.fromkeys({strs}, {n})"),
    ],
    "float": [
        (3, 10, "{int:10} / {half}"), (3, 9, "{float:9} + {float:10}"), (2, 10, "{float:10} * {c}"), (3, 13, "round({float}, {b})"), (2, 13, "float({int})"),
        (1, 13, "abs({float})"), (2, 10, "sum({ints}) / {half}"), (1, 9, "{float:9} - {int:10}"), (1, 0, "{float:1} if {bool:1} else 0.0"),
        (1, 0, "round(sum({1.ints}) / len({1.ints}), 2) if {1.ints} else 0.0"), (1, 13, "max({float}, {float})"), (1, 13, "round({int:10} / {c}, 2)"),
                (1, 12, "round(abs({int}) ** 0.5, 1)"),
    ],
    "set": [
        (3, 13, "set({ints})"), (3, 13, "{{{int}, {int}}}"), (3, 5, "{set:5} | {set:6}"), (3, 7, "{set:7} & {set:8}"), (2, 9, "{set:9} - {set:10}"),
                (1, 6, "{set:6} ^ {set:7}"),
        (3, 13, "{{{in.int} for {X.int} in {ints:1}}}"), (1, 13, "{set:13}.union({ints})"), (1, 13, "{set:13}.difference({ints})"),
                (1, 13, "{set:13}.intersection({ints})"), (1, 13, "{{len({x}) for {X.str} in {strs:1}}}"),
        (1, 13, "{set:13}.symmetric_difference({ints})"), (1, 13, "set({tuple})"),
    ],
    "tuple": [
        (3, 13, "({int}, {int})"), (2, 13, "tuple({ints})"), (2, 9, "{tuple:9} + ({int},)"), (1, 13, "{tuple:13}[::-1]"), (1, 13, "{tuple:13}[{k}:]"),
                (1, 13, "divmod({int}, {c})"),
        (1, 13, "(min({1.ints}, default=0), max({1.ints}, default=0))"), (1, 13, "({int},)"), (1, 13, "tuple(sorted({tuple}))"),
                (1, 13, "tuple({in.int} for {X.int} in {ints:1})"), (1, 10, "{tuple:10} * {k}"),
    ],
}
TABLE["int"] += [(1, 13, "int({float})"), (1, 13, "round({float})"), (1, 13, "len({set})"), (1, 13, "sum({set})"), (1, 13, "sum({tuple})"),
        (1, 13, "len({tuple})"), (1, 13, "{tuple:13}.count({int})"), (1, 13, "max({set}, default={n})")]
TABLE["str"] += [(1, 13, "f'{{{1.float}:.{b}f}}'"), (1, 13, "str({tuple})"), (1, 13, "str({float})"), (1, 13, "','.join(map(str, sorted({set})))")]
TABLE["bool"] += [(1, 4, "{int:5} in {set:5}"), (1, 4, "{set:5} <= {set:5}"), (1, 13, "{set:13}.isdisjoint({ints})"), (1, 4, "{tuple:5} < {tuple:5}"),
        (1, 4, "{int:5} in {tuple:5}"), (1, 4, "{float:5} > {int:5}")]
TABLE["ints"] += [(1, 13, "sorted({set})"), (1, 13, "list({tuple})"), (1, 13, "[{x} for {X.int} in {ints:1} if {x} not in {set:5}]"),
        (1, 13, "[{x} for {X.int} in {tuple:1}]")]
TYPES = list(TABLE)
COMMON = (12, 10, 2, 8, 6, 5, 2, 2, 2)    # the weight of each type
LOOP = {"int": ["n", "i", "v", "x", "num", "k"], "str": ["w", "s", "ch", "t", "c", "word", "part"]}
# Conversions from a variable of one type to a value of another, by (have, want).
CONVERT = {
    ("int", "str"): ("str({v})", "'{w}' * ({v} % 3)", "chr(97 + {v} % 26)", "f'{w}{{v}}'", "f'{{v}}'"),
            ("ints", "str"): ("''.join(map(str, {v}))", "str({v}[:2])", "str(len({v}))"),
    ("strs", "str"): ("''.join({v})", "'-'.join({v})", "' '.join({v})"), ("dict", "str"): ("''.join({v})", "str(len({v}))", "','.join({v})"),
            ("bool", "str"): ("str({v})", "'yes' if {v} else 'no'"),
    ("str", "int"): ("len({v})", "len({v})", "{v}.count('{l}')", "{v}.find('{l}')", "len(set({v}))"),
            ("ints", "int"): ("len({v})", "sum({v})", "sum({v}[1:])", "sum({v}[-2:])", "max({v}, default=0)"),
            ("strs", "int"): ("len({v})", "sum(map(len, {v}))", "{v}.count('{w}')"),
    ("dict", "int"): ("len({v})", "sum({v}.values())", "{v}.get('{w}', {c})", "max({v}.values(), default={c})"), ("bool", "int"): ("int({v})",),
    ("int", "ints"): ("[{v}, {c}]", "list(range({v} % 6))", "[{v}] * 2", "[{c}, {v}, {c}]", "[int(d) for d in str(abs({v}))]"),
            ("str", "ints"): ("[ord(c) for c in {v}]", "[len({v}), {c}]", "[len(p) for p in {v}.split()]", "list(range(len({v})))"),
    ("strs", "ints"): ("[len(w) for w in {v}]", "list(map(len, {v}))"), ("dict", "ints"): ("list({v}.values())", "sorted({v}.values())"),
            ("bool", "ints"): ("[int({v})]",),
    ("int", "strs"): ("[str({v}), '{w}']", "list(str({v}))", "['{w}'] * ({v} % 4)"),
            ("str", "strs"): ("{v}.split()", "list({v})", "[{v}, '{w}']", "{v}.split('{l}')", "[{v}]"),
            ("ints", "strs"): ("[str(x) for x in {v}]", "list(map(str, {v}))"),
    ("dict", "strs"): ("list({v})", "sorted({v})", "list({v}.keys())"), ("bool", "strs"): ("[str({v})]",),
    ("int", "dict"): ("{'{w}': {v}}", "{'{w}': {v}, '{l}': {c}}"), ("str", "dict"): ("{c: {v}.count(c) for c in {v}}", "{{v}: len({v})}",
            "{c: ord(c) - 96 for c in {v}}"), ("ints", "dict"): ("{str(x): x for x in {v}}", "dict(zip('{w}', {v}))"),
    ("strs", "dict"): ("{w: len(w) for w in {v}}", "{w: i for i, w in enumerate({v})}", "dict.fromkeys({v}, {c})"), ("bool", "dict"): ("{'{w}': int({v})}",),
    ("int", "float"): ("{v} / 2", "float({v})", "{v} * 0.5"), ("ints", "float"): ("sum({v}) / 4", "float(sum({v}))"),
            ("str", "float"): ("len({v}) / 2",), ("tuple", "float"): ("sum({v}) / 2",), ("set", "float"): ("len({v}) / 2",),
    ("float", "int"): ("int({v})", "round({v})"), ("float", "str"): ("str({v})", "f'{{v}:.1f}'"), ("float", "ints"): ("[int({v})]",),
            ("float", "bool"): ("{v} > {c}", "{v} == int({v})"), ("float", "tuple"): ("(int({v}), {c})",),
    ("ints", "set"): ("set({v})", "{x % 3 for x in {v}}"), ("int", "set"): ("{{v}, {c}}", "set(range({v} % 4))"), ("tuple", "set"): ("set({v})",),
            ("str", "set"): ("{len({v}), {c}}",), ("strs", "set"): ("{len(w) for w in {v}}",), ("dict", "set"): ("set({v}.values())",),
    ("set", "int"): ("len({v})", "sum({v})"), ("set", "ints"): ("sorted({v})", "sorted({v}, reverse=True)"), ("set", "bool"): ("{c} in {v}",),
            ("set", "str"): ("str(len({v}))", "str(sorted({v}))"), ("set", "tuple"): ("tuple(sorted({v}))",),
    ("int", "tuple"): ("({v}, {c})", "divmod({v}, 3)", "({v},)"), ("ints", "tuple"): ("tuple({v})", "tuple({v}[:2])", "(len({v}), {c})"),
            ("str", "tuple"): ("(len({v}), {c})",), ("strs", "tuple"): ("tuple(len(w) for w in {v})",),
    ("tuple", "int"): ("len({v})", "sum({v})", "max({v}, default=0)"), ("tuple", "ints"): ("list({v})", "sorted({v})"),
            ("tuple", "str"): ("str({v})", "'-'.join(map(str, {v}))"), ("tuple", "bool"): ("{c} in {v}", "len({v}) > 2"),
    ("int", "bool"): ("{v} > {c}", "{v} % 2 == 0"), ("str", "bool"): ("bool({v})", "{v}.isalpha()", "'{l}' in {v}"),
            ("ints", "bool"): ("{c} in {v}", "bool({v})"), ("strs", "bool"): ("'{w}' in {v}", "bool({v})"), ("dict", "bool"): ("'{w}' in {v}",),
}
_NAMES = re.compile(r"[A-Za-z_][\w.]*")
_HOLE = re.compile(r"\{\{|\}\}|\{([A-Za-z0-9_.]+)(?::(\d+))?\}")


def _parse(text):
    """Returns a template's text as a list of strings and (what, slot, minimum) holes."""
    parts, end = [], 0
    for m in _HOLE.finditer(text):
        parts.append(text[end:m.start()])
        end = m.end()
        if m.group(0) in ("{{", "}}"):
            parts.append(m.group(0)[0])
        else:
            slot, _, what = m.group(1).rpartition(".")
            parts.append((what, slot, int(m.group(2) or 0)))
    parts.append(text[end:])
    return [p for p in parts if p]


_CHOICES = {}
for _type, _rows in TABLE.items():
    _CHOICES[_type] = ([(row[1], _parse(row[2])) for row in _rows], [row[0] for row in _rows])


class Scope:
    """The variables that an expression may name, by type. Statements may change those
    in assignable."""

    def __init__(self, variables=(), parent=None):
        self.vars = dict(parent.vars) if parent else {}
        self.vars.update(variables)
        self.assignable = set()
        self.recent = None
        self.nested = False       # whether the scope is a block inside a block
        self.deep = False         # whether the scope is inside a comprehension

    def of(self, kind):
        return [v for v, k in self.vars.items() if k == kind]


class Miss(Exception):
    """Raised if the scope does not contain a variable that a template needs."""


class Expressions:
    """Generates expressions and literals. funcs are the functions that may be called: (name,
    parameter types, result type)."""

    def __init__(self, rng, difficulty):
        self.rng, self.difficulty = rng, difficulty
        self.pool = [words.word(rng) if rng.random() < 0.75 else words.gibberish(rng, rng.randint(2, 7)) for _ in range(5)]
        self.pool = [w for w in self.pool if w and "{" not in w and "\\" not in w and "'" not in w and '"' not in w] or ["abc"]
        self.chars = sorted(set("".join(self.pool)) - set("\\{}'\"")) or ["a"]
        self.funcs = []
        self.taken = {"i", "k", "v", "a", "b", "e"}
        self.callable_chance = 0.12

    # Literals
    def word(self):
        rng = self.rng
        return repr(rng.choice(self.pool) if rng.random() < 0.75 else words.string(rng).replace("{", "").replace("}", "").replace("\\", "")[:14])

    def number(self):
        rng = self.rng
        return str(rng.randint(0, 9) if rng.random() < 0.7 else words.integer(rng) % 1000 * rng.choice((1, 1, 1, -1)))

    def literal(self, kind):
        rng = self.rng
        if kind == "int":
            return self.number()
        if kind == "str":
            return self.word() if rng.random() < 0.8 else repr(words.sentence(rng).replace("\\", "")[:24])
        if kind == "bool":
            return rng.choice(("True", "False"))
        if kind == "ints":
            n = rng.choice((0, 1, 2, 3, 3, 4, 4, 5, 6)) if rng.random() < 0.9 else 1
            return "[" + ", ".join(self.number() for _ in range(n)) + "]"
        if kind == "strs":
            return "[" + ", ".join(self.word() for _ in range(rng.choice((0, 1, 2, 2, 3, 3, 4)))) + "]"
        if kind == "float":
            return rng.choice((f"{rng.randint(0, 20)}.{rng.choice((0, 5, 25, 5))}", f"{rng.randint(0, 9)}.{rng.randint(0, 9)}", "0.0",
                    f"{rng.randint(-3, 99)}.5"))
        if kind == "set":
            n = rng.choice((0, 1, 2, 3, 3, 4))
            return "{" + ", ".join(self.number() for _ in range(n)) + "}" if n else "set()"
        if kind == "tuple":
            n = rng.choice((0, 1, 2, 2, 3, 4))
            return "(" + ", ".join(self.number() for _ in range(n)) + ("," if n == 1 else "") + ")"
        keys = dict.fromkeys(self.word() for _ in range(rng.choice((0, 1, 2, 2, 3))))
        return "{" + ", ".join(f"{key}: {self.number()}" for key in keys) + "}"

    # Expressions
    def expr(self, kind, scope, depth=None, tight=0):
        """Returns an expression of this kind as text, in parentheses if it binds less
        tightly than tight."""
        if depth is None:
            depth = 1 + (self.rng.random() < 0.25 + 0.5 * self.difficulty)
        text, binds = self._draw(kind, scope, depth)
        if scope.vars and depth > 0:
            # People seldom write an expression that depends on no variable.
            for _ in range(3):
                if any(name in scope.vars or name.rpartition(".")[0] in scope.vars for name in _NAMES.findall(text)):
                    break
                text, binds = self._draw(kind, scope, depth)
        return f"({text})" if binds < tight else text

    def _leaf(self, kind, scope):
        rng = self.rng
        names = scope.of(kind)
        if names and rng.random() < (0.85 if kind != "bool" else 0.5):
            if scope.recent in names and rng.random() < 0.6:
                return scope.recent, 13
            return rng.choice(names), 13
        if kind == "bool" and rng.random() < 0.97:
            return self._draw(kind, scope, 1)
        if not names and scope.vars and rng.random() < 0.6:
            name = scope.recent if scope.recent in scope.vars and rng.random() < 0.5 else rng.choice(list(scope.vars))
            ways = CONVERT.get((scope.vars[name], kind))
            if ways:
                text = rng.choice(ways).replace("{v}", name).replace("{c}", str(rng.randint(0, 9))).replace("{l}",
                        rng.choice(self.chars)).replace("{w}", rng.choice(self.pool))
                return text, (0 if " if " in text else 4 if kind == "bool" else 10 if ") * (" in text or "] * " in text or "' * (" in text else 13)
        text = self.literal(kind)
        return text, (11 if text[0] == "-" else 13)

    def _draw(self, kind, scope, depth):
        rng = self.rng
        if depth <= 0 or (depth < 2 and rng.random() < 0.25 and kind != "bool"):
            return self._leaf(kind, scope)
        if rng.random() < self.callable_chance:
            fits = [f for f in self.funcs if f[2] == kind]
            if fits:
                name, params, _ = rng.choice(fits)
                return f"{name}({', '.join(self.expr(p, scope, 0) for p in params)})", 13
        rows, weights = _CHOICES[kind]
        for _ in range(6):
            binds, parts = rng.choices(rows, weights)[0]
            try:
                return self._fill(parts, scope, depth), binds
            except Miss:
                pass
        return self._leaf(kind, scope)

    def _fill(self, parts, scope, depth):
        rng = self.rng
        slots, inner, bound = {}, None, None
        for part in parts:
            if type(part) is tuple and part[1] == "X":
                free = [n for n in LOOP[part[0]] if n not in scope.vars and n not in self.taken]
                if not free:
                    raise Miss
                bound = rng.choice(free)
                inner = Scope({bound: part[0]}, scope)
                inner.recent, inner.deep = bound, True
        out, drawn = [], set()
        for part in parts:
            if type(part) is str:
                out.append(part)
                continue
            what, slot, tight = part
            if slot == "X" or what == "x":
                out.append(bound)
            elif slot == "in":
                out.append(self.expr(what, inner, 0 if scope.deep else 1, tight))
            elif slot:
                if slot not in slots:
                    names = scope.of(what)
                    if not names:
                        raise Miss
                    slots[slot] = rng.choice(names)
                out.append(slots[slot])
            elif what in TABLE:
                text = self.expr(what, scope, depth - 1, tight)
                for again in range(3):
                    if text not in drawn:
                        break
                    # `x - x` and `s < s` are replaced by a new expression.
                    text = self.expr(what, scope, depth - 1, tight) if again < 1 or "X" in str(parts) else self.literal(what)
                    text = f"({text})" if text[0] == "-" and tight > 11 else text
                drawn.add(text)
                out.append(text)
            else:
                text = self._small(what)
                for _ in range(3):
                    if what not in ("w", "ch") or text not in drawn:
                        break
                    text = self._small(what)
                drawn.add(text)
                out.append(text)
        return "".join(out)

    def _small(self, what):
        rng = self.rng
        if what == "c":
            return str(rng.randint(1, 5))
        if what == "m":
            return str(rng.choice((2, 3, 4, 5, 6, 7, 8, 10, 11, 13)))
        if what == "half":
            return rng.choice("2245458")
        if what == "k":
            return str(rng.randint(0, 3))
        if what == "b":
            return str(rng.randint(0, 1))
        if what == "n":
            return self.number()
        if what == "w":
            return self.word()
        if what == "word":
            return repr(rng.choice(self.pool))
        if what == "ch":
            return repr(rng.choice(self.chars) if rng.random() < 0.8 else words.char(rng))
        if what == "sep":
            return rng.choice((":", "-", "", "=", " ", "/", "_", ", "))
        if what == "sepq":
            return repr(rng.choice((":", "-", "", "", " ", "/", "_", ", ", ",")))
        return repr(str(rng.randint(0, 999)))
