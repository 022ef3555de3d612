"""Functions in the style of small benchmarks and exercises: a chain of idioms in one
body."""

import random
import re

from . import (idiom_arrays, idiom_cases, idiom_count, idiom_dicts, idiom_errors, idiom_floats, idiom_lists, idiom_loops,  # noqa: F401
               idiom_maps, idiom_mixed, idiom_more, idiom_nested, idiom_numbers, idiom_parse, idiom_sums, idiom_text)  # importing them registers their idioms
from .idiom_core import BLOCKS, EXPRESSIONS, OUT, PARAMS, Context, atomic
from .idiom_layout import NAMES, layout
from .idiom_odd import Odd
from .idiom_tally import braid, tally
from ..program import Program
from .trial import Bounds, run_bounded

TYPES = "slwdimgpxabnrtef"
FIRST = {"s": 40, "l": 20, "w": 11, "d": 9, "i": 5, "m": 4, "g": 2, "a": 4, "x": 3, "p": 3, "n": 1, "r": 2, "f": 1.5}
RARE = {"t": 0.25, "e": 0.6, "b": 0.6, "f": 0.6}  # sets are rare: their order depends on the hash seed


def signatures():
    """Returns, for each type of value, the signatures of the idioms that transform it, as
    (signature, weight) pairs."""
    table = {}
    for letter in TYPES:
        rows = []
        for other in TYPES:
            signature = letter + other
            if signature in ("sp", "lp", "ip", "wp", "dp"):  # these are predicates, for which only blocks are idioms
                count = len(BLOCKS.get(signature, ())) * 2
            else:
                count = len(EXPRESSIONS.get(signature, ())) + 2 * len(BLOCKS.get(signature, ()))
            if count:
                weight = min(count, 60) ** 0.7 * (1.3 if letter == other else 1)
                rows.append((signature, weight * RARE.get(other, 1)))
        table[letter] = rows
    return table


TABLE = signatures()
# before the last step, a value seldom becomes a number
WIDE = {letter: [(one, weight * (0.3 if one[1] in "ib" else 1)) for one, weight in rows] for letter, rows in TABLE.items()}


def weighted(rng, rows):
    """Returns a random item of the (item, weight) pairs, with a probability proportional to its
    weight."""
    return rng.choices([item for item, _ in rows], [weight for _, weight in rows])[0]


