"""Parts of composed scripts about the flow of calls: chains, mutual recursion, nested try, pipelines, method resolution."""

from .module_body import indent
from .module_expr import Scope
from .module_parts import arguments, keep

ERRORS = ("ValueError", "KeyError", "TypeError", "IndexError", "RuntimeError", "ZeroDivisionError")
COVERS = {"KeyError": "LookupError", "IndexError": "LookupError", "ZeroDivisionError": "ArithmeticError"}


def part_chain(g):
    """Returns functions, each of which calls those above it."""
    rng = g.rng
    defs, known = [], []
    kinds = [rng.choice(("int", "int", "str", "ints", "float")) for _ in range(rng.randint(2, 4))]
    for i, result in enumerate(kinds):
        name = g.func_name()
        params = g.params(1, 2)
        scope = Scope(dict(params))
        lines = []
        if known and (i == len(kinds) - 1 or rng.random() < 0.75):
            target, tparams, tresult = known[-1] if rng.random() < 0.75 else rng.choice(known)
            call = f"{target}({', '.join(g.expr(k, scope, 1) for k in tparams)})"
            if rng.random() < 0.7:
                var = g.fresh(tresult, scope)
                lines.append(f"{var} = {call}")
                scope.vars[var] = tresult
                scope.assignable = {var}
                scope.recent = var
            else:
                scope.vars[call] = tresult
                scope.recent = call
        if rng.random() < 0.3:
            lines += g.block(scope, 1, 1)
        if rng.random() < 0.2:
            lines += [f"if {g.expr('bool', scope, 1)}:", f"    return {g.expr(result, scope, 0)}"]
        lines.append(f"return {g.expr(result, scope, 1)}")
        defs.append([f"def {name}({g.signature([(p, k, None) for p, k in params])}):"] + indent(lines))
        known.append((name, tuple(k for _, k in params), result))
    if rng.random() < 0.2:
        defs.reverse()
    name, params, result = known[-1]
    return defs, [lambda sc: keep(g, sc, result, f"{name}({arguments(g, sc, params)})")] * rng.choice((1, 1, 2)), []


def part_mutual(g):
    """Returns two functions that call each other until a number or a list is used up."""
    rng = g.rng
    a, b = g.func_name(("ping", "even", "left", "walk", "go")), g.func_name(("pong", "odd", "right", "turn", "back"))
    c, m = rng.randint(1, 4), rng.randint(2, 3)
    seq = rng.random() < 0.4
    if seq:
        done, rest, base = "if not xs:", "xs[1:]", rng.choice(("0", "acc"))
        add = rng.choice(("acc + xs[0]", "acc - xs[0]", "acc * 2", f"max(acc, xs[0])", f"acc + xs[0] % {m}"))
        add2 = rng.choice(("acc + xs[0]", "acc - xs[0]", f"acc + {c}", "acc * xs[0] % 100"))
        defs = [[f"def {a}(xs, acc=0):", f"    {done}", f"        return acc", f"    return {b}({rest}, {add})"],
                [f"def {b}(xs, acc):", f"    {done}", f"        return {rng.choice(('acc', '-acc', 'acc, 1'))}", f"    return {a}({rest}, {add2})"]]
        call = lambda: f"{a}({g.literal('ints')})"
    else:
        first, second = rng.choice((("True", "False"), ("0", "1"), ("'a'", "'b'"), ("n", "-n")))
        step1, step2 = rng.choice(("n - 1", "n - 1", f"n - {c}", f"n // {m}")), rng.choice(("n - 1", "n - 1", f"n - {c}"))
        wrap = rng.choice(("{}", "{}", "1 + {}", "{} * 2")) if first in ("0", "n") else "{}"
        defs = [[f"def {a}(n):", "    if n <= 0:", f"        return {first}", f"    return {wrap.format(f'{b}({step1})')}"],
                [f"def {b}(n):", "    if n <= 0:", f"        return {second}", f"    return {a}({step2})"]]
        call = lambda: f"{rng.choice((a, b))}({rng.randint(0, 8)})"
    return defs, [lambda sc: keep(g, sc, "any", call())] * rng.choice((1, 2)), []


