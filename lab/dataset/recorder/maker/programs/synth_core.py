"""Expressions and plain statements that are written together with their current values.

A Maker knows each variable's type and value, so that an index is usually in range. It executes
each statement at once, and drops it if it fails or if its value grows.
"""

import collections
import itertools
import math
import random
import re
from types import FunctionType

from . import words
from .synth_names import LITERALS, LOCALS, PARAMETERS
from .synth_tables import BARE, CHANGE, FEED_TABLES, IDLE, PLAIN_TABLE, TABLES, TESTS, pick_from
from .synth_values import CLASSES, ELEMENT, SEQUENCES, SIZED, bounds_for, draw, duplicate, fits, key, literal, short_word
from .trial import FILE, quiet, run_bounded

_NAME = re.compile(r"[A-Za-z_]\w*")
_LOOP = re.compile(r"^\s*(?:for|while) ", re.M)
_RETURN = re.compile(r"(^\s*|: )return(?: (.*))?$", re.M)
_LOOKING = ("sub", "elem", "key", "ch")
_SCALARS = ("int", "str", "ch", "float", "bool")
GROUPS = {"sized": SIZED, "seq": SEQUENCES, "any": ("int", "str", "li", "dsi", "bool", "ls", "float", "ti")}


class Retry(Exception):
    """Raised if the current choice has no result, so that another one must be tried."""


class Return(BaseException):
    """Raised by a return statement that is executed outside its function."""