class Composer:
    """Writes one body: a chain of idioms that transform a value."""

    def __init__(self, rng, difficulty, script):
        self.rng = rng
        self.difficulty = difficulty
        self.script = script
        quota = 0 if rng.random() < 0.28 else rng.choice((1, 1, 2))
        self.context = Context(rng, difficulty, quota)

    def chain(self, value, letter, steps, indent, last=True):
        """Appends `steps` idioms. Returns the final expression and its type."""
        rng, context = self.rng, self.context
        for step in range(steps):
            context.current = value
            final = last and step == steps - 1
            signature = weighted(rng, TABLE[letter] if final or letter in "bi" else WIDE[letter])
            kinds = BLOCKS.get(signature, ())
            plain = EXPRESSIONS.get(signature, ()) if signature[1] != "p" or letter in "r" else ()
            if kinds and (not plain or rng.random() < 0.4 + 0.35 * self.difficulty):
                value = self.block(rng.choice(kinds), value, signature, indent)
            else:
                value = self.expression(value, signature, indent, final)
            letter = signature[1]
        return value, letter

    def put(self, text, indent):
        for line in text.split("\n"):
            if line.strip():
                self.context.lines.append(" " * indent + line.rstrip())

    def expression(self, value, signature, indent, final):
        rng, context = self.rng, self.context
        letter, other = signature
        text = context.expand(rng.choice(EXPRESSIONS[signature]), value)
        simple = value.isidentifier()
        if final and rng.random() < 0.5:
            return text
        if letter == other and simple and rng.random() < 0.2 + 0.2 * self.difficulty:
            return self.wrap(value, letter, text, indent)
        if letter == other and simple and rng.random() < 0.45:
            name = value
        else:
            if len(text) < 28 and rng.random() < 0.25 and atomic(text):
                return text
            name = context.fresh(OUT[other])
        self.put(f"{name} = {text}", indent)
        context.scope.append((name, other))
        return name

    def wrap(self, name, letter, text, indent):
        """Writes the assignment `name = text` under a condition, in a loop, or after a
        guard. Returns the name."""
        rng, context = self.rng, self.context
        predicate = {"s": "sp", "l": "lp", "w": "wp", "d": "dp", "i": "ip"}.get(letter)
        if predicate is None:
            self.put(f"{name} = {text}", indent)
            return name
        condition = context.expand(rng.choice(EXPRESSIONS[predicate]), name)
        other = context.expand(rng.choice(EXPRESSIONS[letter + letter]), name)
        style = rng.random()
        if style < 0.3:
            self.put(f"if {condition}:\n    {name} = {text}", indent)
        elif style < 0.55:
            self.put(f"if {condition}:\n    {name} = {text}\nelse:\n    {name} = {other}", indent)
        elif style < 0.65:
            second = context.expand(rng.choice(EXPRESSIONS[predicate]), name)
            self.put(f"if {condition}:\n    {name} = {text}\nelif {second}:\n    {name} = {other}", indent)
        elif style < 0.72:
            self.put(f"{name} = {text} if {condition} else {other}", indent)
        elif style < 0.82:
            count = context.literal("NUM")
            self.put(f"for {context.fresh(['_', 'i', '_'])} in range({count}):\n    {name} = {text}", indent)
        elif style < 0.88:
            count = context.fresh(["count", "n", "i", "steps", "tries"])
            self.put(f"{count} = 0\nwhile {condition} and {count} < {rng.randint(2, 5)}:\n    {name} = {text}\n    {count} += 1", indent)
        elif not self.script:
            self.guard(condition, name, letter, indent)
            self.put(f"{name} = {text}", indent)
        else:
            self.put(f"if not ({condition}):\n    {name} = {text}", indent)
        return name

    def guard(self, condition, name, letter, indent):
        rng, context = self.rng, self.context
        result = rng.choice((name, name, "None", "''", "-1", "[]", "False", "True", context.literal("WORD"),
                             context.expand(rng.choice(EXPRESSIONS[letter + letter]), name)))
        if rng.random() < 0.2:
            self.put(f"if {condition}: return {result}", indent)
        else:
            self.put(f"if {condition}:\n    return {result}", indent)

    def block(self, entry, value, signature, indent):
        rng, context = self.rng, self.context
        letter, other = signature
        definition, use, _ = entry
        if not value.isidentifier() or (value not in (name for name, _ in context.scope)):
            name = context.fresh(OUT[letter])
            self.put(f"{name} = {value}", indent)
            context.scope.append((name, letter))
            value = name
        bound = {}
        before = set(context.taken)
        if definition is not None:
            context.promote = False
            text = context.expand(definition, value, bound)
            context.promote = True
            if rng.random() < 0.6 and not re.search(rf"\b{value}\b", text):
                context.prelude.append(text)
            else:
                self.put(text, indent)
        template_out = context.fresh(OUT[other])
        bound["o"] = template_out
        text = context.expand(use, value, bound)
        self.put(text, indent)
        # a block that does not contain its result's name has changed the value in place
        mentions = re.search(rf"\b{template_out}\b", text)
        if not mentions:
            context.taken.discard(template_out)
            return value
        if rng.random() < 0.6:
            keep = {template_out} | {name for name, _, _ in context.parameters} | {bound.get("fn")}
            context.taken = before | keep
        context.scope.append((template_out, other))
        return template_out


def finish(composer, value, letter):
    """Returns the expression that the function returns."""
    rng, context = composer.rng, composer.context
    style = rng.random()
    if style < 0.72:
        return value
    if style < 0.8:
        known = [name for name, _ in context.scope if name != value]
        if known:
            other = rng.choice(known[-3:])
            return rng.choice((f"{value}, {other}", f"({value}, {other})", f"{value} == {other}", f"[{value}, {other}]",
                               f"{value}, len({value})" if letter in "swldp" else f"{value}, {other}"))
    rows = [other for other in "slwib" if EXPRESSIONS.get(letter + other) and letter + other not in ("sp", "lp")]
    if rows and style < 0.95:
        return context.expand(rng.choice(EXPRESSIONS[letter + rng.choice(rows)]), value)
    if letter in "swldpmgtae":
        return rng.choice((f"len({value})", f"{value} or None", f"str({value})", f"{value} if {value} else -1", f"not {value}",
                           f"bool({value})", f"list({value})", f"tuple({value})", f"sorted({value})" if letter in "swle" else f"{value}"))
    return rng.choice((f"str({value})", f"[{value}]", f"{value} or 0", f"({value},)"))