def part_tries(g):
    """Returns a function whose body has randomly nested try statements."""
    rng = g.rng
    name = g.func_name()
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    say = rng.choice(("log.append({})", "print({})", "seen += {}", "log.append({})"))
    budget = [6]

    def mark():
        budget[0] -= 1
        return say.format(repr(next(letters, "z")))

    def thrower():
        error = rng.choice(ERRORS)
        return rng.choice(([f"raise {error}({g.word()})"], [f"if {g.expr('bool', Scope({'x': 'int'}), 1)}:", f"    raise {error}(x)"],
                [f"if {g.expr('bool', Scope({'x': 'int'}), 1)}:", f"    raise {error}({g.word()})"],
                           [f"y = {rng.randint(1, 20)} {rng.choice(('//', '%'))} x"], [f"y = {g.literal('ints')}[x]"],
                                   [f"y = {{{rng.randint(0, 3)}: {g.number()}}}[x]"], [f"y = int({g.word()})"],
                                   [f"return {g.expr('int', Scope({'x': 'int'}), 1)}"], ["x += 1"]))

    def nest(depth):
        body = [mark()] if rng.random() < 0.6 else []
        body += thrower() if depth == 0 or rng.random() < 0.5 else nest(depth - 1)
        if rng.random() < 0.5 and not body[-1].startswith(("raise", "return")):
            body.append(mark())
        out = ["try:"] + indent(body)
        handlers = 0
        for error in dict.fromkeys(rng.choice(ERRORS) for _ in range(rng.choice((0, 1, 1, 2)))):
            handlers += 1
            kind = COVERS.get(error, error) if rng.random() < 0.3 else error
            if rng.random() < 0.2:
                kind = f"({error}, {rng.choice(ERRORS)})"
            act = rng.choice((["MARK"], ["MARK"], ["MARK", "raise"], [f"raise RuntimeError({g.word()}) from e"],
                    [f"return {rng.choice(('x', '-1', 'None', 'str(e)'))}"], ["pass"], ["MARK", "x = 1"]))
            act = [mark() if line == "MARK" else line for line in act]
            bind = " as e" if "from e" in act[0] or "str(e)" in act[0] or rng.random() < 0.2 else ""
            out += [f"except {kind}{bind}:"] + indent(act)
        if handlers and rng.random() < 0.3:
            out += ["else:"] + indent([mark()])
        if not handlers or rng.random() < 0.4:
            out += ["finally:"] + indent([mark()] + (["return x"] if rng.random() < 0.08 else []))
        return out

    body = nest(rng.choice((0, 1, 1, 2)))
    tail = "return seen" if "seen" in say else rng.choice(("return x", "return log" if "log" in say else "return x * 2", "return None"))
    if "seen" in say:
        body = ["seen = ''"] + body
    inside = "log" in say and rng.random() < 0.5
    if inside:
        body = ["log = []"] + body
    if rng.random() < 0.25:
        # A loop around the try statements, which handlers may leave.
        head = [b for b in body if b in ("seen = ''", "log = []")]
        rest = [b for b in body if b not in head]
        body = head + [f"for x in range(x, x + {rng.randint(2, 3)}):"] + indent(rest)
    defs = [[f"def {name}(x):"] + indent(body + [tail])]
    if "log" in say and not inside:
        g.taken.add("log")
        defs.insert(0, ["log = []"])

    def use(scope):
        out = []
        for v in rng.sample((0, 1, 2, 3, 5, -1), rng.choice((1, 2, 2))):
            if rng.random() < 0.88:
                out += ["try:", f"    print({name}({v}))", rng.choice(("except Exception as e:", "except Exception as exc:", "except Exception as e:"))]
                e = "exc" if "exc:" in out[-1] else "e"
                out.append(f"    print({rng.choice((f'type({e}).__name__', f'repr({e})', f'{e}', f'{e}.__cause__', f'{e}.args'))})")
            else:
                g.may_raise = True
                out += keep(g, scope, "any", f"{name}({v})")
        if "log" in say and not inside:
            out.append("print(log)")
        return out
    return defs, [use], []