class Maker:
    """A program that is being written: its names, types, current values and the probabilities of
    choices."""

    def __init__(self, rng: random.Random, difficulty, quote="'"):
        self.rng = rng
        self.difficulty = difficulty
        self.quote = quote
        self.env = {"__builtins__": __builtins__, "math": math, "re": re, "itertools": itertools, "collections": collections, "print": quiet}
        self.types = {}
        self.uses = {}
        self.hot = ()
        self.locked = ()
        self.functions = []
        self.in_loop = False
        self.taken = set()
        self.fresh = []
        self.avoid = None  # the variable that the statement changes; its right side mostly avoids it
        self.left = False  # whether the last statement returned

    # ------------------------------------------------------------------ variables

    def pool(self, kind):
        """Returns the names of the variables of a type, or of the types in a group of GROUPS."""
        kinds = GROUPS.get(kind) or (("str", "ch") if kind == "str" else (kind,))
        return [name for name, has in self.types.items() if has in kinds]

    def pick(self, names):
        """Returns one of the names. Names of the current loop and unused names are
        preferred."""
        if len(names) == 1:
            chosen = names[0]
        else:
            weights = [(5 if name in self.hot else 1) * (4 if not self.uses.get(name) else 1) * (0.12 if name == self.avoid else 1) for name in names]
            chosen = self.rng.choices(names, weights)[0]
        self.uses[chosen] = self.uses.get(chosen, 0) + 1
        return chosen

    def mentions(self, source):
        """Returns whether the source has the name of a variable."""
        return any(name in self.types for name in _NAME.findall(source))

    def name(self, kind, parameter=False):
        """Returns a new name, which mostly fits the type."""
        rng = self.rng
        for _ in range(20):
            if rng.random() < (0.7 if parameter else 0.8):
                new = rng.choice((PARAMETERS if parameter else LOCALS)[kind])
            else:
                new = words.name(rng)
            if new not in self.taken and new not in self.types and new not in self.env:
                self.taken.add(new)
                return new
        new = f"{rng.choice('abcdxyz')}{len(self.taken)}"
        self.taken.add(new)
        return new

    def bind(self, name, kind, value):
        """Adds a variable with its current value."""
        self.types[name] = kind
        self.env[name] = value

    def save(self):
        """Returns the state that undo() needs."""
        return dict(self.types), self.env, dict(self.uses)

    def undo(self, saved):
        """Restores a state that save() returned. fork() must have been called in between, because
        values are changed in place."""
        self.types, self.env, self.uses = saved

    def fork(self):
        """Makes the maker continue with a copy of the current values."""
        seen = {}
        self.env = {name: value if name[0] == "_" else duplicate(value, seen) for name, value in self.env.items()}

    # ------------------------------------------------------------------ expressions

    def value(self, source):
        """Evaluates an expression on the current values. Methods that change a value
        change a copy of it."""
        try:
            return eval(source, self.env)
        except Exception:
            raise Retry from None

    def receiver(self, kind, deep):
        """Returns a name or call of the type, with its value."""
        names = self.pool(kind)
        rng = self.rng
        if names and (deep <= 0 or rng.random() < 0.88):
            chosen = self.pick(names)
            return chosen, self.env[chosen], self.types[chosen]
        if kind in GROUPS:
            kind = rng.choice([k for k in GROUPS[kind] if k in ("str", "li", "ls", "dsi", "int")])
        if deep > 0 and rng.random() < 0.6:
            source, level = self.leveled(kind, deep - 1, 9)
            if level < 9:
                source = f"({source})"
            return source, self.value(f"({source})") if not any(m in source for m in ("pop", "setdefault")) else self.fail(), kind
        found = draw(rng, kind)
        if not isinstance(found, (str, list)) or not found or rng.random() < 0.93:
            raise Retry
        return literal(found, self.quote), found, kind

    def fail(self):
        raise Retry

    def expr(self, kind, deep, level=1):
        """Returns an expression's source, in parentheses if it binds less tightly than
        asked."""
        source, has = self.leveled(kind, deep, level)
        return source if has >= level else f"({source})"

    def constant(self, kind):
        """Returns a literal. Numbers and strings sometimes depend on the current
        values."""
        rng = self.rng
        if kind not in _SCALARS and rng.random() < 0.7 or kind == "bool" and rng.random() < 0.98:
            raise Retry
        if kind == "str" and rng.random() < 0.6:
            found = rng.choice((rng.choice("abcdeiostxyz"), rng.choice("-_ .,:#*!"), short_word(rng), key(rng), ""))
        elif kind == "int" and rng.random() < 0.7:
            found = rng.randint(0, 10)
        elif kind in ("ll", "lp", "dsl", "dsi", "ls") and rng.random() < 0.4:
            found = type(draw(rng, kind))()
        else:
            found = draw(rng, kind)
        source = literal(found, self.quote)
        return source, 8 if source[0] == "-" else 9

    def leveled(self, kind, deep, asked=1):
        """Returns an expression and how tightly it binds."""
        rng = self.rng
        if kind == "any":
            kind = rng.choice(self.kinds() or ["int"])
        if kind == "ch":
            kind = "str" if not self.pool("ch") or rng.random() < 0.4 else "ch"
            if kind == "ch":
                return self.pick(self.pool("ch")), 9
        names = self.pool(kind)
        roll = rng.random()
        if kind == "bool" and (deep <= 0 or roll < 0.1):
            if names and rng.random() < 0.6:
                return self.pick(names), 9
            return self.test()
        if deep <= 0 or roll < 0.28:
            hot = [name for name in names if name in self.hot]
            if hot and rng.random() < 0.7:
                return self.pick(hot), 9
            if names and rng.random() < (0.72 if deep <= 0 else 0.8):
                return self.pick(names), 9
            if kind in ("fs", "si", "by", "opt") and deep > 0:
                roll = 1.0
            else:
                return self.constant(kind)
        if roll < 0.31 and kind != "bool":
            return self.constant(kind)
        if roll < 0.40 and deep > 0 and self.functions:
            fitting = [one for one in self.functions if one[2] == kind]
            if fitting:
                name, takes, _ = rng.choice(fitting)
                return f"{name}({', '.join(self.expr(one, deep - 2) for one in takes)})", 9
        if roll < 0.44 and asked <= 1 and kind not in ("bool", "opt"):
            source = f"{self.expr(kind, deep - 1, 2)} if {self.expr('bool', deep - 1, 2)} else {self.expr(kind, deep - 1)}"
            if not IDLE.search(source):
                return source, 1
        if roll < 0.455 and asked <= 2 and names and kind in ("int", "str", "li", "ls"):
            source = f"{self.pick(names)} or {self.expr(kind, 0, 3)}"
            if not IDLE.search(source):
                return source, 2
        if roll < (0.49 if kind == "bool" else 0.55) and kind in COMPREHEND:
            made = COMPREHEND[kind](self, deep)
            if made:
                return made, 9
        for _ in range(8):
            level, pieces = pick_from(rng, TABLES[kind])
            try:
                source = self.fill(pieces, deep)
            except Retry:
                continue
            if level == 4 and source[0].isdigit() and " < " not in source[:5] and " <= " not in source[:6] and rng.random() < 0.85:
                continue
            if (self.mentions(source) or rng.random() < 0.03 or not self.types) and not IDLE.search(source):
                return source, level
        return self.constant(kind)

    def test(self):
        """Returns a condition without further conditions in it."""
        for _ in range(8):
            level, pieces = pick_from(self.rng, TESTS)
            try:
                source = self.fill(pieces, 0)
            except Retry:
                continue
            if level == 4 and source[0].isdigit() and " < " not in source[:5] and " <= " not in source[:6]:
                continue
            if self.mentions(source) and not IDLE.search(source):
                return source, level
        raise Retry

    def kinds(self):
        """Returns the types of the variables."""
        return sorted({has for has in self.types.values() if has != "fs"})

    def fill(self, pieces, deep, target=None):
        """Returns a template's source with its holes filled."""
        out, filled, got = [], [], [None, None, None]
        first = None
        if len(pieces) > 3 and pieces[1] in _LOOKING:  # `<sub> in <r:str>`: the receiver is filled first
            first = self.hole(pieces[3], deep, got, filled, target)
        for place, piece in enumerate(pieces):
            if place % 2 == 0:
                out.append(piece)
                continue
            source = first if first and place == 3 else self.hole(piece, deep, got, filled, target)
            filled.append(source)
            out.append(source)
        return "".join(out)

    def hole(self, piece, deep, got, filled, target):
        """Returns one hole's source. got is the receiver's (source, value, type)."""
        what, _, of = piece.partition(":")
        if what == "r":
            got[:] = self.receiver(of, deep - 1)
            return got[0]
        if what in ("v", "w") and of:
            names = [name for name in self.pool(of) if name not in self.locked and name not in filled]
            if not names:
                raise Retry
            chosen = self.pick(names)
            got[:] = chosen, self.env[chosen], self.types[chosen]
            self.avoid = chosen
            return chosen
        if what == "walrus":
            return self.name("int")
        if what == "new":
            return self.target(of, filled)
        if what == "A":
            return target
        if what == "bb":
            return filled[-2]
        if what[0] == "b" and what[1:].isdigit():
            return filled[int(what[1:])]
        if what == "var":
            names = self.pool(of) if of else [n for n, has in self.types.items() if has in ("int", "str", "ch", "bool", "float", "li")]
            return self.pick(names) if names else self.fail()
        if what == "lit":
            return self.requote(LITERALS[of](self.rng))
        if what in SPECIAL:
            try:
                return SPECIAL[what](self, got, of)
            except (TypeError, ValueError, IndexError):
                raise Retry from None
        kind, _, level = what.partition("@")
        if kind == "same":
            kind = "str" if got[2] == "ch" else got[2]
        elif kind == "e":
            kind = ELEMENT[got[2]]
        elif kind == "str2":
            return self.expr("str", 0)
        return self.expr(kind, deep - 1, int(level or 1))

    def requote(self, source):
        if self.quote == '"' and source[0] == "'" and '"' not in source and "\\" not in source:
            return f'"{source[1:-1]}"'
        return source

    def target(self, kind, filled):
        """Returns the name that a statement binds: an existing one of the type, or a
        new one."""
        rng = self.rng
        if rng.random() < 0.3:
            names = [name for name in self.pool(kind) if name not in self.locked and name not in filled and self.types[name] == kind]
            if names:
                return rng.choice(names)
        new = self.name(kind)
        self.fresh.append((new, kind))
        return new

    # ------------------------------------------------------------------ execution

    def calls(self, source):
        """Returns whether the source calls one of the program's functions. Such a call may loop."""
        return any(type(value) is FunctionType and name + "(" in source for name, value in self.env.items())

    def execute(self, lines):
        """Executes statements on the current values. Returns True if it succeeded,
        "return" if a statement returned."""
        source = "\n".join(lines)
        if "return" in source and source[:4] != "def ":
            source = _RETURN.sub(r"\1raise _Return(\2)", source)
        if self.in_loop and ("break" in source or "continue" in source):
            source = "for _ in (0,):\n    " + source.replace("\n", "\n    ")
        self.env["_Return"] = Return
        before = self.env
        self.fork()
        try:
            if _LOOP.search(source) or self.calls(source):
                outcome = run_bounded(source, None, bounds_for(source, False), self.env)
                if outcome.error:
                    raise outcome.error
                ended = outcome.ended
            else:
                exec(compile(source, FILE, "exec", dont_inherit=True), self.env)
                ended = True
        except Return as returned:
            ended = "return" if not returned.args or fits(returned.args[0]) else False
        except Exception:
            ended = False
        if ended:
            for name in self.types:
                if name in self.env and not (fits(self.env[name]) and isinstance(self.env[name], CLASSES[self.types[name]])):
                    ended = False
                    break
        self.left = ended == "return"
        if not ended:
            self.env = before
        return ended

    def plain(self, deep):
        """Returns a plain statement that works here and was executed, or None."""
        for _ in range(10):
            self.fresh, self.avoid = [], None
            pieces = self.change() or pick_from(self.rng, PLAIN_TABLE)[1]
            try:
                source = self.fill(pieces, deep)
            except Retry:
                continue
            if self.types and self.rng.random() < 0.9 and not self.mentions(source.partition(" = ")[2] or source):
                continue
            if BARE.match(source) and self.rng.random() < 0.85 or IDLE.search(source):
                continue
            if self.commit([source]):
                return [source]
        return None

    def change(self):
        """Returns, sometimes, a template that changes an existing variable."""
        if self.rng.random() < 0.6:
            return None
        names = [name for name, kind in self.types.items() if kind in CHANGE and name not in self.locked]
        return pick_from(self.rng, CHANGE[self.types[self.rng.choice(names)]])[1] if names else None

    def commit(self, lines):
        """Executes lines that bind self.fresh, and adds those names."""
        fresh = self.fresh
        saved = dict(self.types)
        for name, kind in fresh:
            self.types[name] = kind
        if self.execute(lines) and all(name in self.env for name, _ in fresh):
            return True
        self.types = saved
        return False

    def feed(self, name, kind, deep):
        """Returns a statement by which a loop updates its accumulator."""
        self.avoid = name
        for _ in range(10):
            try:
                source = self.fill(pick_from(self.rng, FEED_TABLES[kind])[1], deep, name)
            except Retry:
                continue
            if IDLE.search(source):
                continue
            found = _NAME.findall(source)
            if not self.hot or any(one in self.hot for one in found) or self.rng.random() < 0.2:
                return source
        raise Retry


# synth_holes fills this table. It is here so that the two modules do not import each
# other.
SPECIAL = {}
COMPREHEND = {}
