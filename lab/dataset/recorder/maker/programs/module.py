"""Whole small scripts: composed ones, and variants of scripts that people wrote."""

import builtins
import keyword
import re

from . import words
from .module_body import indent
from .module_compose import compose
from .module_scripts import SCRIPTS
from .module_template import render
from ..program import Program
from .trial import Bounds, run_bounded

_LITERAL = re.compile(r"(?<![\w.'\"\[{-])(?:\d+|'[^'\\\n]{0,24}')(?=[,)\]]| *$)")
_SHARED = frozenset(keyword.kwlist) | frozenset(dir(builtins)) | frozenset("0123456789") | {"e", "x", "i", "n", "append", "self"}
TRIES = 40
COMPOSED = 0.65
NEVER = ("NameError", "UnboundLocalError", "SyntaxError", "RecursionError")
BOUNDS = Bounds(128, number=10**10, string=120, items=14, shown=200)


def _lift(rng, driver):
    """Replaces some of the driver's literals by parameters of a function around it."""
    spots = [(i, m) for i, line in enumerate(driver) for m in _LITERAL.finditer(line)
             if not line.lstrip().startswith(("case", "def", "class", "@", "for", "while")) and "f'" not in line and "lambda" not in line]
    if not spots or rng.random() < 0.25:
        return driver, [], []
    used = set(re.findall(r"\w+", "\n".join(driver)))
    params, args, out = [], [], list(driver)
    for i, m in sorted(rng.sample(spots, min(len(spots), rng.randint(1, 3))), key=lambda s: (s[0], -s[1].start())):
        text = m.group(0)
        options = ("s", "text", "name", "word", "t") if text[0] == "'" else ("n", "x", "k", "limit", "amount", "m")
        free = [p for p in options if p not in used]
        if not free or out[i][m.start():m.end()] != text or out[i][:m.start()].count("'") % 2:
            continue
        param = rng.choice(free)
        used.add(param)
        out[i] = out[i][:m.start()] + param + out[i][m.end():]
        params.append(param)
        args.append(text)
    return out, params, args


def _as_entry(rng, defs, driver):
    """Returns the driver as the function that the entry calls."""
    driver, params, args = _lift(rng, driver)
    body = list(driver)
    last = re.match(r"(\w+) = ", body[-1])
    assigned = [m.group(1) for m in (re.match(r"(\w+) [-+*/%]?= ", line) for line in body) if m]
    if last and rng.random() < 0.6:
        body[-1] = "return " + body[-1][last.end():]
    elif assigned and not body[-1].startswith("return"):
        shown = rng.sample(assigned, min(len(assigned), rng.choice((1, 1, 2))))
        body.append("return " + ", ".join(dict.fromkeys(shown)))
    taken = set(re.findall(r"\w+", "\n".join("\n".join(d) for d in defs + [driver])))
    name = next((n for n in rng.sample(("main", "run", "demo", "test", "f", "go", "solve"), 7) if n not in taken), "run_all")
    return [f"def {name}({', '.join(params)}):"] + indent(body), f"{name}({', '.join(args)})"


def _assemble(rng, imports, defs, driver):
    """Returns the source and the entry: imports, definitions, then the driver in one of its forms."""
    gap = [""] * rng.choice((1, 1, 2, 2, 2))
    lines = list(imports) + (gap if imports else [])
    # A class body that uses super() returns a cell. The cell's address cannot be recorded, so such
    # modules are defined before the recording begins.
    roll = 0.0 if any("super()" in line for d in defs for line in d) else rng.random()
    entry = None
    whole = not any(line.startswith(("global ", "nonlocal ")) for line in driver)
    if roll < 0.27 and whole:
        block, entry = _as_entry(rng, defs, driver)
    elif roll < 0.40 and whole:
        block = ["def main():"] + indent(driver) + gap + rng.choice((["main()"], ["if __name__ == '__main__':", "    main()"]))
    elif roll < 0.45:
        block = ["if __name__ == '__main__':"] + indent(driver)
    else:
        block = driver
    for d in defs:
        lines += d + gap
    lines += block
    text = "\n".join(line for line in lines) + "\n"
    if '"' not in text and rng.random() < 0.25:
        text = text.replace("'", '"')
    if rng.random() < 0.08:
        text = f"# {words.sentence(rng).strip()}\n".replace("\\", "") + text
    return text, entry


_TWISTS = ((" + ", " - "), (" - ", " + "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" and ", " or "),
        (" or ", " and "), ("min(", "max("), ("max(", "min("),
           ("[0]", "[-1]"), ("[-1]", "[0]"), ("+= ", "-= "), ("append(", "extend("), (" // ", " % "), (" * ", " + "), ("[1:]", "[:-1]"),
                   ("not in", "in"), ("continue", "break"), ("return True", "return False"), (", 1)", ", 2)"))


def _twist(rng, defs):
    """Replaces one operator, constant or method in the definitions, to create a typical bug."""
    spots = [(i, j, old, new) for i, block in enumerate(defs) for j, line in enumerate(block) for old, new in _TWISTS
             if old in line and not line.lstrip().startswith(("for ", "while ", "def ", "class ", "if not ", "if n ")) and "f'" not in line]
    if not spots:
        return defs
    i, j, old, new = rng.choice(spots)
    out = [list(block) for block in defs]
    out[i][j] = out[i][j].replace(old, new, 1)
    return out


def _draw(rng, difficulty, composed):
    """Returns one candidate's imports, definitions, driver, and whether it may raise."""
    if composed:
        return compose(rng, difficulty)
    imports, defs, driver, may_raise = render(rng.choice(SCRIPTS), rng)
    if rng.random() < 0.25:
        defs = _twist(rng, defs)
    if rng.random() < 0.15:
        more = compose(rng, 0.0)
        names = lambda lines: set(re.findall(r"\w+", "\n".join(lines)))
        mine = names([x for d in defs for x in d if not x.startswith(" ")] + driver)
        if not names([x for d in more[1] for x in d if not x.startswith(" ")] + more[2]) & mine - _SHARED:
            imports += [x for x in more[0] if x not in imports]
            parts = [(defs, driver), (more[1], more[2])]
            rng.shuffle(parts)
            return imports, parts[0][0] + parts[1][0], parts[0][1] + parts[1][1], may_raise or more[3]
    return imports, defs, driver, may_raise


def make(rng, difficulty):
    """Returns a script that ends, has a suitable length, and raises only if that is intended."""
    # Most scripts are composed, so that a model learns structures instead of whole scripts.
    composed = rng.random() < COMPOSED
    for _ in range(TRIES):
        imports, defs, driver, may_raise = _draw(rng, difficulty, composed)
        source, entry = _assemble(rng, imports, defs, driver)
        if source.count("\n") > 26 + 30 * difficulty or len(source) > 1700:
            continue
        outcome = run_bounded(source, entry, BOUNDS)
        if not outcome.ended or outcome.events < 10:
            continue
        # Some scripts with unintended exceptions are also kept, if the exceptions are
        # of a kind that people debug.
        if not outcome.raised or (outcome.raised not in NEVER and (may_raise or rng.random() < 0.6)):
            return Program(source, entry, "module.composed" if composed else "module.script")
    return Program("x = 1\ny = x + 1\nprint(x, y)\n", None, "module.composed")
