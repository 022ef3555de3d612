"""Random statements and function bodies for composed scripts."""

from . import words
from .module_expr import COMMON, TYPES, Expressions, Scope

LOCAL = {
    "int": "total count n x y result value num step score size acc width level offset limit amount m".split(),
    "str": "text s word label name out msg key prefix line token title tag piece buf code".split(),
    "bool": "flag ok found done valid changed seen ready".split(),
    "ints": "nums xs values data numbers seq sizes scores rows result out counts".split(),
    "strs": "names tokens parts lines tags letters keys chunks fields wds".split(),
    "dict": "table d counts index mapping cache stock lookup prices info freq".split(),
    "float": "ratio rate avg mean price weight share f_ half scale".split(),
    "set": "seen ids group unique marks pool bag chosen".split(),
    "tuple": "pair point span bounds pos triple edge".split(),
    "any": "result res out got r val answer what ret z".split(),
}
HINT = {"int": "int", "str": "str", "bool": "bool", "ints": "list[int]", "strs": "list[str]", "dict": "dict[str, int]", "float": "float",
        "set": "set[int]", "tuple": "tuple"}
EMPTY = {"int": "0", "str": "''", "bool": "False", "ints": "[]", "strs": "[]", "dict": "{}", "float": "0.0", "set": "set()", "tuple": "()"}


def indent(lines, by=1):
    """Returns the lines with more indentation. An empty block becomes pass."""
    lines = lines or ["pass"]
    return ["    " * by + line if line else line for line in lines]