def compose(rng, difficulty):
    """Returns a composed program as (source, entry), without running it."""
    style = rng.random() if difficulty > 0.2 or rng.random() < 0.3 else 0.5
    if style < 0.13:
        odd = Odd(rng, difficulty)
        return layout(odd, odd.write(difficulty), False)
    if style < 0.45:
        composer = Composer(rng, difficulty, False)
        return layout(composer, tally(composer) if style < 0.27 else braid(composer), False)
    script = rng.random() < 0.08
    composer = Composer(rng, difficulty, script)
    context = composer.context
    if style > 0.93 and not script:
        return layout(composer, split(composer), False)
    letter = weighted(rng, list(FIRST.items()))
    steps = 1 if rng.random() > 0.3 + difficulty else rng.choice((1, 2, 2, 3, 3, 4) if difficulty > 0.35 else (1, 2, 2))
    hinted = BLOCKS and letter == "s" and rng.random() < 0.22
    entry = None
    if hinted:
        entry, signature = rng.choice(HINTED)
    argument = context.pool.value(letter, entry[2] if entry else None)
    name = context.fresh(PARAMS[letter])
    context.parameters.append((name, argument, letter))
    context.scope.append((name, letter))
    indent = 0 if script else 4
    value = name
    if not script and rng.random() < 0.12 and letter in "slw":
        context.current = name
        composer.guard(rng.choice((f"not {name}", f"len({name}) == 0", f"len({name}) < 2",
                                   context.expand(rng.choice(EXPRESSIONS[letter + "p"]), name))), name, letter, indent)
    if entry:
        context.current = name
        value, letter = composer.block(entry, name, signature, indent), signature[1]
        steps = max(steps - 1, rng.randrange(2))
    value, letter = composer.chain(value, letter, steps, indent)
    return layout(composer, finish(composer, value, letter), script)


def split(composer):
    """Writes a body that calls another function for a part of its work."""
    rng, context = composer.rng, composer.context
    inner = Composer(rng, composer.difficulty, False)
    inner.context.quota = 0
    letter = rng.choice("ssslliwd")
    name = inner.context.fresh(PARAMS[letter])
    inner.context.scope.append((name, letter))
    inner.context.parameters.append((name, None, letter))
    value, end = inner.chain(name, letter, rng.choice((1, 1, 2)), 4)
    function = context.fresh(NAMES + ["helper", "inner", "one", "part"])
    text = "\n".join([f"def {function}({name}):", *inner.context.lines, f"    return {value}"])
    context.prelude += inner.context.prelude + [text]
    whole = {"s": "w", "i": "l"}.get(letter) if rng.random() < 0.5 and end in "si" else None
    outer = context.fresh(PARAMS[whole or letter])
    context.parameters.append((outer, context.pool.value(whole or letter), whole or letter))
    context.scope.append((outer, whole or letter))
    if whole:
        one = context.fresh(["x", "y", "item", "el", "w", "n"])
        made = {"s": "w", "i": "l"}[end]
        target = context.fresh(OUT[made])
        style = rng.random()
        if style < 0.4:
            composer.put(f"{target} = [{function}({one}) for {one} in {outer}]", 4)
        elif style < 0.6:
            composer.put(f"{target} = list(map({function}, {outer}))", 4)
        else:
            composer.put(f"{target} = []\nfor {one} in {outer}:\n    {target}.append({function}({one}))", 4)
        end = made
    else:
        target = context.fresh(OUT[end])
        composer.put(f"{target} = {function}({outer})", 4)
    context.scope.append((target, end))
    value, end = composer.chain(target, end, rng.choice((0, 1, 1, 2)), 4)
    return finish(composer, value, end)


HINTED = [(entry, signature) for signature, entries in BLOCKS.items() if signature[0] == "s" for entry in entries if entry[2]]


# exceptions with which people's programs often end; programs that end with others are seldom kept
SLIPS = ("IndexError", "KeyError", "ValueError", "ZeroDivisionError")


BOUNDS = Bounds(126, number=10 ** 12, string=120, items=40, shown=200)
UNRUN = ("def ", "else:", "try:", "import ", "from ", "#", '"')


def dull(source, entry, outcome):
    """Returns whether the program teaches little: its result is empty, None or an unchanged
    argument, or much of its body did not run."""
    value = outcome.value
    if entry and (value is None or isinstance(value, (str, list, dict, tuple, set)) and (not value or f"({value!r}" in entry)):
        return True
    text = sum(1 for line in source.split("\n") if line.strip() and not line.lstrip().startswith(UNRUN))
    return len(outcome.lines) < 0.75 * text


def make(rng: random.Random, difficulty: float) -> Program:
    """Returns a program of chained idioms that ends soon and whose values stay small."""
    fail = rng.random() < 0.025  # whether an exception ends the program
    for turn in range(60):
        made = compose(rng, difficulty)
        if made is None:
            continue
        outcome = run_bounded(*made, BOUNDS)
        events, raised = outcome.events, outcome.raised
        if not outcome.ended or events < (3 if difficulty < 0.5 else 4):
            continue
        if bool(raised) != fail and turn < 40 or raised and not fail:
            continue
        if raised and raised not in SLIPS and rng.random() < 0.8:
            continue
        if raised:
            return Program(made[0], made[1], "idiom")
        if events < 12 and difficulty > 0.25 and rng.random() < 0.5 or events > 70 and rng.random() < 0.3:
            continue
        if dull(*made, outcome) and rng.random() < 0.7:
            continue
        return Program(made[0], made[1], "idiom")
    return Program("def f(x):\n    return x + 1\n", "f(1)", "idiom")
