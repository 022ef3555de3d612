"""Parts of composed scripts: exceptions, context managers, match statements."""

from . import words
from .module_body import indent
from .module_expr import Scope
from .module_parts import keep

# Expressions over x (an int) that may raise, and the exceptions that they raise.
RISKY = (
    ("{c} // x", "ZeroDivisionError"), ("{c} % x", "ZeroDivisionError"), ("{ints}[x]", "IndexError"), ("{dict}[{w}]", "KeyError"),
    ("int({w})", "ValueError"), ("{ints}.index(x)", "ValueError"), ("{w}.index({ch})", "ValueError"), ("{w} + x", "TypeError"),
    ("int(str(x) + {ch})", "ValueError"), ("len(x)", "TypeError"), ("[].pop()", "IndexError"), ("{w}[x]", "IndexError"), ("x.name", "AttributeError"),
    ("max([v for v in {ints} if v > x])", "ValueError"), ("next(iter({ints}[x:]))", "StopIteration"), ("{dict}.pop({w})", "KeyError"),
            ("{{1: 'a', 2: 'b'}}[x]", "KeyError"),
)
PARENT = {"ZeroDivisionError": "ArithmeticError", "IndexError": "LookupError", "KeyError": "LookupError"}


def risky(g):
    text, error = g.rng.choice(RISKY)
    for hole, kind in (("{ints}", "ints"), ("{dict}", "dict")):
        if hole in text:
            text = text.replace(hole, g.literal(kind))
    text = text.replace("{w}", g.word()).replace("{c}", g.number()).replace("{ch}", repr(g.rng.choice(g.chars)))
    return text.replace("{{", "{").replace("}}", "}"), error


def custom(g):
    """Returns a custom exception class: its lines, its name and whether it takes a
    code."""
    rng = g.rng
    name = g.class_name(("ValidationError", "StockError", "ParseError", "LimitError", "EmptyError", "AppError", "InvalidState", "NotFound", "TooBig",
            "BadInput"))
    base = rng.choice(("Exception", "Exception", "Exception", "ValueError", "RuntimeError", "KeyError", "LookupError"))
    style = rng.choice(("pass", "pass", "doc", "code", "str"))
    if style == "code":
        lines = [f"class {name}({base}):", "    def __init__(self, message, code=0):", "        super().__init__(message)", "        self.code = code"]
    elif style == "str":
        lines = [f"class {name}({base}):", "    def __str__(self):",
                f"        return {rng.choice((repr(name.lower() + ': '), repr('! ')))} + str(self.args[0])"]
    else:
        lines = [f"class {name}({base}):", "    pass" if style == "pass" else f'    """{words.sentence(rng).strip().capitalize()}."""'.replace("\\",
                "").replace('""""', '"""')]
    return lines, name, base, style