class Body(Expressions):
    """Generates expressions and statements. Every block that it generates ends."""

    def __init__(self, rng, difficulty):
        super().__init__(rng, difficulty)
        self.hints = rng.random() < 0.15
        self.kinds = rng.choices(TYPES, COMMON, k=3)
        self.printing = rng.choice((0.0, 0.0, 0.05, 0.12))

    def kind(self, *without):
        """Returns a type, mostly one of the three main types of this program."""
        rng = self.rng
        kind = rng.choice(self.kinds) if rng.random() < 0.6 else rng.choices(TYPES, COMMON)[0]
        return "int" if kind in without else kind

    def fresh(self, kind, scope=None):
        """Returns a variable name that is neither in the scope nor in the module."""
        rng = self.rng
        for _ in range(12):
            name = rng.choice(LOCAL[kind]) if rng.random() < 0.6 else words.name(rng)
            if name not in self.taken and (scope is None or name not in scope.vars):
                break
        else:
            name = f"{name}{rng.randint(2, 99)}"
        return name

    def top_name(self, kind):
        name = self.fresh(kind)
        self.taken.add(name)
        return name

    def func_name(self, options=()):
        rng = self.rng
        for _ in range(12):
            name = rng.choice(options) if options and rng.random() < 0.6 else words.function_name(rng)
            if name not in self.taken:
                break
        else:
            name = f"{name}_{rng.randint(2, 99)}"
        self.taken.add(name)
        return name

    def class_name(self, options=()):
        rng = self.rng
        for _ in range(12):
            name = rng.choice(options) if options and rng.random() < 0.6 else words.class_name(rng)
            if name not in self.taken:
                break
        else:
            name = f"{name}{rng.randint(2, 99)}"
        self.taken.add(name)
        return name

    # Blocks
    def block(self, scope, n, loops=1):
        """Returns n statements. loops is the number of levels that loops may still nest."""
        lines = []
        for _ in range(n):
            lines += self.statement(scope, loops)
        return lines or ["pass"]

    def statement(self, scope, loops=1):
        rng = self.rng
        roll = rng.random()
        # A new name inside a block is seldom read again.
        if roll < (0.08 if scope.nested else 0.30) or not scope.assignable:
            return self.assign(scope)
        if roll < 0.58:
            return self.change(scope)
        if roll < 0.74:
            return self.branch(scope, loops)
        if roll < 0.90 and loops > 0:
            return self.loop(scope, loops)
        if roll < 0.90 + self.printing:
            return [f"print({self.expr(self.kind(), scope, 1)})"]
        if roll > 0.97:
            ints = [v for v in scope.of("int") if v in scope.assignable]
            if len(ints) > 1:
                a, b = rng.sample(ints, 2)
                return [rng.choice((f"{a}, {b} = {b}, {a}", f"{a}, {b} = divmod({a}, {rng.randint(2, 7)})", f"{a}, {b} = {b}, {a} + {b}",
                                    f"{a} = {b} = {self.expr('int', scope, 1)}"))]
        return self.change(scope)

    def assign(self, scope):
        rng = self.rng
        kind = self.kind()
        text = self.expr(kind, scope)
        name = self.fresh(kind, scope)
        scope.vars[name] = kind
        scope.assignable.add(name)
        scope.recent = name
        if self.hints and rng.random() < 0.2:
            return [f"{name}: {HINT[kind]} = {text}"]
        return [f"{name} = {text}"]

    def change(self, scope):
        """Returns a change of an existing variable: assignment, augmented assignment, a
        mutating method."""
        rng = self.rng
        names = [v for v in scope.vars if v in scope.assignable]
        if not names:
            return self.assign(scope)
        return self.change_of(scope.recent if scope.recent in scope.assignable and rng.random() < 0.4 else rng.choice(names), scope)

    def change_of(self, name, scope):
        """Returns a statement that changes this variable."""
        rng = self.rng
        kind = scope.vars[name]
        few = lambda k: self.expr(k, scope, 1)
        roll = rng.random()
        if kind == "int":
            if roll < 0.5:
                return [f"{name} += {few('int')}"]
            if roll < 0.65:
                return [f"{name} -= {few('int')}"]
            if roll < 0.72:
                return [f"{name} *= {rng.randint(2, 4)}"]
            if roll < 0.8:
                return [f"{name} {rng.choice(('//', '%', '^', '|', '>>'))}= {rng.randint(1, 9)}"]
            return [f"{name} = {few('int')}"]
        if kind == "str":
            if roll < 0.5:
                return [f"{name} += {few('str')}"]
            if roll < 0.6:
                return [f"{name} = {few('str')} + {name}"]
            if roll < 0.7:
                return [f"{name} = {name}[{rng.choice(('1:', ':-1', '::-1', ':4', '-3:', '2:'))}]"]
            return [f"{name} = {few('str')}"]
        if kind in ("ints", "strs"):
            one = "int" if kind == "ints" else "str"
            if roll < 0.45:
                return [f"{name}.append({few(one)})"]
            if roll < 0.52:
                return [f"{name}.extend({few(kind)})"]
            if roll < 0.58:
                return [f"{name}.insert({rng.choice((0, 1, -1, 2))}, {few(one)})"]
            if roll < 0.66:
                return [f"{name}.{rng.choice(('sort()', 'reverse()', 'sort(reverse=True)'))}"]
            if roll < 0.76:
                index = rng.choice(("", "0", "-1", ""))
                return [f"if {name}:", rng.choice((f"    {name}.pop({index})", f"    del {name}[{index or 0}]"))]
            if roll < 0.84:
                return [f"if {name}:", f"    {name}[{rng.choice((0, -1))}] = {few(one)}"]
            return [f"{name} = {few(kind)}"]
        if kind == "dict":
            key = few("str")
            if roll < 0.35:
                return [f"{name}[{key}] = {few('int')}"]
            if roll < 0.65:
                return [f"{name}[{key}] = {name}.get({key}, 0) + {few('int')}"]
            if roll < 0.75:
                return [f"{name}.setdefault({key}, {self.number()})"]
            if roll < 0.85:
                return [f"{name}.pop({key}, None)"]
            return [f"{name}.update({few('dict')})"]
        if kind == "float":
            return [rng.choice((f"{name} += {few('float')}", f"{name} *= {rng.choice((2, 0.5, 1.5))}", f"{name} -= {few('int')}",
                    f"{name} = {few('float')}", f"{name} = round({name}, 1)"))]
        if kind == "set":
            return [rng.choice((f"{name}.add({few('int')})", f"{name}.add({few('int')})", f"{name}.discard({few('int')})", f"{name} |= {few('set')}",
                    f"{name} &= {few('set')}", f"{name} -= {few('set')}", f"{name}.update({few('ints')})", f"{name} = {few('set')}"))]
        if kind == "tuple":
            return [rng.choice((f"{name} += ({few('int')},)", f"{name} = {few('tuple')}", f"{name} = {name}[::-1]", f"{name} = {name}[1:]"))]
        return [f"{name} = {few('bool')}"] if roll < 0.7 else [f"{name} = not {name}"]

    def nested(self, scope, n, loops):
        """Returns a block whose new names are not used after it."""
        inner = Scope((), scope)
        inner.assignable = set(scope.assignable)
        inner.recent = scope.recent
        inner.nested = True
        return indent(self.block(inner, n, loops))

    def some(self):
        return 1 + (self.rng.random() < 0.25 + 0.3 * self.difficulty)

    def branch(self, scope, loops):
        rng = self.rng
        lines = [f"if {self.expr('bool', scope, 1)}:"] + self.nested(scope, self.some(), 0)
        if rng.random() < 0.25:
            lines += [f"elif {self.expr('bool', scope, 1)}:"] + self.nested(scope, 1, 0)
        if rng.random() < 0.45:
            lines += ["else:"] + self.nested(scope, self.some(), 0)
        return lines

    def loop(self, scope, loops, must=None):
        """Returns a loop. must is a variable that the loop has to change."""
        rng = self.rng
        inner = Scope((), scope)
        inner.nested = True
        inner.assignable = set(scope.assignable)
        if not any(k != "bool" for v, k in scope.vars.items() if v in scope.assignable):
            return self.assign(scope)
        roll = rng.random()
        whole = scope
        if must:
            # The variable that a loop fills is not read in the expressions that fill it.
            scope = Scope({v: k for v, k in scope.vars.items() if v != must})
            scope.recent = None
        if roll < 0.3:
            item = self.fresh("int", scope)
            head, new = f"for {item} in {self.expr('ints', scope, 1)}:", {item: "int"}
        elif roll < 0.5:
            item = self.fresh("str", scope)
            head, new = f"for {item} in {self.expr(rng.choice(('str', 'strs', 'strs')), scope, 1)}:", {item: "str"}
        elif roll < 0.68:
            item = rng.choice([x for x in "ijk" if x not in scope.vars] or [self.fresh("int", scope)])
            ends = rng.choice((str(rng.randint(2, 5)), f"{rng.randint(0, 3)}, {rng.randint(3, 7)}", f"{rng.randint(4, 8)}, 0, -{rng.randint(1, 3)}",
                               f"1, {rng.randint(3, 9)}, 2", f"len({rng.choice(scope.of('ints') + scope.of('strs') or ['[1, 2]'])})"))
            head, new = f"for {item} in range({ends}):", {item: "int"}
        elif roll < 0.8:
            item = self.fresh("str", scope)
            index = rng.choice([x for x in ("i", "pos", "idx") if x not in scope.vars and x != item] or ["i_"])
            start = rng.choice(("", "", ", 1", ", start=1"))
            head, new = f"for {index}, {item} in enumerate({self.expr('strs', scope, 0)}{start}):", {index: "int", item: "str"}
        elif roll < 0.9:
            key, val = rng.choice((("k", "v"), ("key", "val"), ("name", "amount")))
            if key in scope.vars or val in scope.vars:
                key, val = "k_", "v_"
            head, new = f"for {key}, {val} in {self.expr('dict', scope, 0)}.items():", {key: "str", val: "int"}
        else:
            return self.while_loop(whole, must)
        scope = whole
        inner.vars.update(new)
        inner.recent = rng.choice(list(new))
        # A loop must not change the list that it iterates over: it might never end.
        inner.assignable -= {v for v, k in inner.vars.items() if k in ("ints", "strs", "dict", "set") and v in head}
        body = []
        if rng.random() < 0.18:
            body += [f"if {self.expr('bool', inner, 1)}:", "    " + rng.choice(("continue", "continue", "break"))]
        if not must or rng.random() < 0.3:
            body += self.block(inner, self.some() if not must else 1, loops - 1 if rng.random() < 0.3 else 0)
        if must and must in inner.assignable:
            last = self.change_of(must, inner)
            body += last if rng.random() < 0.6 else [f"if {self.expr('bool', inner, 1)}:"] + indent(last)
        lines = [head] + indent(body)
        if rng.random() < 0.06:
            lines += ["else:"] + self.nested(scope, 1, 0)
        return lines

    def while_loop(self, scope, must=None):
        rng = self.rng
        name = self.fresh("int", scope)
        inner = Scope({name: "int"}, scope)
        inner.assignable = set(scope.assignable)
        start, step = rng.choice((
            (f"{rng.randint(2, 30)}", (f"while {name} > {rng.randint(0, 1)}:", f"{name} //= {rng.randint(2, 3)}")),
            (f"{rng.randint(0, 3)}", (f"while {name} < {rng.randint(3, 9)}:", f"{name} += {rng.randint(1, 3)}")),
            (f"{rng.randint(3, 9)}", (f"while {name}:", f"{name} -= 1")),
            (f"len({self.expr('str', scope, 0)})", (f"while {name} > {rng.randint(0, 2)}:", f"{name} -= {rng.randint(1, 2)}"))))
        inner.nested = True
        inner.recent = name
        body = self.block(inner, self.some(), 0) if not must or rng.random() < 0.3 else []
        if must and must in inner.assignable:
            body += self.change_of(must, inner)
        if rng.random() < 0.2:
            body = [f"if {self.expr('bool', inner, 1)}:", "    break"] + body
        return [f"{name} = {start}", step[0]] + indent(body + [step[1]])

    # Functions
    def function_body(self, scope, result, n):
        """Returns statements and a return of the wanted type."""
        rng = self.rng
        lines = []
        if rng.random() < 0.25:
            lines += [f"if {self.expr('bool', scope, 1)}:", f"    return {self.expr(result, scope, 1)}"]
        if n:
            lines += self.block(scope, n) if rng.random() < 0.75 else self.accumulate(scope, result, n)
        if not n or rng.random() < 0.5 or not scope.of(result):
            lines.append(f"return {self.expr(result, scope)}")
        else:
            names = scope.of(result)
            lines.append(f"return {scope.recent if scope.recent in names else rng.choice(names[-2:])}")
        return lines

    def accumulate(self, scope, result, n):
        """Returns the most common form: an initial value and a loop that changes it."""
        start = EMPTY[result]
        name = self.fresh(result, scope)
        scope.vars[name] = result
        scope.assignable = {name}
        scope.recent = name
        return [f"{name} = {start}"] + self.loop(scope, 1, name)

    def signature(self, params, hints=None):
        """Returns the text of a parameter list. params are (name, type, default or
        None)."""
        out = []
        for name, kind, default in params:
            text = f"{name}: {HINT[kind]}" if (self.hints if hints is None else hints) else name
            if default is not None:
                text += f" = {default}" if ":" in text else f"={default}"
            out.append(text)
        return ", ".join(out)

    def params(self, least=1, most=3):
        rng = self.rng
        out, scope = [], Scope()
        for _ in range(rng.randint(least, most)):
            kind = self.kind("bool")
            name = self.fresh(kind, scope)
            scope.vars[name] = kind
            out.append((name, kind))
        return out

    def function(self, n=None, name=None, least=1):
        """Returns a plain function, which later code may call."""
        rng = self.rng
        params = self.params(least)
        result = self.kind()
        scope = Scope(dict(params))
        scope.assignable = {p for p, k in params if k in ("int", "str")}
        count = n if n is not None else rng.choice((0, 1, 2, 2, 3) if self.difficulty > 0.3 else (0, 1, 1, 2))
        body = self.function_body(scope, result, count)
        name = name or self.func_name()
        full = [(p, k, None) for p, k in params]
        if rng.random() < 0.2 and params[-1][1] in ("int", "str"):
            full[-1] = (*params[-1], self.literal(params[-1][1]))
        arrow = f" -> {HINT[result]}" if self.hints else ""
        lines = [f"def {name}({self.signature(full)}){arrow}:"] + indent(body)
        self.funcs.append((name, tuple(k for _, k in params), result))
        return lines
