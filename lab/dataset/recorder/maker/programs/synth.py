"""The typed random synthesiser: functions and scripts with strings, lists, dicts and numbers.

It writes programs together with their current values (synth_core), so that most operations have
an effect. make() runs each program once, and drops it if it is long or if its values grow.
"""

import random

from . import words
from ..program import Program
from .synth_blocks import Blocks
from .synth_loops import indent
from .synth_core import Maker, Retry
from .synth_drill import drill
from .synth_slice import changed_in, keep_needed, names_in
from .synth_values import HINTS, bounds_for, draw, duplicate, literal
from .trial import FILE, run_bounded

_PARAMETER_KINDS = ("str", "int", "li", "ls", "dsi", "ch", "dss", "dis", "ll", "lp", "dsl", "bool", "ti", "opt", "float", "si", "ts", "fs", "lb", "by")
_PARAMETER_ODDS = (11, 5, 6, 4.5, 3, 2, 1.3, 1, 0.9, 0.6, 0.8, 0.5, 0.7, 0.4, 0.5, 0.8, 0.5, 0.25, 0.15, 0.2)
_COMMENTS = ("# check", "# step", "# keep it short", "# update", "# edge case", "# main part", "# TODO", "# build the result", "# not used", "# first")


def _finish(rng, blocks, lines, hints):
    """Adds the final return, of a value that the function worked on."""
    maker = blocks.maker
    changed = changed_in(lines) if lines else set()
    last = [name for name in maker.types if name not in hints]
    order = last[::-1] + [name for name in maker.types if name in hints and name in changed]
    if not order:
        raise Retry
    kind = maker.types[order[0]] if rng.random() < 0.65 else maker.types[rng.choice(order)]
    blocks.returns = blocks.returns if blocks.returns and rng.random() < 0.7 else kind
    try:
        name = last[-1] if last else order[0]
        if rng.random() < 0.4 and maker.types[name] == "ls":
            lines.append(f"return {maker.requote(repr(rng.choice(('', '', ' ', ', ', '-', ','))))}.join({name})")
            blocks.returns = "str"
            return
        if rng.random() < 0.3 and maker.types[name] not in ("bool", "opt"):
            maker.hot = (name,)
            blocks.returns = rng.choice(("str", "int", "li", "ls", "bool", "str", "int", "ti"))
            for _ in range(4):
                source = blocks.result(2)
                if name in source:
                    lines.append(f"return {source}")
                    return
        if rng.random() < 0.55 and last:
            fitting = [name for name in last if maker.types[name] == blocks.returns]
            source = fitting[-1] if fitting and rng.random() < 0.7 else rng.choice(fitting) if fitting else blocks.result(2)
        elif rng.random() < 0.2 and len(order) > 1:
            source = ", ".join(rng.sample(order[:4], 2))
            blocks.returns = "any"
        else:
            source = blocks.result(2)
    except Retry:
        source = order[0]
        blocks.returns = maker.types[source]
    lines.append(f"return {source}")


class Spread(tuple):
    """The arguments that a function receives in a parameter `*name`."""


