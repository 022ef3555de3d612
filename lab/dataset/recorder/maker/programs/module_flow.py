"""More parts of composed scripts: generators, closures, decorators, exceptions, with, match, dispatch."""

from .module_body import indent
from .module_expr import Scope
from .module_parts import arguments, keep


def part_generator(g):
    """Returns a generator and code that consumes it."""
    rng = g.rng
    name = g.func_name(("gen", "numbers", "walk", "chunks", "stream", "produce", "pairs", "countdown", "evens"))
    kind = rng.choice(("range", "list", "state", "while", "send", "from", "text"))
    c, m = rng.randint(1, 4), rng.randint(2, 7)
    fin = rng.random() < 0.15
    item = "int"
    if kind == "range":
        scope = Scope({"n": "int", "i": "int"})
        scope.recent = "i"
        body = [f"for i in range({rng.choice(('n', '1, n + 1', f'0, n, {c}', 'n, 0, -1'))}):"]
        inner = []
        if rng.random() < 0.5:
            inner += [f"if {g.expr('bool', scope, 1)}:", rng.choice(("    continue", "    return", f"    yield {g.expr('int', scope, 1)}"))]
        inner += [f"yield {g.expr('int', scope, 1)}"]
        lines, call = [f"def {name}(n):"] + indent(body + indent(inner)), lambda: f"{name}({rng.randint(0, 5)})"
    elif kind in ("list", "text"):
        seq = "ints" if kind == "list" else "str"
        scope = Scope({"x": "int" if kind == "list" else "str"})
        item = "int" if kind == "list" else "str"
        acc = rng.random() < 0.4 and kind == "list"
        inner = [f"if {g.expr('bool', scope, 1)}:", f"    {rng.choice(('continue', 'continue', 'break', 'return'))}"] if rng.random() < 0.5 else []
        if acc:
            inner += ["total += x", rng.choice(("yield total", "yield x, total",
                    f"if total > {g.number()}:\n        yield total".replace("\n        ", "\n            ")))]
            if "," in inner[-1]:
                item = "any"
        else:
            inner += [f"yield {g.expr(item, scope, 1)}"]
        inner = [y for x in inner for y in x.split("\n        ")]
        lines = [f"def {name}(xs):"] + (["    total = 0"] if acc else []) + ["    for x in xs:"] + indent(inner, 2)
        call = lambda: f"{name}({g.literal(seq)})"
    elif kind in ("state", "while"):
        a, b = rng.choice((("0", "1"), ("1", "2"), (str(c), str(m))))
        step = rng.choice(("a, b = b, a + b", "a, b = b, a - b", f"a, b = a + {c}, b * 2", f"a += {c}", "a, b = b + 1, a"))
        lines = [f"def {name}(limit):", f"    a, b = {a}, {b}", "    count = 0",
                f"    while {'a < limit and count < 8' if kind == 'while' else 'count < limit'}:",
                f"        yield {rng.choice(('a', 'a', 'a * b', 'b - a', '(a, b)'))}", f"        {step}", "        count += 1"]
        item = "any" if "(a, b)" in lines[4] else "int"
        call = lambda: f"{name}({rng.randint(0, 6)})"
    elif kind == "send":
        start = rng.randint(0, 20)
        upd = rng.choice(("total += got", "total -= got", "total = max(total, got)", "total = total * 2 + got", "seen.append(got)"))
        lines = [f"def {name}():", f"    total = {start}", "    seen = []" if "seen" in upd else "", "    while True:",
                f"        got = yield {'len(seen), total' if 'seen' in upd else rng.choice(('total', 'total', 'total % 7'))}",
                "        if got is None:", f"            {rng.choice(('break', 'return total'))}", f"        {upd}"]
        lines = [x for x in lines if x]

        def use(scope):
            var = g.top_name("any")
            out = [f"{var} = {name}()", rng.choice((f"next({var})", f"print(next({var}))", f"{var}.send(None)"))]
            for _ in range(rng.randint(1, 4)):
                out += keep(g, scope, "any", f"{var}.send({g.number()})")
            out += rng.choice(([f"{var}.close()"], [], ["try:", f"    next({var})", "except StopIteration as stop:", "    print('done', stop.value)"]))
            return out
        return [lines], [use], []
    else:
        first = [f"def {name}_inner(n):", f"    for i in range(n):", f"        yield i * {m}"] + ([f"    return n * {c}"] if rng.random() < 0.6 else [])
        if "return" in first[-1]:
            lines = [f"def {name}(n):", f"    got = yield from {name}_inner(n)",
                    rng.choice(("    yield got", "    yield -got", "    if got:\n        yield got + 1"))]
        else:
            lines = [f"def {name}(n):", f"    yield from {name}_inner(n)", rng.choice((f"    yield from range({c})", "    yield from 'ab'", f"    yield {-c}"))]
        lines = first + [""] + [y for x in lines for y in x.split("\n")]
        call = lambda: f"{name}({rng.randint(0, 4)})"
    if fin and kind not in ("from",):
        head, rest = lines[0], lines[1:]
        lines = [head, "    try:"] + indent(rest) + ["    finally:", f"        print('{rng.choice(('closed', 'done', 'cleanup'))}')"]

    def use(scope):
        how = rng.choice(("list", "for", "next", "sum", "break", "comp", "zip", "expr", "default", "unpack", "close"))
        if item != "int" and how in ("sum", "comp", "expr"):
            how = "list"
        var = g.top_name("any")
        if how == "list":
            return keep(g, scope, "ints" if item == "int" else "any",
                    rng.choice((f"list({call()})", f"tuple({call()})" if item != "int" else f"list({call()})", f"sorted({call()})")))
        if how == "for":
            return [f"for {var} in {call()}:", f"    print({var})"] if rng.random() < 0.5 else [f"{(t := g.top_name('ints'))} = []",
                    f"for {var} in {call()}:", f"    {t}.append({var})"]
        if how == "sum":
            return keep(g, scope, "int", rng.choice((f"sum({call()})", f"max({call()}, default={g.number()})", f"len(list({call()}))",
                    f"{g.number()} in {call()}", f"any({var} > {g.number()} for {var} in {call()})")))
        if how == "break":
            return [f"for i, {var} in enumerate({call()}):", f"    if i == {rng.randint(0, 3)}:", "        break",
                    *(["else:", "    print('exhausted')"] if rng.random() < 0.4 else [])]
        if how == "comp":
            return keep(g, scope, "ints", f"[{var} {rng.choice(('+', '*', '-', '%'))} {rng.randint(1, 9)} for {var} in {call()}{rng.choice(('', f' if {var} > {g.number()}', f' if {var} % 2'))}]")
        if how == "zip":
            return keep(g, scope, "any", rng.choice((f"list(zip({call()}, {call()}))", f"dict(zip('abc', {call()}))", f"list(enumerate({call()}))")))
        if how == "expr":
            return [f"{var} = ({'v * 2' if rng.random() < 0.5 else f'v + {c}'} for v in {call()}{rng.choice(('', ' if v > 1'))})",
                    rng.choice((f"print(list({var}))", f"print(next({var}, None))", f"print(sum({var}))"))]
        if how == "unpack":
            return [f"{var}, *rest = [*{call()}, {g.number()}]"]
        out = [f"{var} = {call()}"]
        for _ in range(rng.randint(1, 3)):
            out += keep(g, scope, "any", f"next({var}, {rng.choice(('None', '-1', g.number()))})")
        if how == "close":
            out += [f"{var}.close()"] + keep(g, scope, "any", f"list({var})")
        elif how == "default":
            out += keep(g, scope, "any", f"list({var})")
        return out
    return [lines], [use] * rng.choice((1, 1, 2)), []


