"""Parts of composed scripts: each returns definitions and ways to use them.

A part is a function of the generator `g` that returns (definitions, uses, imports): lists of
lines, functions `use(scope) -> lines`, and import lines.
"""

from . import words
from .module_body import indent
from .module_class import build, write_class
from .module_expr import Scope


def keep(g, scope, kind, text):
    """Returns lines of the driver that use an expression: they assign it to a new name,
    or print it."""
    rng = g.rng
    if kind is None or rng.random() < 0.12:
        return [f"print({text})"] if rng.random() < 0.4 and kind else [text]
    name = g.fresh(kind, scope)
    scope.vars[name] = kind
    scope.assignable.add(name)
    g.taken.add(name)
    return [f"{name} = {text}"]


def arguments(g, scope, kinds):
    rng = g.rng
    return ", ".join(g.expr(k, scope, 1 if rng.random() < 0.2 else 0) if rng.random() < 0.45 else g.literal(k) for k in kinds)


def part_function(g):
    lines = g.function()
    name, kinds, result = g.funcs[-1]

    def use(scope):
        if g.rng.random() < 0.25:
            item = g.fresh(kinds[0], scope)
            rest = "".join(f", {g.literal(k)}" for k in kinds[1:])
            data = ", ".join(g.literal(kinds[0]) for _ in range(g.rng.randint(2, 3)))
            if g.rng.random() < 0.5:
                return [f"for {item} in ({data}):", f"    print({name}({item}{rest}))"]
            return [f"print([{name}({item}{rest}) for {item} in [{data}]])"] if g.rng.random() < 0.3 else \
                [f"{g.top_name('ints')} = [{name}({item}{rest}) for {item} in [{data}]]"]
        return keep(g, scope, result, f"{name}({arguments(g, scope, kinds)})")

    return [lines], [use], []


def part_star(g):
    """Returns functions with *args, **kwargs and keyword-only parameters."""
    rng = g.rng
    name = g.func_name()
    shape = rng.choice(("args", "kwargs", "both", "kwonly", "forward"))
    if shape == "args":
        scope = Scope({"args": "ints", "first": "int"})
        lines = [f"def {name}(first, *args):"] + indent(g.function_body(scope, "int", rng.choice((0, 1, 2))))
        calls = lambda: rng.choice((f"{name}({', '.join(g.number() for _ in range(rng.randint(1, 4)))})", f"{name}(*[{g.number()}, {g.number()}])",
                                    f"{name}({g.number()}, *[{g.number()}, {g.number()}])", f"{name}({g.number()}, *range({rng.randint(0, 4)}))"))
    elif shape == "kwargs":
        scope = Scope({"options": "dict"})
        lines = [f"def {name}(**options):"] + indent(g.function_body(scope, "int", rng.choice((0, 1, 2))))
        calls = lambda: rng.choice((f"{name}({', '.join(f'{k}={g.number()}' for k in rng.sample('abcdxyz', rng.randint(0, 3)))})",
                f"{name}(**{{'a': {g.number()}, 'n': {g.number()}}})"))
    elif shape == "both":
        lines = [f"def {name}(*args, **kwargs):"] + indent(g.block(s := Scope({"args": "ints", "kwargs": "dict"}),
                rng.choice((0, 1))) if rng.random() < 0.3 else []) + indent(
            rng.choice((["return len(args), sorted(kwargs)"], ["return sum(args) + sum(kwargs.values())"],
                    ["merged = dict(kwargs)", "for i, arg in enumerate(args):", "    merged[f'arg{i}'] = arg", "return merged"],
                    ["return [*args, *kwargs.values()]"])))
        calls = lambda: f"{name}({', '.join([g.number() for _ in range(rng.randint(0, 3))] + [f'{k}={g.number()}' for k in rng.sample('abcxyz', rng.randint(0, 2))])})"
        lines = [x for x in lines if x.strip() != "pass"]
        return [lines], [lambda scope: keep(g, scope, "any", calls())], []
    elif shape == "kwonly":
        scope = Scope({"x": "int", "step": "int", "label": "str"})
        result = g.kind()
        lines = [f"def {name}(x, *, step={rng.randint(1, 9)}, label={g.word()}):"] + indent(g.function_body(scope, result, rng.choice((0, 1, 2))))
        return [lines], [lambda sc: keep(g, sc, result, f"{name}({g.number()}{rng.choice(('', f', step={g.number()}'))}{rng.choice(('', f', label={g.word()}'))})")] * 2, []
    else:
        inner = g.function(n=rng.choice((0, 1)), least=2)
        target, kinds, result = g.funcs[-1]
        lines = [f"def {name}(*args):"] + indent(rng.choice(([f"return {target}(*args)"], [f"value = {target}(*args)", "return value, len(args)"],
                ["if len(args) < 2:", "    return None", f"return {target}(*args)"])))
        return [inner, lines], [lambda sc: keep(g, sc, "any", f"{name}({arguments(g, sc, kinds)})")], []
    return [lines], [lambda sc: keep(g, sc, "int", calls())] * rng.choice((1, 2)), []