def part_pipeline(g):
    """Returns generators that read from generators."""
    rng = g.rng
    defs, names = [], []
    for _ in range(rng.randint(1, 3)):
        name = g.func_name(("keep", "double", "take", "skip", "running", "pairwise", "dedupe", "until", "scaled", "tagged"))
        scope = Scope({"x": "int"})
        body = rng.choice((
            [f"for x in xs:", f"    if {g.expr('bool', scope, 1)}:", "        yield x"], ["for x in xs:", f"    yield {g.expr('int', scope, 1)}"],
            [f"for i, x in enumerate(xs):", f"    if i == {rng.randint(1, 4)}:", f"        {rng.choice(('return', 'break'))}", "    yield x"],
                    ["last = None", "for x in xs:", "    if x != last:", "        yield x", "    last = x"],
            ["total = 0", "for x in xs:", f"    total {rng.choice(('+=', '-=', '+='))} x", "    yield total"],
                    ["for x in xs:", f"    if {g.expr('bool', scope, 1)}:", f"        {rng.choice(('return', 'continue', 'break'))}",
                    f"    yield {g.expr('int', scope, 1)}"],
            ["for x in xs:", "    yield x", f"    yield {g.expr('int', scope, 1)}"],
                    ["it = iter(xs)", "next(it, None)", f"yield from {rng.choice(('it', '(x + 1 for x in it)', 'list(it)[::-1]'))}"]))
        defs.append([f"def {name}(xs):"] + indent(body))
        names.append(name)

    def use(scope):
        source = rng.choice((g.literal("ints"), f"range({rng.randint(1, 6)})", f"(n * {rng.randint(2, 5)} for n in range({rng.randint(1, 4)}))"))
        order = rng.sample(names, len(names))
        if rng.random() < 0.4 and len(names) > 1:
            out, last = [], source
            for n in order:
                var = g.top_name("any")
                out.append(f"{var} = {n}({last})")
                last = var
            return out + keep(g, scope, "ints", rng.choice((f"list({last})", f"sum({last})", f"next({last}, None)", f"[y for y in {last}]")))
        text = source
        for n in order:
            text = f"{n}({text})"
        how = rng.random()
        if how < 0.5:
            return keep(g, scope, "ints", f"list({text})")
        item = g.top_name("int")
        return [f"for {item} in {text}:", f"    print({item})"] + ([f"    if {item} > {rng.randint(0, 9)}:", "        break"] if rng.random() < 0.4 else [])
    return defs, [use], []