def part_closure(g):
    """Returns a function that makes functions."""
    rng = g.rng
    name = g.func_name(("make", "make_counter", "counter", "adder", "multiplier", "accumulator", "outer", "build", "factory", "tracker"))
    inner = rng.choice(("inner", "step", "add", "wrapper", "bump", "call", "apply", "g"))
    kind = rng.choice(("nonlocal", "nonlocal", "capture", "list", "compose", "lambdas", "pair"))
    p, c = rng.choice(("n", "k", "start", "base", "factor")), rng.randint(1, 9)
    if kind in ("nonlocal", "list"):
        state = rng.choice(("count", "total", "value", "last"))
        scope = Scope({state: "int", "x": "int", p: "int"})
        scope.assignable = {state}
        x = rng.choice(("x", "x", f"x={c}"))
        if kind == "nonlocal":
            body = [f"nonlocal {state}"] + g.block(scope, rng.choice((0, 0, 1)),
                    0) + [rng.choice((f"{state} += {g.expr('int', Scope({'x': 'int', p: 'int'}), 1)}", f"{state} = {g.expr('int', scope, 1)}")),
                    rng.choice((f"return {state}", f"return {g.expr(g.kind(), scope, 1)}"))]
            body = [b for b in body if b.strip() != "pass"]
            lines = [f"def {name}({p}):", f"    {state} = {rng.choice((p, '0', p + ' * 2', str(c)))}", "", f"    def {inner}({x}):"] + indent(body,
                    2) + ["", f"    return {inner}"]
        else:
            lines = [f"def {name}({p}):", "    log = []", f"    def {inner}({x}):",
                    f"        log.append({g.expr('int', Scope({'x': 'int', p: 'int'}), 1)})",
                    rng.choice(("        return log", "        return sum(log)", "        return log[-1] - log[0]", "        return len(log)")),
                    f"    return {inner}"]
        if kind == "nonlocal" and lines[3].strip() and rng.random() < 0.5:
            lines = [x for x in lines if x]
        needs = "=" not in x
    elif kind == "capture":
        scope = Scope({"x": "int", p: "int", "tag": "str"})
        result = g.kind("dict")
        lines = [f"def {name}({p}, tag={g.word()}):", f"    def {inner}(x):"] + indent(g.function_body(scope, result, rng.choice((0, 1))),
                2) + [f"    return {inner}"]
        needs = True
    elif kind == "compose":
        lines = [f"def {name}(*fs):", f"    def {inner}(x):", f"        for f in {rng.choice(('fs', 'fs', 'reversed(fs)', 'fs[::-1]'))}:",
                "            x = f(x)", "        return x", f"    return {inner}"]
        lam = lambda: f"lambda {(v := rng.choice('abnvx'))}: {g.expr('int', Scope({v: 'int'}), 1)}"

        def use(scope):
            var = g.top_name("any")
            return [f"{var} = {name}({', '.join(lam() for _ in range(rng.randint(1, 3)))})"] + [y for _ in range(rng.randint(1, 2)) for y in keep(g,
                    scope, "int", f"{var}({g.number()})")]
        return [lines], [use], []
    elif kind == "lambdas":
        late = rng.random() < 0.5
        lines = [f"def {name}(n):", "    fs = []", "    for i in range(n):",
                f"        fs.append(lambda x{'' if late else ', i=i'}: x {rng.choice('+*-')} i)", "    return fs"]
        return [lines], [lambda sc: keep(g, sc, "ints", f"[f({g.number()}) for f in {name}({rng.randint(1, 4)})]")], []
    else:
        upd = rng.choice((f"value += d", "value -= d", f"value = (value * {c} + d) % {rng.randint(5, 50)}", "value = max(value, d)"))
        lines = [f"def {name}(value={rng.randint(0, 20)}):", "    def get():", "        return value",
                f"    def {rng.choice(('set_', 'change', 'move'))}(d):", "        nonlocal value", f"        {upd}", "    return get, " + "X"]
        lines[-1] = "    return get, " + lines[3].split("def ")[1].split("(")[0]

        def use(scope):
            a, b = g.top_name("any"), g.top_name("any")
            out = [f"{a}, {b} = {name}({rng.choice(('', g.number()))})"]
            for _ in range(rng.randint(1, 3)):
                out.append(f"{b}({g.number()})")
            return out + keep(g, scope, "int", f"{a}()")
        return [lines], [use], []

    def use(scope):
        out, made = [], []
        for _ in range(rng.choice((1, 1, 2))):
            var = g.top_name("any")
            out.append(f"{var} = {name}({g.number()})")
            made.append(var)
        for _ in range(rng.randint(1, 4)):
            arg = g.number() if needs or rng.random() < 0.5 else ""
            out += keep(g, scope, "any", f"{rng.choice(made)}({arg})")
        if rng.random() < 0.2:
            out += keep(g, scope, "any", f"[{made[0]}(v) for v in {g.literal('ints')}]")
        return out
    return [lines], [use], []