def part_recursion(g):
    """Returns a recursion over a number, a list, a string or a nested value, with
    random parts."""
    rng = g.rng
    name = g.func_name()
    over = rng.choice(("int", "int", "ints", "str", "nested", "two", "memo", "dict"))
    c, m = rng.randint(1, 9), rng.randint(2, 5)
    if over == "int":
        n = rng.choice("nxkm")
        scope = Scope({n: "int"})
        base = g.expr("int", scope, 1)
        step = rng.choice((f"{n} - 1", f"{n} - {m}", f"{n} // {m}"))
        extra = g.expr("int", scope, 1, 9)
        fold = rng.choice((f"{extra} + {name}({step})", f"{name}({step}) + {extra}", f"{name}({step}) * {m} % {rng.randint(7, 99)}",
                f"max({extra}, {name}({step}))",
                           f"{name}({step}) - {extra} if {g.expr('bool', scope, 1)} else {name}({step})"))
        lines = [f"def {name}({n}):", f"    if {n} <= {rng.randint(0, 2)}:", f"        return {base}"]
        if rng.random() < 0.3:
            lines += [f"    if {n} % {m} == 0:", f"        return {name}({n} // {m}) + {c}"] if m > 1 else []
        lines += [f"    return {fold}"] if rng.random() < 0.6 else [f"    rest = {name}({step})",
                f"    return {rng.choice(('rest + ' + extra, extra + ' - rest', 'rest * 2 + ' + str(c)))}"]
        call, result = lambda: f"{name}({rng.randint(0, 9 if '//' not in step else 40)})", "int"
    elif over in ("ints", "str"):
        xs = rng.choice(("xs", "items_", "seq", "lst", "nums") if over == "ints" else ("s", "text", "word"))
        scope = Scope({"head": "int" if over == "ints" else "str"})
        result = rng.choice(("int", over))
        base = {"int": str(rng.choice((0, 0, 1, c))), "ints": "[]", "str": "''"}[result]
        empty = rng.choice((f"if not {xs}:", f"if len({xs}) == 0:", f"if {xs} == {'[]' if over == 'ints' else chr(39) * 2}:"))
        if result == "int":
            fold = rng.choice((f"{g.expr('int', scope, 1, 9)} + {name}({xs}[1:])", f"{name}({xs}[1:]) + (1 if {g.expr('bool', scope, 1)} else 0)",
                    f"max({g.expr('int', scope, 1)}, {name}({xs}[1:]))"))
        elif over == "ints":
            fold = rng.choice((f"[{g.expr('int', scope, 1)}] + {name}({xs}[1:])", f"{name}({xs}[1:]) + [head]",
                    f"([head] if {g.expr('bool', scope, 1)} else []) + {name}({xs}[1:])"))
        else:
            fold = rng.choice((f"{name}({xs}[1:]) + head", f"{g.expr('str', scope, 1, 9)} + {name}({xs}[1:])",
                    f"{name}({xs}[1:]) + head * {rng.randint(0, 2)}"))
        lines = [f"def {name}({xs}):", f"    {empty}", f"        return {base}", f"    head = {xs}[0]"]
        if rng.random() < 0.35:
            lines += [f"    if {g.expr('bool', scope, 1)}:", f"        return {name}({xs}[1:])"]
        lines += [f"    return {fold}"]
        call = lambda: f"{name}({g.literal(over)})"
    elif over in ("nested", "dict"):
        scope = Scope({"x": "int"})
        kind = rng.choice(("sum", "flat", "depth", "count"))
        if over == "dict":
            each, test = "for x in node.values():", "dict"
        else:
            each, test = "for x in node:", rng.choice(("list", "list", "(list, tuple)"))
        if kind == "flat":
            lines = [f"def {name}(node):", "    out = []", f"    {each}", f"        if isinstance(x, {test}):", f"            out.extend({name}(x))",
                    "        else:", f"            out.append({g.expr('int', scope, 1)})", "    return out"]
            result = "ints"
        elif kind == "depth":
            lines = [f"def {name}(node, level={rng.randint(0, 1)}):", f"    if not isinstance(node, {test}):", "        return level",
                    "    best = level", f"    {each}", f"        best = max(best, {name}(x, level + 1))", "    return best"]
            result = "int"
        else:
            add = g.expr("int", scope, 1) if kind == "sum" else f"1 if {g.expr('bool', scope, 1)} else 0"
            lines = [f"def {name}(node):", "    total = 0", f"    {each}", f"        if isinstance(x, {test}):",
                    f"            total += {name}(x){rng.choice(('', '', ' + 1', ' * 2'))}", "        else:", f"            total += {add}", "    return total"]
            result = "int"

        def tree(depth):
            if over == "dict":
                return "{" + ", ".join(f"{k!r}: {tree(depth - 1) if depth and rng.random() < 0.5 else g.number()}" for k in rng.sample("abcdxyz",
                        rng.randint(1, 3))) + "}"
            return "[" + ", ".join(tree(depth - 1) if depth and rng.random() < 0.45 else g.number() for _ in range(rng.randint(0 if depth < 2 else 2, 3))) + "]"
        call = lambda: f"{name}({tree(2)})"
    elif over == "two":
        lines = [f"def {name}(a, b{rng.choice(('', ', depth=0'))}):"]
        deep = "depth" in lines[0]
        rest = ", depth + 1" if deep else ""
        lines += [f"    if {rng.choice(('a <= 0 or b <= 0', 'a < b', 'b == 0', 'a <= 0'))}:",
                f"        return {rng.choice(('a + b', 'a', 'b', str(c), 'a - b') + (('depth',) if deep else ()))}"]
        nxt = rng.choice((f"{name}(a - b, b{rest})", f"{name}(b, a % b{rest})", f"{name}(a - {c}, b - 1{rest})", f"{name}(a // 2, b{rest})"))
        if "% b" in nxt:
            lines[1] = "    if b == 0:"
        elif "a - b" in nxt:
            lines[1] = "    if a < b or b <= 0:"
        else:
            lines[1] = "    if a <= 0 or b <= 0:"
        lines += [f"    return {nxt}{rng.choice(('', '', ' + 1', ' + a', f' * 2'))}"]
        call, result = lambda: f"{name}({rng.randint(0, 40)}, {rng.randint(0, 12)})", "int"
    else:
        memo = rng.choice(("memo", "cache", "seen"))
        back = sorted(rng.sample((1, 2, 3), 2))
        style = rng.choice(("global", "default", "lru"))
        recur = f"{name}(n - {back[0]}) {rng.choice('++-')} {name}(n - {back[1]})" + rng.choice(("", "", f" + {c}"))
        body = ["if n in memo:".replace("memo", memo), f"    return {memo}[n]", f"if n < {back[1]}:",
                f"    return {rng.choice(('n', str(c), 'n + ' + str(c)))}", f"{memo}[n] = {recur}", f"return {memo}[n]"]
        call, result = lambda: f"{name}({rng.randint(1, 7)})", "int"
        if style == "global":
            g.taken.add(memo)
            return [[f"{memo} = {{}}", "", f"def {name}(n):"] + indent(body)], [lambda sc: keep(g, sc, "int", call())], []
        if style == "lru":
            return [["@lru_cache(maxsize=None)", f"def {name}(n):"] + indent([body[2], body[3], f"return {recur}"])], [lambda sc: keep(g, sc, "int",
                    call())], ["from functools import lru_cache"]
        lines = [f"def {name}(n, {memo}={{}}):"] + indent(body)
    return [lines], [lambda sc: keep(g, sc, result, call())] * rng.choice((1, 1, 2)), []