def function(rng, difficulty, quote, name, helpers=(), env=None, constant=None):
    """Returns a function: (lines, its parameters' types, its result's type, the
    arguments' values)."""
    maker = Maker(rng, difficulty, quote)
    maker.functions = list(helpers)
    maker.env.update(env or {})
    if constant:
        maker.bind(*constant)
        maker.locked = (constant[0],)
    count = rng.choices((1, 2, 3, 4), (4, 5, 2.5, 0.7))[0]
    kinds = rng.choices(_PARAMETER_KINDS, _PARAMETER_ODDS, k=count)
    parameters, arguments = [], []
    for kind in kinds:
        new = maker.name(kind, parameter=True)
        value = draw(rng, kind)
        if not value and kind not in ("bool", "opt", "int") and rng.random() < 0.7:
            value = draw(rng, kind)
        parameters.append(new)
        arguments.append(value)
        maker.bind(new, kind, duplicate(value, {}))
    blocks = Blocks(maker, rng.choice([*kinds, "int", "str", "bool", "li", "ls"]))
    if blocks.returns in ("fs", "by", "opt", "ch"):
        blocks.returns = "str"
    lines = []
    for _ in range(2 + int(difficulty * rng.randint(3, 10) + rng.random() * 2)):
        made = blocks.statement()
        if made:
            if len(made) > 1 and rng.random() < 0.03:
                lines.append(rng.choice(_COMMENTS))
            lines.extend(made)
            if any(line.startswith(("return", "    return")) for line in made) and _returned(maker):
                break
        if len(lines) > 8 + 30 * difficulty:
            break
    _finish(rng, blocks, lines, [*parameters, constant[0]] if constant else parameters)
    if rng.random() < 0.96:
        lines = keep_needed(lines, prints=rng.random() < 0.7)
    used = names_in(lines)
    kept = [at for at, one in enumerate(parameters) if one in used or rng.random() < 0.06]
    if not any(one in used for one in parameters) or len(lines) < 2 and lines[0].count(" ") < 2 and rng.random() < 0.95:
        raise Retry
    parameters, kinds, arguments = ([group[at] for at in kept] for group in (parameters, kinds, arguments))
    starred = rng.random() < 0.05 and kinds[-1] in ("ti", "ts", "li", "ls")
    if starred and kinds[-1] in ("li", "ls"):
        lines.insert(0, f"{parameters[-1]} = list({parameters[-1]})")
    hinted = not starred and rng.random() < 0.12
    shown = [f"{one}: {HINTS[kind]}" if hinted else one for one, kind in zip(parameters, kinds)]
    if not starred and rng.random() < 0.08 and kinds[-1] in ("int", "str", "bool", "opt", "ch"):
        default = literal(arguments[-1], quote)
        shown[-1] = f"{shown[-1]} = {default}" if hinted else f"{shown[-1]}={default}"
        if rng.random() < 0.5:
            arguments = arguments[:-1]
    if starred:
        shown[-1] = "*" + shown[-1]
        arguments = [*arguments[:-1], Spread(arguments[-1])]
    result = blocks.returns
    tail = f" -> {HINTS[result]}" if hinted and result in HINTS and rng.random() < 0.7 else ""
    head = f"def {name}({', '.join(shown)}){tail}:"
    if rng.random() < 0.03:
        lines.insert(0, '"""' + words.sentence(rng).strip().capitalize()[:40].replace("\\", "").replace('"', "") + '"""')
    return [head, *indent(lines)], parameters, kinds, result, arguments


def _returned(maker):
    """Returns whether the last statement returned."""
    return maker.left


def _call(rng, name, parameters, arguments, quote):
    """Returns the call's source, sometimes with keyword arguments."""
    spread = bool(arguments) and isinstance(arguments[-1], Spread)
    named = not spread and rng.random() < 0.04
    shown = [literal(value, quote) for value in (arguments[:-1] if spread else arguments)]
    if spread:
        shown += [literal(value, quote) for value in arguments[-1]]
    if named:
        at = rng.randrange(len(shown)) if shown else 0
        shown = [f"{parameter}={one}" if place >= at else one for place, (parameter, one) in enumerate(zip(parameters, shown))]
    return f"{name}({', '.join(shown)})"


def _function_form(rng, difficulty, quote):
    helpers, helpers_lines, lines, env = [], [], [], {}
    if difficulty > 0.3 and rng.random() < 0.18:
        for _ in range(1 + (rng.random() < 0.2)):
            helper = _helper(rng, quote, helpers, env)
            if helper:
                helpers_lines.append((helpers[-1][0], helper))
    constant = None
    if rng.random() < 0.05:
        constant = (rng.choice(("LIMIT", "MAX", "BASE", "OFFSET", "SIZE", "N", "STEP", "K", "THRESHOLD")), "int", rng.randint(1, 30))
    name = words.function_name(rng)
    if any(name == helper[0] for helper in helpers):
        name = "f_main"
    made, parameters, kinds, _, arguments = function(rng, difficulty, quote, name, helpers, env, constant)
    text = "\n".join(made)
    for name_, kept in helpers_lines:
        if f"{name_}(" in text:
            lines += [*kept, "", ""]
    lines += made
    if constant and constant[0] in text:
        lines = [f"{constant[0]} = {constant[2]}", "", *lines]
    if rng.random() < 0.30:
        arguments = [Spread(draw(rng, kind)) if isinstance(old, Spread) else draw(rng, kind) for kind, old in zip(kinds, arguments)]
    return _with_imports(lines), _call(rng, name, parameters, arguments, quote)


def _helper(rng, quote, helpers, env):
    """Returns a small function, which the main function can call."""
    name = words.function_name(rng)
    if name == "f" or any(name == one[0] for one in helpers):
        name = rng.choice(("helper", "g", "h", "step", "calc", "prep", "pick_one"))
        if any(name == one[0] for one in helpers):
            return None
    lines, _, kinds, result, arguments = function(rng, 0.15 * rng.random(), quote, name)
    if result not in ("int", "str", "li", "ls", "bool", "dsi", "ti") or len(arguments) < len(kinds) or arguments and isinstance(arguments[-1], Spread):
        return None
    space = Maker(rng, 0).env
    exec(compile("\n".join(lines), FILE, "exec", dont_inherit=True), space)  # with the name FILE, so that trials count its events
    env[name] = space[name]
    helpers.append((name, kinds, result))
    return lines