def part_decorator(g):
    """Returns a decorator, with or without arguments, and decorated functions."""
    rng = g.rng
    name = g.func_name(("trace", "logged", "twice", "memoize", "double", "checked", "counted", "repeat", "clamp", "retry", "debug", "tag", "register",
            "default_on_error"))
    c = rng.randint(2, 5)
    w = rng.choice(("wrapper", "wrapper", "inner", "wrapped"))
    kind = rng.choice(("log", "apply", "count", "memo", "guard", "arg", "arg", "register", "catch"))
    imports = []
    wraps = rng.random() < 0.35
    if wraps:
        imports.append("import functools" if rng.random() < 0.5 else "from functools import wraps")
        at = "@functools.wraps(func)" if "import functools" == imports[0] else "@wraps(func)"
    names = []
    scope = Scope({"result": "int"})
    with_args = ""
    if kind == "log":
        body = [rng.choice(("print('call', args)", "print(f'{func.__name__}{args}')", "print('before')")), "result = func(*args)",
                rng.choice(("print('->', result)", "print(f'result {result}')", "calls.append(result)")), "return result"]
        pre = []
        if "calls" in body[2]:
            pre = [f"calls = []", ""]
            g.taken.add("calls")
    elif kind == "apply":
        pre, body = [], rng.choice(([f"return {g.expr('int', scope, 1).replace('result', 'func(*args)')}"],
                [f"return func(*args) {rng.choice('+*-')} {c}"], ["result = func(*args)", f"return {g.expr('int', scope, 1)}"],
                ["return func(func(args[0]), *args[1:])"], ["first, *rest = args", f"return func(first + {c}, *rest)"]))
    elif kind == "count":
        pre, body = [], [f"{w}.calls += 1", "return func(*args)"]
    elif kind == "memo":
        pre, body = [], [rng.choice(("if args not in cache:", "if args not in cache:")), "    cache[args] = func(*args)", "return cache[args]"]
    elif kind == "guard":
        pre, body = [], [f"if {rng.choice(('any(a < 0 for a in args)', f'args[0] > {rng.randint(3, 30)}', f'sum(args) % {c} == 0'))}:",
                f"    return {rng.choice(('None', '-1', '0', str(c)))}", "return func(*args)"]
    elif kind == "catch":
        pre, body = [], ["try:", "    return func(*args)", f"except {rng.choice(('ZeroDivisionError', '(ValueError, ZeroDivisionError)', 'ArithmeticError', 'Exception as e'))}:", f"    return {rng.choice(('None', '-1', '0', repr('error')))}"]
    elif kind == "register":
        table = rng.choice(("REGISTRY", "handlers", "commands", "hooks"))
        g.taken.add(table)
        key = rng.random() < 0.6
        if key:
            lines = [f"{table} = {{}}", "", f"def {name}(key):", f"    def {w}(func):", f"        {table}[key] = func", "        return func",
                    f"    return {w}"]
        else:
            lines = [f"{table} = {{}}", "", f"def {name}(func):", f"    {table}[func.__name__] = func", "    return func"]
        defs, keys = [lines], []
        for _ in range(rng.randint(2, 3)):
            fn = g.func_name()
            k = rng.choice(g.pool)
            s = Scope({"x": "int"})
            defs.append([f"@{name}({k!r})" if key else f"@{name}", f"def {fn}(x):"] + indent(g.function_body(s, g.kind(), rng.choice((0, 0, 1)))))
            keys.append(k if key else fn)

        def use(scope):
            return rng.choice(([f"for key, func in {table}.items():", f"    print(key, func({g.number()}))"],
                    keep(g, scope, "any", f"{table}[{rng.choice(keys)!r}]({g.number()})"),
                    keep(g, scope, "any", f"sorted({table})") + keep(g, scope, "any", f"[f({g.number()}) for f in {table}.values()]")))
        return defs, [use], []
    else:
        with_args = rng.choice(("n", "times", "amount", "limit"))
        pre, body = [], rng.choice(([f"result = 0", f"for _ in range({with_args} % 4):", "    result += func(*args)", "return result"],
                [f"return min(func(*args), {with_args})"], [f"return func(*args) + {with_args}"], [f"return [func(*args)] * {with_args}"],
                                    [f"value = func(*args)", f"if value > {with_args}:",
                                            f"    return {rng.choice((with_args, 'None', 'value - ' + with_args))}", "return value"],
                                            [f"return func(*[a + {with_args} for a in args])"]))
    wrapper = ([at] if wraps else []) + [f"def {w}(*args):"] + indent(body) + ([f"{w}.calls = 0"] if kind == "count" else []) + [f"return {w}"]
    if kind == "memo":
        wrapper = ["cache = {}"] + wrapper
    if with_args:
        lines = [f"def {name}({with_args}{rng.choice(('', f'={c}'))}):", "    def decorator(func):"] + indent(wrapper, 2) + ["    return decorator"]
    else:
        lines = [f"def {name}(func):"] + indent(wrapper)
    defs, uses = [pre + lines], []
    for _ in range(rng.choice((1, 1, 2))):
        params = ["x"] if rng.random() < 0.6 else ["a", "b"]
        s = Scope({p: "int" for p in params})
        fn = g.func_name()
        fbody = g.function_body(s, "int", rng.choice((0, 0, 1, 1)))
        if kind == "catch":
            fbody = [rng.choice((f"return {params[0]} // ({params[-1]} - {c})", f"return {c * 10} // {params[0]}", f"return int(str({params[0]})[1:])"))]
        head = [f"@{name}({rng.randint(1, 9)})" if with_args else f"@{name}"]
        if rng.random() < 0.12:
            head = head * 2
        defs.append(head + [f"def {fn}({', '.join(params)}):"] + indent(fbody))
        values = [g.number() for _ in range(3)]
        uses.append(lambda scope, fn=fn, params=params, values=values: [y for _ in range(rng.randint(1, 3)) for y in keep(g, scope, "any",
                f"{fn}({', '.join(rng.choice(values) for _ in params)})")] + (keep(g, scope, "any",
                f"{fn}.calls") if kind == "count" else []) + (keep(g, scope, "any", f"{fn}.__name__") if rng.random() < 0.15 else []))
    return defs, uses, imports