def part_class(g):
    rng = g.rng
    lines, shape = write_class(g)
    defs, shapes = [lines], [shape]
    if rng.random() < 0.45:
        more, child = write_class(g, shape)
        defs.append(more)
        shapes.append(child)

    def use(scope):
        out = []
        made = []
        for _ in range(2 if shape.extras and any("{p}" in x for x in shape.extras) and rng.random() < 0.7 else rng.choice((1, 1, 2))):
            which = rng.choice(shapes[::-1])
            var = rng.choice((which.name[0].lower(), which.name.lower(), "obj", "a", "b", "first", "other", "p", "q", "it"))
            while var in g.taken and var not in "ab" or var in scope.vars or var in made:
                var = rng.choice(("obj", "item", "one", "two", "thing")) + str(rng.randint(1, 99))
            g.taken.add(var)
            made.append(var)
            out.append(f"{var} = {build(g, which, scope)}")
            out += act(g, which, var, made, scope, rng.choice((1, 2, 3)))
        if len(made) > 1 and rng.random() < 0.2 and any(not m[1] for m in shape.methods):
            m = rng.choice([m for m in shape.methods if not m[1]])
            out += [f"for each in ({', '.join(made)}):", f"    print(each.{m[0]}())" if rng.random() < 0.6 else f"    each.{m[0]}()"]
        return out

    return defs, [use], []