def part_exception(g):
    """Returns a function that may raise, and a caller that catches, cleans up, converts
    or propagates the exception."""
    rng = g.rng
    defs, own = [], None
    if rng.random() < 0.5:
        lines, own, base, style = custom(g)
        defs.append(lines)
    fn = g.func_name(("check", "validate", "parse", "load", "risky", "convert", "fetch", "withdraw", "compute", "step"))
    s = Scope({"x": "int"})
    errors = []
    body = []
    if own or rng.random() < 0.5:
        error = own or rng.choice(("ValueError", "TypeError", "KeyError", "RuntimeError"))
        message = rng.choice((g.word(), "f'bad value {x}'", "'too large'", "x", "'invalid: %d' % x", "f'{x!r} not allowed'"))
        extra = f", {rng.randint(1, 99)}" if own and style == "code" and rng.random() < 0.7 else ""
        body += [f"if {g.expr('bool', s, 1)}:", f"    raise {error}({message}{extra})"]
        errors.append(error)
    if rng.random() < 0.6 or not body:
        text, error = risky(g)
        body += [f"value = {text}"]
        errors.append(error)
        body += ["return value"] if rng.random() < 0.7 else [f"return {g.expr('int', s, 1)}"]
    else:
        body += [f"return {g.expr('int', s, 1)}"]
    if rng.random() < 0.2:
        body = ["try:"] + indent(body) + ["finally:", f"    {rng.choice(('print(x)', 'log.append(x)', 'x += 1'))}"]
        if "log.append" in body[-1]:
            g.taken.add("log")
            defs.append(["log = []"])
    defs.append([f"def {fn}(x):"] + indent(body))
    target = fn
    if rng.random() < 0.3:
        # A function between the two, which chains the exception, logs and re-raises it, or replaces
        # it.
        mid = g.func_name(("process", "handle", "attempt", "wrap", "outer"))
        err = rng.choice(errors)
        handler = rng.choice((["raise"], [f"raise {own or 'RuntimeError'}('wrapped') from err"], [f"return {g.number()}"],
                ["print('failed', err)", "raise"], [f"raise {own or 'ValueError'}(str(err))"]))
        defs.append([f"def {mid}(x):", "    try:", f"        return {fn}(x{rng.choice(('', ' - 1', ' * 2'))})",
                f"    except {err} as err:"] + indent(handler, 2) + (["    finally:", f"        print('leaving', x)"] if rng.random() < 0.3 else []))
        if "raise" in handler[-1] and "(" in handler[-1]:
            errors.append(own or ("RuntimeError" if "Runtime" in handler[-1] else "ValueError"))
        target = mid
    catch = []
    for err in dict.fromkeys(errors):
        catch.append(PARENT.get(err, err) if rng.random() < 0.15 else err)
    values = [str(rng.choice((0, 0, 1, 2, 3, -1, 5, 9, 12))) for _ in range(rng.randint(2, 4))]
    uncaught = rng.random() < 0.3

    def handled(call, scope_name):
        """Returns try … except around a call. scope_name receives the result."""
        out = ["try:", f"    {scope_name} = {call}"]
        if rng.random() < 0.25:
            out += [f"except ({', '.join(dict.fromkeys(catch))}) as e:" if len(set(catch)) > 1 else f"except {catch[0]} as e:",
                    f"    {scope_name} = {rng.choice(('str(e)', 'type(e).__name__', 'repr(e)', 'e.args'))}"]
        else:
            for err in dict.fromkeys(catch):
                bind = rng.random() < 0.6
                out += [f"except {err}{' as e' if bind else ''}:", f"    {rng.choice((f'{scope_name} = str(e)', 'print(e)', f'{scope_name} = e.args[0] if e.args else None', f'{scope_name} = type(e).__name__')) if bind else rng.choice((f'{scope_name} = {g.number()}', f'{scope_name} = None', f'print({chr(39)}failed{chr(39)})'))}"]
                if "print" in out[-1]:
                    out.insert(len(out) - 1, f"    {scope_name} = None")
            if rng.random() < 0.25:
                out += [rng.choice(("except Exception as e:", "except Exception:")), f"    {scope_name} = {g.word()}"]
        if rng.random() < 0.3:
            out += ["else:", f"    {rng.choice(('print(S)', 'done = True', 'S = [S]', 'print(type(S).__name__)')).replace('S', scope_name)}"]
        if rng.random() < 0.25:
            out += ["finally:", f"    {rng.choice(('print(chr(45) * 3)', 'finished = True', 'print(S)')).replace('S', scope_name)}" if "else:" in out else "    finished = True"]
        return out

    def use(scope):
        var = g.top_name("any")
        if uncaught:
            g.may_raise = True
            return keep(g, scope, "any", f"{target}({rng.choice(values)})") + [f"print({target}({v}))" for v in values[:2]]
        if rng.random() < 0.6:
            item = rng.choice(("x", "v", "n", "arg", "value"))
            many = f"[{', '.join(values)}]" if rng.random() < 0.6 else f"({', '.join(values)})"
            tail = [rng.choice((f"print({item}, {var})", f"results.append({var})"))]
            pre = ["results = []"] if "results" in tail[0] else []
            return pre + [f"for {item} in {many}:"] + indent(handled(f"{target}({item})", var) + tail)
        return handled(f"{target}({rng.choice(values)})", var)
    return defs, [use], []