def part_functools(g):
    """Returns uses of reduce, partial, sorted by key, map and similar functions."""
    rng = g.rng
    c = rng.randint(1, 9)
    kind = rng.choice(("reduce", "partial", "cmp", "dispatch", "dispatch", "global", "global"))
    if kind == "reduce":
        s = Scope({"a": "int", "b": "int"})
        fn = f"lambda a, b: {rng.choice(('a + b', 'a * b % 101', 'max(a, b)', 'a - b', f'a * {c} + b', g.expr('int', s, 1)))}"
        return [], [lambda sc: keep(g, sc, "int", f"reduce({fn}, {g.expr('ints', sc, 0)}, {g.number()})")], ["from functools import reduce"]
    if kind == "partial":
        lines = g.function(n=rng.choice((0, 1)), least=2)
        name, kinds, result = g.funcs[-1]

        def use(scope):
            var = g.top_name("any")
            return [f"{var} = partial({name}, {g.literal(kinds[0])})"] + keep(g, scope, result, f"{var}({arguments(g, scope, kinds[1:])})")
        return [lines], [use], ["from functools import partial"]
    if kind == "cmp":
        lines = ["def compare(a, b):", f"    if {rng.choice(('len(a) != len(b)', 'a[:1] == b[:1]', 'a.lower() == b.lower()'))}:",
                f"        return {rng.choice(('len(a) - len(b)', 'len(b) - len(a)'))}",
                f"    return {rng.choice(('-1 if a < b else 1', '(a > b) - (a < b)', '1 if a < b else -1'))}"]
        if "compare" in g.taken:
            return part_function_again(g)
        g.taken.add("compare")
        return [lines], [lambda sc: keep(g, sc, "strs", f"sorted({g.literal('strs')}, key=cmp_to_key(compare))")], ["from functools import cmp_to_key"]
    if kind == "dispatch":
        table = g.top_name("dict").upper() if rng.random() < 0.4 else g.top_name("dict")
        g.taken.add(table)
        keys = rng.sample(("add", "sub", "mul", "max", "neg", "+", "-", "*", "//", "%", "inc", "swap", "mod", "pick"), rng.randint(2, 4))
        s = Scope({"a": "int", "b": "int"})
        lines = [f"{table} = {{"] + [f"    {k!r}: lambda a, b: {g.expr('int', s, 1)}," for k in keys] + ["}"]
        fn = g.func_name(("apply", "calc", "run_op", "evaluate", "dispatch"))
        miss = rng.choice((["if op not in T:", "    return None"], ["func = T.get(op)", "if func is None:", "    return -1"],
                [f"func = T.get(op, lambda a, b: {rng.choice('ab')})"]))
        body = miss + [rng.choice(("return func(a, b)",) if "func" in miss[0] else ("return T[op](a, b)",))]
        lines += ["", f"def {fn}(op, a, b):"] + indent([x.replace("T", table) if "True" not in x else x for x in body])

        def use(scope):
            if rng.random() < 0.4:
                return [f"for op in {rng.sample(keys, len(keys)) + ['pow'] * rng.randint(0, 1)!r}:", f"    print(op, {fn}(op, {g.number()}, {g.number()}))"]
            return keep(g, scope, "any", f"{fn}({rng.choice(keys + ['pow'])!r}, {g.number()}, {g.number()})")
        return [lines], [use, use], []
    state = g.top_name("int")
    fn = g.func_name()
    s = Scope({"x": "int"})
    kind = rng.choice(("int", "int", "ints", "dict"))
    s.vars[state] = kind
    s.assignable = {state}
    s.recent = state
    lines = [f"{state} = {g.literal(kind)}", "", f"def {fn}(x):", f"    global {state}"] + indent(g.block(s, rng.choice((1, 2)),
            0) + g.change(s) + ([f"return {g.expr(g.kind(), s, 1)}"] if rng.random() < 0.5 else []))

    def use(scope):
        out = [y for _ in range(rng.randint(1, 3)) for y in ([f"{fn}({g.number()})"] if rng.random() < 0.4 else keep(g, scope, "any", f"{fn}({g.number()})"))]
        return out + ([f"print({state})"] if rng.random() < 0.4 else [])
    return [lines], [use], []


def part_function_again(g):
    from .module_parts import part_function
    return part_function(g)
