"""Compound statements of the synthesiser: conditions, try, inner functions."""

import re

from .synth_core import Retry
from .synth_loops import Loops, indent
from .synth_tables import split
from .synth_values import draw, fits

_NAMES = re.compile(r"[A-Za-z_]\w*")
# Conditions on which people leave a function early.
_GUARDS = (
    "not <r:str>", "not <r:li>", "not <r:dsi>", "not <r:ls>", "len(<r:seq>) == 0", "len(<r:seq>) < <n:1:4>", "len(<r:sized>) > <n:4:12>",
    "<r:str> == ''", "<r:int> < 0", "<r:int> <= <n:0:3>", "<r:int> == 0", "<r:opt> is None", "<key> not in <r:dsi>", "<elem> not in <r:li>",
    "<sub> not in <r:str>", "<r:str>[0] == <ch>", "<r:str>.find(<sub>) == -1", "<r:str>.count(<sub>) > 1", "len(<r:seq>) % 2 == 1",
    "<r:li>[0] > <b0>[-1]", "<r:li> == sorted(<b0>)", "len(<r:seq>) != len(<r:seq>)", "<r:str>.isdigit()", "not <r:str>.isalpha()",
)


class Blocks(Loops):
    """Generates the statements of a function's or module's body with a Maker."""

    def __init__(self, maker, returns=None):
        self.maker = maker
        self.returns = returns  # the type that return statements return; None outside functions
        self.depth = 0
        self.deep = 1 + (maker.rng.random() < 0.3 + 0.5 * maker.difficulty)

    # ------------------------------------------------------------------ entry points

    def statement(self):
        """Returns the lines of one statement, executed on the current values, or None."""
        maker, rng = self.maker, self.maker.rng
        if self.depth == 0 and rng.random() < 0.035:
            made = self.inner_function()
            if made:
                return made
        compound = 0.22 + 0.42 * maker.difficulty if self.depth == 0 else 0.10 + 0.12 * maker.difficulty
        if self.depth < 3 and rng.random() < compound:
            kinds, weights = self._KINDS
            make = rng.choices(kinds, weights)[0]
            for _ in range(3):
                lines = self.attempt(make)
                if lines:
                    return lines
        return maker.plain(self.deep)

    def attempt(self, make):
        """Generates a compound statement on a copy of the values, then executes it on the real
        ones."""
        maker = self.maker
        saved, hot, locked, looping = maker.save(), maker.hot, maker.locked, maker.in_loop
        maker.types, maker.env = dict(maker.types), dict(maker.env)
        maker.fork()
        self.depth += 1
        try:
            lines, fresh = make(self)
        except Retry:
            lines = None
        finally:
            self.depth -= 1
            maker.undo(saved)
            maker.hot, maker.locked, maker.in_loop = hot, locked, looping
        if not lines:
            return None
        maker.fresh = fresh
        return lines if maker.commit(lines) else None

    def block(self, count):
        """Returns statements for an indented block."""
        maker = self.maker
        saved = maker.save()
        maker.types, maker.env = dict(maker.types), dict(maker.env)
        maker.fork()
        lines = []
        for _ in range(count):
            made = self.statement()
            if made:
                lines.extend(made)
        maker.undo(saved)
        return lines or ["pass"]

    def condition(self, want=None):
        """Returns a condition that is currently true or false as wanted. Inside a loop
        it is about the loop's variables."""
        maker = self.maker
        source = None
        for _ in range(5):
            maker.avoid = None
            source = maker.expr("bool", 1 + (maker.rng.random() < 0.4), 1)
            if not maker.mentions(source):
                source = None
                continue
            try:
                held = bool(maker.value(source))
            except Retry:
                continue
            if maker.hot and not any(name in maker.hot for name in _NAMES.findall(source)):
                if maker.rng.random() < 0.9:
                    continue
            if want is None or held == want:
                return source
            if maker.rng.random() < 0.3:
                return source
        if source is None:
            raise Retry
        maker.value(source)
        return source

    def inner_function(self):
        """Returns a lambda with a name, or a function inside the function."""
        maker, rng = self.maker, self.maker.rng
        takes, gives = rng.choice(("int", "int", "str", "str", "li")), rng.choice(("int", "str", "bool", "li"))
        name = next((one for one in ("fn", "g", "helper", "key", "op", "inner", "step", "h") if one not in maker.env and rng.random() < 0.5), None)
        if not name:
            return None
        saved, hot, functions = maker.save(), maker.hot, maker.functions
        maker.types, maker.functions = dict(maker.types), []
        maker.fork()
        taken = rng.choice([one for one in "xvyzuwt" if one not in maker.types])
        maker.bind(taken, takes, draw(rng, takes))
        maker.hot = (taken,)
        try:
            body = maker.expr(gives, 2)
            other = maker.expr(gives, 1)
            test = self.condition()
        except Retry:
            return None
        finally:
            maker.undo(saved)
            maker.hot, maker.functions = hot, functions
        if taken not in _NAMES.findall(body):
            return None
        if rng.random() < 0.5:
            lines = [f"{name} = lambda {taken}: {body}"]
        else:
            lines = [f"def {name}({taken}):", *([f"    if {test}:", f"        return {other}"] if rng.random() < 0.4 else []), f"    return {body}"]
        maker.fresh = []
        if not maker.commit(lines):
            return None
        maker.functions = [*maker.functions, (name, [takes], gives)]
        if rng.random() < 0.8:  # it is usually called in the next statement
            try:
                given = maker.expr(takes, 1)
                source = f"{name}({given})"
                items = maker.pool("li" if takes == "int" else "ls" if takes == "str" else "ll")
                kind = gives
                if items and rng.random() < 0.6:
                    kind = {"int": "li", "str": "ls", "bool": "lb", "li": "ll"}[gives]
                    item = rng.choice(items)
                    source = rng.choice((f"list(map({name}, {item}))", f"[{name}(one) for one in {item}]"))
                maker.fresh = []
                line = f"{maker.target(kind, [])} = {source}"
                if maker.commit([line]):
                    lines.append(line)
            except Retry:
                pass
        return lines

    # ------------------------------------------------------------------ conditions

    def exit_lines(self):
        """Returns lines that leave the block early: return, and in loops also break and
        continue."""
        maker, rng = self.maker, self.maker.rng
        roll = rng.random()
        if maker.in_loop and roll < 0.6:
            return [rng.choice(("continue", "continue", "break"))]
        if self.returns is None:
            return None
        if rng.random() < 0.4:
            simple = ["-1", "0", "None", "[]", "''", "False", "True", *[name for name in maker.types if name not in maker.hot]]
            return [f"return {maker.requote(rng.choice(simple))}"]
        return [f"return {self.result()}"]

    def result(self, deep=1):
        """Returns a value to return, usually a variable that was computed for it."""
        maker, rng = self.maker, self.maker.rng
        for _ in range(5):
            maker.avoid = None
            source = maker.expr(self.returns, deep if rng.random() < 0.6 or deep > 1 else 0)
            if deep > 1 and not maker.mentions(source):
                continue
            try:
                if fits(maker.value(source)):
                    return source
            except Retry:
                pass
        raise Retry

    def conditional(self):
        """Returns an if statement, sometimes with elif and else."""
        rng = self.maker.rng
        missing = [name for name in self.maker.pool("opt") if name not in self.maker.locked]
        if missing and rng.random() < 0.5:
            name = rng.choice(missing)
            return [f"if {name} is None:", f"    {name} = {self.maker.expr('int', 1)}"], []
        test = self.condition()
        most = 1 + (rng.random() < 0.35)
        if rng.random() < 0.12:
            body = self.block(1)
            if len(body) == 1 and body != ["pass"]:
                return [f"if {test}: {body[0]}"], []
            return [f"if {test}:", *indent(body)], []
        lines = [f"if {test}:", *indent(self.block(most))]
        if rng.random() < 0.22:
            lines += [f"elif {self.condition()}:", *indent(self.block(1))]
        if rng.random() < 0.5:
            lines += ["else:", *indent(self.block(most))]
        return lines, []

    def guard(self):
        """Returns a condition under which the function returns early. It is usually false for this
        input."""
        rng = self.maker.rng
        test = None
        if not self.maker.in_loop and rng.random() < 0.4:
            try:
                self.maker.avoid = None
                test = self.maker.fill(split(rng.choice(_GUARDS)), 1)
                if self.maker.value(test) and rng.random() < 0.8:
                    test = None
            except Retry:
                test = None
        test = test or self.condition(want=rng.random() < (0.35 if self.maker.in_loop else 0.10))
        leave = self.exit_lines()
        if not leave:
            return self.conditional()
        if not self.maker.in_loop and rng.random() < 0.08:
            error = rng.choice(("ValueError", "ValueError", "TypeError", "KeyError", "IndexError", "RuntimeError"))
            message = rng.choice(("'bad input'", "'empty'", "'too long'", "f'unexpected {" + rng.choice(list(self.maker.types)) + "}'", "", "'invalid'"))
            leave = [f"raise {error}({message})"]
        if rng.random() < 0.2:
            return [f"if {test}: {leave[0]}"], []
        before = self.block(1) if rng.random() < 0.15 else []
        return [f"if {test}:", *indent([line for line in before if line != "pass"] + leave)], []

    def attempted(self):
        """Returns a try statement around code that may raise."""
        maker, rng = self.maker, self.maker.rng
        maker.fresh = []
        kind, risky, error = rng.choice((
            ("int", "int(<str>)", "ValueError"), ("int", "<r:dsi>[<key>]", "KeyError"), ("int", "<r:li>[<n:-3:9>]", "IndexError"),
            ("int", "<int@7> // <int@8>", "ZeroDivisionError"), ("int", "<r:li>.index(<elem>)", "ValueError"), ("int", "<r:str>.index(<sub>)", "ValueError"),
            ("int", "<r:str>.rindex(<sub>)", "ValueError"), ("str", "<r:str>[<n:0:9>]", "IndexError"), ("str", "<r:dss>[<key>]", "KeyError"),
            ("float", "float(<str>)", "ValueError"), ("int", "<r:dsi>.pop(<key>)", "KeyError"), ("str", "<r:str> + <any>", "TypeError"),
            ("int", "int(<str>, <n:2:16>)", "ValueError"), ("int", "max(<r:li>)", "ValueError"), ("int", "next(iter(<r:li>))", "StopIteration"),
            ("int", "len(<any>)", "TypeError"), ("str", "<r:ls>.pop()", "IndexError"), ("int", "<int@6> % <int@8>", "ZeroDivisionError"),
        ))
        maker.avoid = None
        source = maker.fill(split(risky), 1)
        if not maker.mentions(source):
            raise Retry
        name = maker.name(kind)
        fallback = maker.constant(kind)[0]
        if rng.random() < 0.2:
            error = rng.choice(("Exception", f"({error}, TypeError)", "LookupError" if error in ("KeyError", "IndexError") else error))
        if self.returns == kind and rng.random() < 0.25:
            return ["try:", f"    return {source}", f"except {error}:", f"    {name} = {fallback}"], []
        clause = f"except {error}:" if rng.random() < 0.75 else f"except {error} as {'e' if 'e' not in maker.types else 'err'}:"
        handler = [f"{name} = {fallback}"]
        if clause.endswith("e:") and " as " in clause and kind == "str" and rng.random() < 0.6:
            handler = [f"{name} = str(e)"]
        lines = ["try:", f"    {name} = {source}", clause, *indent(handler)]
        if rng.random() < 0.15:
            lines += ["else:", *indent(self.block(1))]
        if rng.random() < 0.15:
            lines += ["finally:", *indent(self.block(1))]
        return lines, [(name, kind)]

    _KINDS = ((conditional, guard, Loops.loop_for, Loops.loop_while, Loops.loop_in_place, attempted), (2.8, 1.8, 5.0, 1.9, 1.0, 0.7))