def part_context(g):
    """Returns a context manager, as a class or a generator, and with statements."""
    rng = g.rng
    name = g.class_name(("Scope", "Session", "Guard", "Timer", "Transaction", "Section", "Lock"))
    swallow = rng.random() < 0.5
    imports = []
    if rng.random() < 0.6:
        first = rng.choice(("depth", "name", "level", "log"))
        arg = {"depth": "n", "name": "name", "level": "n", "log": "log"}[first]
        enter = rng.choice(("return self", "return self", f"return self.{first}")) if first != "log" else "return self"
        change = {"log": ("self.log.append('enter')", "self.log.append('exit')"), "name": ("print('>', self.name)", "print('<', self.name)"),
                "depth": ("self.depth += 1", "self.depth -= 1"), "level": ("self.level *= 2", "self.level //= 2")}[first]
        exits = [change[1]]
        if rng.random() < 0.4:
            exits.append(rng.choice(("self.error = kind", "self.failed = kind is not None", "print(kind is None)")))
        exits.append(rng.choice((f"return kind is {rng.choice(('ValueError', 'KeyError', 'ZeroDivisionError'))}", "return True",
                "return kind is not None and issubclass(kind, Exception)")) if swallow else rng.choice(("return False", "return None")))
        if exits[-1] == "return None":
            exits.pop()
        lines = [f"class {name}:", f"    def __init__(self, {arg}):", f"        self.{first} = {arg}", "", "    def __enter__(self):",
                f"        {change[0]}", f"        {enter}", "", "    def __exit__(self, kind, value, tb):"] + indent(exits, 2)
        make = {"n": lambda: f"{name}({g.number()})", "name": lambda: f"{name}({g.word()})", "log": lambda: f"{name}(log)"}[arg]
        needs_log = arg == "log"
    else:
        imports.append("from contextlib import contextmanager")
        name = name.lower()
        needs_log = rng.random() < 0.5
        say = "log.append({})" if needs_log else "print({})"
        use_try = rng.random() < 0.7
        arg = "label"
        inside = [f"yield {rng.choice(('label', 'label.upper()', 'len(label)', ''))}".strip()]
        after = [say.format(rng.choice(("'exit'", "f'end {label}'", "label[::-1]")))]
        if use_try:
            inside = ["try:"] + indent(inside) + (["except ValueError as e:", "    " + say.format("str(e)")] if swallow else []) + ["finally:"] + indent(after)
        else:
            inside += after
            swallow = False
        lines = ["@contextmanager", f"def {name}({arg}):"] + indent([say.format(rng.choice(("'enter'", "f'begin {label}'", "label")))] + inside)
        make = lambda: f"{name}({g.word()})"
        if needs_log:
            lines = ["log = []", ""] + lines
    if needs_log:
        g.taken.add("log")

    def use(scope):
        var = g.top_name("any")
        s = Scope({"total": "int"})
        s.assignable = {"total"}
        body = [f"total = {g.number()}"] + g.block(s, rng.choice((0, 1, 1)),
                0) + ([f"print({var})"] if "print" not in "".join(lines) and rng.random() < 0.3 else [])
        body = [b for b in body if b.strip() != "pass"]
        fails = rng.random() < 0.55
        if fails:
            text, error = risky(g)
            body += rng.choice(([f"x = {g.number()}", f"total += {text}" if "+" not in text else f"print({text})"],
                    [f"raise {rng.choice(('ValueError', 'ValueError', 'KeyError'))}({g.word()})"],
                    [f"if total > {rng.randint(0, 5)}:", f"    raise ValueError(total)"]))
            body += ["print('not reached')"] if rng.random() < 0.2 else []
        how = f"with {make()} as {var}:"
        if rng.random() < 0.2:
            how = f"with {make()} as {var}, {make()}:"
        out = [how] + indent(body)
        if fails:
            if rng.random() < 0.88:
                out = ["try:"] + indent(out) + [f"except Exception as e:", f"    print({rng.choice(('repr(e)', 'type(e).__name__', 'e'))})"]
                if rng.random() < 0.3:
                    out += ["else:", "    print('ok')"]
            else:
                g.may_raise = True
        pre = ["log = []"] if needs_log and "log" not in scope.vars and lines[0] != "log = []" else []
        if needs_log:
            scope.vars["log"] = "strs"
        return pre + out + (["print(log)"] if needs_log and rng.random() < 0.5 else [])
    return [lines], [use], imports