def part_order(g):
    """Returns a small class hierarchy, sometimes a diamond, whose methods call super()."""
    rng = g.rng
    method = rng.choice(("run", "show", "describe", "apply", "value", "who", "chain"))
    number = rng.random() < 0.5
    top = g.class_name(("Base", "Root", "A", "Animal", "Step"))
    arg = "x" if number or rng.random() < 0.3 else ""
    head = f"    def {method}(self{', ' + arg if arg else ''}):"
    sc = Scope({"x": "int"})
    own = lambda: g.expr("int", sc, 1) if number else g.word()
    first = [f"class {top}:"]
    state = rng.random() < 0.35
    if state:
        first += ["    def __init__(self):", f"        self.trail = [{top!r}]", ""]
    first += [head, f"        return {own() if number else rng.choice((g.word(), repr(top), '[' + repr(top) + ']'))}"]
    listy = not number and first[-1].strip().startswith("return [")
    defs, level = [first], [top]
    for options in (("Left", "B", "Dog", "Loud", "Doubler"), ("Right", "C", "Cat", "Quiet", "Adder"))[:rng.choice((1, 2, 2))]:
        name = g.class_name(options)
        up = f"super().{method}({'x' if arg and not number else g.expr('int', sc, 0) if number else ''})"
        text = f"{up} {rng.choice('+-*+')} {rng.randint(1, 9)}" if number else f"[{name!r}] + {up}" if listy else rng.choice((f"{name!r} + {up}",
                f"{up} + {g.word()}", f"{up}.upper()", f"{name[0]!r} * 2 + {up}"))
        body = [f"class {name}({top}):"]
        if state and rng.random() < 0.7:
            body += ["    def __init__(self):", "        super().__init__()", f"        self.trail.append({name!r})", ""]
        if rng.random() < 0.85:
            body += [head, f"        return {text}"]
        elif len(body) == 1:
            body.append("    pass")
        defs.append(body)
        level.append(name)
    if len(level) == 3 and rng.random() < 0.75:
        both = g.class_name(("Both", "D", "Mixed", "Bottom"))
        body = [f"class {both}({', '.join(rng.sample(level[1:], 2))}):"]
        if state and rng.random() < 0.5:
            body += ["    def __init__(self):", "        super().__init__()", f"        self.trail.append({both!r})", ""]
        if rng.random() < 0.5:
            up = f"super().{method}({'x' if arg else ''})"
            body += [head, f"        return {up + ' + 1' if number else up}"]
        elif len(body) == 1:
            body.append("    pass")
        defs.append(body)
        level.append(both)

    def use(scope):
        out = []
        for name in rng.sample(level, min(len(level), rng.choice((1, 2, 2)))) if rng.random() < 0.6 else [level[-1]]:
            var = g.top_name("any")
            out.append(f"{var} = {name}()")
            out += keep(g, scope, "any", f"{var}.{method}({g.number() if arg else ''})")
            if state and rng.random() < 0.6:
                out += keep(g, scope, "any", f"{var}.trail")
        if rng.random() < 0.3:
            out += keep(g, scope, "any", rng.choice((f"[c.__name__ for c in {level[-1]}.__mro__]", f"isinstance({level[-1]}(), {level[1]})",
                    f"issubclass({level[1]}, {level[-1]})", f"[k.__name__ for k in {level[-1]}.__bases__]")))
        return out
    return defs, [use], []


def part_nested(g):
    """Returns a function with inner functions that share its variables."""
    rng = g.rng
    name = g.func_name()
    state = rng.choice(("total", "count", "best", "items_", "found", "out"))
    kind = rng.choice(("int", "int", "ints", "dict", "str"))
    empty = {"int": rng.choice(("0", "1", "-1")), "ints": "[]", "dict": "{}", "str": "''"}[kind]
    inner = g.func_name(("visit", "add", "note", "go", "helper", "step", "update"))
    sc = Scope({"v": "int", state: kind, "limit": "int"})
    sc.assignable = {state}
    sc.recent = "v"
    change = g.change_of(state, sc)
    rebinds = any(line.strip().startswith((f"{state} ", f"{state}=")) for line in change)
    body = ([f"nonlocal {state}"] if rebinds else []) + (([f"if {g.expr('bool', sc, 1)}:",
            f"    return{rng.choice(('', ' None', ' v'))}"]) if rng.random() < 0.35 else []) + change
    if rng.random() < 0.3:
        body += [f"if v > {rng.randint(2, 5)}:", f"    {inner}(v {rng.choice(('- 2', '// 2', '- 3'))})"]
    lines = [f"def {name}(nums, limit={rng.randint(1, 9)}):", f"    {state} = {empty}", "", f"    def {inner}(v):"] + indent(body, 2) + ["",
            "    for n in nums:", f"        {inner}({g.expr('int', Scope({'n': 'int', 'limit': 'int'}), rng.choice((0, 0, 1)))})",
             f"    return {state if rng.random() < 0.7 else g.expr(g.kind(), Scope({state: kind, 'limit': 'int'}), 1)}"]
    return [lines], [lambda scope: keep(g, scope, "any", f"{name}({g.literal('ints')}{rng.choice(('', f', {g.number()}', f', limit={g.number()}'))})")] * rng.choice((1, 1, 2)), []