def act(g, shape, var, made, scope, n):
    """Returns n random operations on an instance."""
    rng, out = g.rng, []
    for _ in range(n):
        roll = rng.random()
        if roll < 0.55 and shape.methods:
            name, kinds, result = rng.choice(shape.methods)
            if kinds and rng.random() < 0.2:
                item = g.fresh(kinds[0], scope)
                rest = "".join(f", {g.literal(k)}" for k in kinds[1:])
                data = g.literal("ints" if kinds[0] == "int" else "strs") if kinds[0] in ("int", "str") else f"({g.literal(kinds[0])}, {g.literal(kinds[0])})"
                out += [f"for {item} in {data}:", f"    {var}.{name}({item}{rest})"]
                continue
            call = f"{var}.{name}({arguments(g, scope, kinds)})"
            if result == "self":
                more = rng.choice(shape.methods)
                out += [f"{call}.{more[0]}({arguments(g, scope, more[1])})"]
            elif result is None:
                out.append(call)
            else:
                out += keep(g, scope, result, call)
        elif roll < 0.85 and shape.extras:
            text = rng.choice(shape.extras).replace("{{", "{").replace("}}", "}")
            other = made[0] if made[0] != var else var
            text = text.replace("{o}", var).replace("{p}", other) if "f'" not in text else f"f'<{{{var}}}>'"
            out += [text[1:]] if text.startswith("!") else keep(g, scope, "any", text)
        elif shape.statics and roll < 0.9:
            name, kinds, result = rng.choice(shape.statics)
            out += keep(g, scope, result, f"{rng.choice((shape.name, var))}.{name}({arguments(g, scope, kinds)})")
        elif shape.attrs:
            attr, kind = rng.choice(list(shape.attrs.items()))
            readable = attr in shape.attrs and (attr not in shape.private or any(p == attr for p, _ in shape.props))
            if readable:
                out += keep(g, scope, kind, f"{var}.{attr}")
    return out