def _module_form(rng, difficulty, quote):
    """Returns statements at the top level, sometimes with functions and prints."""
    maker = Maker(rng, difficulty, quote)
    lines = []
    if rng.random() < 0.45:
        for _ in range(1 + (rng.random() < 0.25)):
            env = {}
            helper = _helper(rng, quote, maker.functions, env)
            if helper:
                lines += [*helper, "", ""][:-1 if rng.random() < 0.5 else None]
                maker.env.update(env)
                maker.taken.update(env)
    for _ in range(rng.randint(1, 3)):
        kind = rng.choices(_PARAMETER_KINDS, _PARAMETER_ODDS)[0]
        if kind in ("opt", "fs", "by", "lb"):
            kind = "str"
        new = maker.name(kind)
        value = draw(rng, kind)
        maker.bind(new, kind, value)
        lines.append(f"{new} = {literal(value, quote)}")
    blocks = Blocks(maker)
    for _ in range(1 + int(difficulty * rng.randint(1, 7) + rng.random() * 2)):
        if maker.functions and rng.random() < 0.4:
            made = _called(rng, maker)
        else:
            made = blocks.statement()
        lines.extend(made or [])
        if len(lines) > 6 + 28 * difficulty:
            break
    if rng.random() < 0.7 and maker.types:
        names = list(maker.types)[-rng.randint(1, 3):]
        lines.append(rng.choice((f"print({', '.join(names)})", f"print({names[-1]})", f"print(f'{{{names[-1]}}}')")))
    if rng.random() < 0.7:
        head = next((at for at, line in enumerate(lines) if line and line[0] != " " and line[:4] != "def "), 0)
        lines = lines[:head] + keep_needed(lines[head:], list(maker.types)[-rng.randint(1, 4):])
    return _with_imports(lines), None


def _called(rng, maker):
    """Returns a statement that calls one of the module's functions."""
    name, kinds, result = rng.choice(maker.functions)
    try:
        source = f"{name}({', '.join(maker.expr(kind, rng.randint(0, 1)) for kind in kinds)})"
    except Retry:
        return None
    if rng.random() < 0.2:
        lines, maker.fresh = [f"print({source})"], []
    else:
        maker.fresh = []
        lines = [f"{maker.target(result, [])} = {source}"]
    return lines if maker.commit(lines) else None


def _with_imports(lines):
    text = "\n".join(lines)
    used = [name for name in ("collections", "itertools", "math", "re") if f"{name}." in text]
    if used:
        lines = [*(f"import {name}" for name in used), "", *lines]
    return lines


def _layout(rng, lines):
    """Returns the lines, sometimes with blank lines and comments added."""
    while lines and not lines[0]:
        lines = lines[1:]
    if rng.random() < 0.85:
        return lines
    out = []
    for line in lines:
        if out and line.strip() and not out[-1].endswith(":") and rng.random() < 0.08 and not line.lstrip().startswith(("elif", "else", "except", "finally", "def")):
            if rng.random() < 0.7:
                out.append("")
            else:
                out.append(line[:len(line) - len(line.lstrip())] + rng.choice(_COMMENTS))
        if rng.random() < 0.04 and line.strip() and not line.endswith((":", "'''", '"""')):
            line += "  " + rng.choice(_COMMENTS)
        out.append(line)
    return out


def make(rng: random.Random, difficulty: float) -> Program:
    """Returns a program: a drill (see synth_drill), a function with a call of it, or a script."""
    quote = '"' if rng.random() < 0.25 else "'"
    roll = rng.random()
    while True:
        try:
            if roll < 0.20:
                lines, entry = drill(rng, quote)
            elif roll < 0.78:
                lines, entry = _function_form(rng, difficulty, quote)
            else:
                lines, entry = _module_form(rng, difficulty, quote)
        except Retry:
            continue
        except (TypeError, ValueError, LookupError, AttributeError):
            # A name changed its type in a way that the maker does not track. This is
            # rare, so the program is dropped.
            continue
        source = "\n".join(_layout(rng, lines)) + "\n"
        outcome = run_bounded(source, entry, bounds_for(source))
        if not outcome.ended or outcome.raised and rng.random() > 0.8:
            continue
        if roll >= 0.2 and not outcome.raised and outcome.events < 5 + 14 * difficulty and rng.random() < 0.8:
            continue
        return Program(source, entry, "drill" if roll < 0.20 else "synth")