def part_match(g):
    """Returns a match statement over random subjects that fit its cases."""
    rng = g.rng
    fn = g.func_name(("handle", "describe", "classify", "evaluate", "route", "parse", "interpret", "kind_of"))
    kind = rng.choice(("literal", "sequence", "mapping", "class", "mixed", "mixed"))
    subj = rng.choice(("value", "cmd", "x", "item", "event", "msg"))
    c = [rng.randint(0, 9) for _ in range(4)]
    word = [rng.choice(g.pool) for _ in range(4)]
    defs, cases, data = [], [], []
    ret = lambda **v: f"return {g.expr(rng.choice(('int', 'str', 'int', 'strs')), Scope(v), 1)}"
    if kind == "class":
        name = g.class_name(("Point", "Circle", "Move", "Token", "Node", "Shape"))
        if rng.random() < 0.5:
            defs.append(["@dataclass", f"class {name}:", "    x: int", "    y: int"])
            imports = ["from dataclasses import dataclass"]
        else:
            defs.append([f"class {name}:", "    __match_args__ = ('x', 'y')", "", "    def __init__(self, x, y):", "        self.x = x", "        self.y = y"])
            imports = []
        cases = [(f"case {name}({c[0]}, {c[1]}):", ret()), (f"case {name}(x={c[2]}):", ret()), (f"case {name}({c[0]}, y):", ret(y="int")),
                (f"case {name}(x, y) if x {rng.choice(('==', '>', '<'))} y:", ret(x="int", y="int")), (f"case {name}(x=a, y=b):", ret(a="int", b="int")),
                 ("case int() | float():", ret(**{subj: "int"})), (f"case [{name}(a, _), *rest]:", "return a + len(rest)")]
        data = [f"{name}({rng.choice(c)}, {rng.choice(c)})" for _ in range(4)] + [g.number(), f"[{name}({g.number()}, {g.number()}), {g.number()}]"]
    else:
        imports = []
        lit = [(f"case {c[0]}:", ret()), (f"case {word[0]!r}:", ret()), (f"case {c[1]} | {c[2]}:", ret(**{subj: "int"})), ("case None:", ret()),
                ("case True:", ret()), (f"case int() if {g.expr('bool', Scope({subj: 'int'}), 1)}:", ret(**{subj: "int"})),
                ("case int(n):", ret(n="int")), ("case str(s) if len(s) > %d:" % rng.randint(1, 6), ret(s="str")),
                ("case str():", ret(**{subj: "str"})), ("case bool():", ret()), (f"case {word[1]!r} | {word[2]!r} as w:", ret(w="str"))]
        seq = [("case []:", ret()), ("case [x]:", "return x"), ("case [x, y]:", "return (y, x)"), (f"case [{word[0]!r}, n]:", "return n"),
                (f"case [{word[1]!r}, int(n)] if n > {c[0]}:", ret(n="int")), (f"case [{word[1]!r}, int(n)]:", ret(n="int")),
                ("case [first, *rest]:", rng.choice(("return len(rest)", "return rest", "return first, rest[::-1]", "return rest[:1]"))),
                ("case (int(a), int(b), int(c)):", ret(a="int", b="int", c="int")), ("case [*_, last]:", "return last"),
                (f"case [{c[0]}, *tail]:", "return tail"), (f"case [[a, b], *_]:", "return [a, b]"), (f"case [{word[2]!r}, *args]:", "return args")]
        maps = [(f"case {{'type': {word[0]!r}, 'n': n}}:", "return n"), (f"case {{'type': t}}:", ret(t="str")),
                ("case {'n': int(n)} if n > %d:" % c[0], ret(n="int")), ("case {'items': [first, *rest]}:", "return first, len(rest)"),
                ("case {'id': i, **rest}:", rng.choice(("return i, rest", "return sorted(rest)", "return len(rest)"))),
                ("case {'pos': (x, y)}:", rng.choice(("return x + y", "return x - y", "return y, x")))]
        dlit = [str(c[0]), str(c[1]), str(c[2]), repr(word[0]), repr(word[1]), g.number(), "None", g.word(), "True"]
        dseq = ["[]", f"[{c[0]}]", f"[{word[0]!r}, {c[1]}]", f"[{word[1]!r}, {c[2]}]", f"({c[0]}, {c[1]}, {c[2]})", f"[{c[0]}, {c[3]}, {g.word()}]",
                f"[{word[2]!r}, {g.number()}, {g.number()}]", f"[[{c[0]}, {c[1]}], {c[2]}]", f"{word[0]!r}", f"[{g.word()}, {g.word()}]"]
        dmap = [f"{{'type': {word[0]!r}, 'n': {c[0]}}}", f"{{'type': {g.word()}}}", f"{{'n': {c[1]}}}", f"{{'items': {g.literal('ints')}}}",
                f"{{'id': {c[2]}, 'a': {c[3]}}}", f"{{'pos': ({c[0]}, {c[1]})}}", "{}"]
        cases = {"literal": lit, "sequence": seq, "mapping": maps, "mixed": lit + seq + maps}[kind]
        data = {"literal": dlit, "sequence": dseq, "mapping": dmap, "mixed": dlit + dseq + dmap}[kind]
    chosen = sorted(rng.sample(range(len(cases)), min(len(cases), rng.randint(2, 5))))
    lines = [f"def {fn}({subj}):", f"    match {subj}:"]
    for i in chosen:
        head, body = cases[i]
        if rng.random() < 0.2:
            # The match sets a result that is returned after it.
            pass
        lines += [f"        {head}", f"            {body}"]
    if rng.random() < 0.7:
        lines += ["        case _:", f"            return {rng.choice(('None', '-1', g.word(), subj, '0'))}"]
    elif rng.random() < 0.5:
        lines += [f"    return {rng.choice((g.word(), 'None', g.number()))}"]
    defs.append(lines)

    def use(scope):
        some = rng.sample(data, min(len(data), rng.randint(2, 4)))
        how = rng.random()
        if how < 0.35:
            return [f"for {subj} in [{', '.join(some)}]:", f"    print({fn}({subj}))"]
        if how < 0.5:
            return [f"{g.top_name('any')} = [{fn}({subj}) for {subj} in ({', '.join(some)})]"]
        return [y for d in some[:3] for y in keep(g, scope, "any", f"{fn}({d})")]
    return defs, [use], imports