def part_record(g):
    """Returns a dataclass, a namedtuple or an enum, with typical uses."""
    rng = g.rng
    which = rng.choice(("dataclass", "dataclass", "namedtuple", "enum"))
    name = g.class_name()
    kinds = {}
    for _ in range(rng.randint(2, 3)):
        k = g.kind()
        kinds.setdefault(g.fresh(k), k)
    fields = list(kinds.items())
    hint = {"int": "int", "str": "str", "bool": "bool", "ints": "list", "strs": "list", "dict": "dict", "float": "float", "set": "set", "tuple": "tuple"}
    if which == "enum":
        members = []
        while len(members) < rng.randint(3, 4):
            w = "".join(c for c in words.word(rng).upper() if c.isalpha())[:8]
            if w and w.isascii() and w not in members and w not in ("NAME", "VALUE"):
                members.append(w)
        start = rng.choice((0, 1, 1, 10))
        auto = rng.random() < 0.2
        values = ["auto()" if auto else str(start + i * rng.choice((1, 1, 2))) for i, m in enumerate(members)]
        text = rng.random() < 0.3 and not auto
        if text:
            values = [repr(m.lower()[:rng.randint(1, 5)]) for m in members]
        lines = [f"class {name}(Enum):"] + [f"    {m} = {v}" for m, v in zip(members, values)]
        verb = rng.choice(("next_one", "after", "flip", "label", "is_last"))
        if rng.random() < 0.7:
            if verb in ("label", "is_last"):
                lines += ["", f"    def {verb}(self):", "        " + rng.choice(("return self.name.lower() + '!'",
                        "return f'{self.name}={self.value}'") if verb == "label" else (f"return self is {name}.{members[-1]}",))]
            else:
                lines += ["", f"    def {verb}(self):", f"        members = list({name})", f"        i = members.index(self)",
                        f"        return members[{rng.choice(('(i + 1) % len(members)', 'i - 1', '-1 - i'))}]"]
        else:
            verb = None
        def use(scope):
            m = rng.choice(members)
            out = keep(g, scope, "any", rng.choice((f"{name}.{m}", f"{name}['{m}']", f"{name}({values[members.index(m)]})" if not auto else f"{name}.{m}")))
            out += keep(g, scope, "any", rng.choice((f"[e.name for e in {name}]", f"{{e.name: e.value for e in {name}}}", f"{name}.{m}.value",
                    f"{name}.{m} is {name}.{members[0]}", f"len({name})", f"max({name}, key=lambda e: e.value).name")))
            if verb:
                out += keep(g, scope, "any", f"{name}.{rng.choice(members)}.{verb}()")
            return out
        return [lines], [use], ["from enum import Enum, auto" if auto else "from enum import Enum"]
    values = lambda sc: [g.literal(k) if rng.random() < 0.7 else g.expr(k, sc, 0) for _, k in fields]
    if which == "namedtuple":
        style = rng.random()
        names = [f for f, _ in fields]
        if style < 0.6:
            lines = [f"{name} = namedtuple('{name}', {rng.choice((repr(names), repr(' '.join(names))))})"]
            imports = ["from collections import namedtuple"]
        else:
            lines = [f"class {name}(NamedTuple):"] + [f"    {f}: {hint[k]}" for f, k in fields]
            lines += ["", f"    def {rng.choice(('score', 'as_text', 'size'))}(self):",
                    f"        return {g.expr(g.kind(), Scope({'self.' + f: k for f, k in fields}), 1)}"] if rng.random() < 0.5 else []
            imports = ["from typing import NamedTuple"]
        def use(scope):
            var = g.top_name("str")
            f, k = rng.choice(fields)
            out = [f"{var} = {name}({', '.join(values(scope))})"]
            for _ in range(rng.randint(1, 3)):
                out += keep(g, scope, "any", rng.choice((f"{var}.{f}", f"{var}._replace({f}={g.literal(k)})",
                        f"{var}[{rng.randint(-1, len(fields) - 1)}]", f"{var}._asdict()", f"len({var})")))
            if rng.random() < 0.4:
                out.append(", ".join(f"{n}_" for n in names) + f" = {var}")
            return out
        return [lines], [use], imports
    options = rng.choice(("", "", "", "(order=True)", "(frozen=True)", "(eq=False)"))
    lines, needs_field, shown = [f"@dataclass{options}", f"class {name}:"], False, []
    for i, (f, k) in enumerate(fields):
        last = i == len(fields) - 1
        if last and rng.random() < 0.5:
            if k in ("ints", "strs", "dict", "set"):
                lines.append(f"    {f}: {hint[k]} = field(default_factory={hint[k]})")
                needs_field = True
            else:
                lines.append(f"    {f}: {hint[k]} = {g.literal(k)}")
            shown.append((f, k, True))
        else:
            lines.append(f"    {f}: {hint[k]}")
            shown.append((f, k, False))
    scope0 = Scope({f"self.{f}": k for f, k in fields})
    if rng.random() < 0.25 and "frozen" not in options:
        f, k = rng.choice(fields)
        lines += ["", "    def __post_init__(self):", f"        self.{f} = {g.expr(k, scope0, 1)}"]
    methods = []
    for verb in rng.sample(("total", "grow", "label", "is_big", "rename", "score"), rng.choice((0, 1, 1, 2))):
        result = g.kind()
        s = Scope({}, scope0)
        if "frozen" not in options:
            s.assignable = set(scope0.vars)
        lines += ["", f"    def {verb}(self):"] + indent((g.change(s) if s.assignable and rng.random() < 0.6 else []) + [f"return {g.expr(result, s, 1)}"], 2)
        methods.append((verb, result))

    def use(scope):
        out, made = [], []
        for _ in range(rng.choice((1, 2, 2))):
            var = g.top_name("str")
            args = values(scope)
            if shown[-1][2] and rng.random() < 0.5:
                args.pop()
            elif rng.random() < 0.3:
                args[-1] = f"{shown[-1][0]}={args[-1]}"
            out.append(f"{var} = {name}({', '.join(args)})")
            made.append(var)
        for _ in range(rng.randint(1, 3)):
            v = rng.choice(made)
            f, k = rng.choice(fields)
            choices = [f"{v}.{f}", f"{v} == {made[0]}", f"str({v})", f"{v}"]
            if "order" in options:
                choices += [f"{v} < {made[0]}", f"max({', '.join(made + made[:1])})", f"sorted([{', '.join(made)}])"] * 2
            if "frozen" in options:
                choices += [f"replace({v}, {f}={g.literal(k)})"]
            out += keep(g, scope, "any", rng.choice(choices))
            if methods and rng.random() < 0.6:
                verb, result = rng.choice(methods)
                out += keep(g, scope, result, f"{v}.{verb}()")
            if "frozen" not in options and rng.random() < 0.4:
                out.append(f"{v}.{f} = {g.expr(k, scope, 1)}")
            elif rng.random() < 0.3:
                out += ["try:", f"    {v}.{f} = {g.literal(k)}", "except AttributeError as err:", "    print('error', err)"]
        return out
    text = "from dataclasses import dataclass" + (", field" if needs_field else "") + (", replace" if "frozen" in options else "")
    return [lines], [use], [text]
