"""Random classes for composed scripts, and the statements that use them."""

from . import words
from .module_body import EMPTY, HINT, indent
from .module_expr import Scope

VERBS = "add push update apply step move merge bump feed put record shift grow trim load mark absorb scale use charge tick".split()
ASKS = "total size best summary describe score report weight value_of area label render key peek rank top count_of text".split()
ATTRS = {
    "int": "count total level balance size score x y width height age price qty limit speed hp points rank stock".split(),
    "str": "name label title owner text tag kind code prefix word status color".split(),
    "bool": "active open_ done locked ready".split(),
    "ints": "values scores sizes history data nums samples marks".split(),
    "strs": "names tags lines log words_ queue notes parts".split(),
    "float": "rate ratio weight average balance price".split(),
    "set": "seen ids members marks flags".split(),
    "tuple": "pos span bounds pair origin".split(),
    "dict": "table stock_ counts prices cache index slots members".split(),
}


class Shape:
    """The interface of a generated class: how to create an instance, and what its methods accept
    and return."""

    def __init__(self, name):
        self.name = name
        self.ctor = []        # (name, type, default or None)
        self.attrs = {}       # name -> type
        self.methods = []     # (name, parameter types, result type or None)
        self.props = []       # (name, type)
        self.extras = []      # templates of expressions over {o}, {p}, for special methods
        self.statics = []     # (name, parameter types, result type)


def draw_attrs(g, n):
    rng, out = g.rng, {}
    for _ in range(n):
        kind = g.kind()
        name = rng.choice(ATTRS[kind]) if rng.random() < 0.7 else words.attribute(rng)
        name = name.lstrip("_") or "value"
        if name not in out:
            out[name] = kind
    return out


def initialiser(g, shape, private, base=None):
    """Returns __init__: parameters that are stored unchanged, defaults, computed
    attributes."""
    rng = g.rng
    own = [a for a in shape.attrs if not base or a not in base.attrs]
    lines, params, scope = [], [], Scope()
    if base:
        params = list(base.ctor)
        for p, k, _ in params:
            scope.vars[p] = k
        lines.append(f"super().__init__({', '.join(p for p, _, _ in params)})")
    for attr in own:
        kind = shape.attrs[attr]
        field = private.get(attr, attr)
        roll = rng.random()
        if roll < 0.55 and attr not in scope.vars and len(params) < 4:
            default = g.literal(kind) if kind in ("int", "str", "bool") and rng.random() < 0.3 else None
            params.append((attr, kind, default))
            scope.vars[attr] = kind
            lines.append(f"self.{field} = " + (f"list({attr})" if kind in ("ints", "strs") and rng.random() < 0.3 else attr))
        elif roll < 0.75 and scope.vars:
            lines.append(f"self.{field} = {g.expr(kind, scope, 1)}")
        else:
            empty = EMPTY[kind]
            lines.append(f"self.{field} = {empty if rng.random() < 0.7 else g.literal(kind)}")
        scope.vars[f"self.{field}"] = kind
    plain = [p for p in params if p[2] is None]
    shape.ctor = plain + [p for p in params if p[2] is not None]
    head = ", ".join(x for x in ("self", g.signature(shape.ctor)) if x)
    return [f"def __init__({head}):"] + indent(lines or ["pass"])


def self_scope(shape, private):
    scope = Scope({f"self.{private.get(a, a)}": k for a, k in shape.attrs.items()})
    scope.assignable = set(scope.vars)
    return scope


def method(g, shape, private, taken):
    """Returns one method that changes the instance, computes something, or both."""
    rng = g.rng
    changes = rng.random() < 0.6
    pool = VERBS if changes else ASKS
    name = rng.choice(pool)
    if name in taken or name in shape.attrs:
        return []
    taken.add(name)
    scope = self_scope(shape, private)
    fields = list(scope.vars)
    params = g.params(0, 2) if rng.random() < 0.7 else []
    params = [(p, k) for p, k in params if p != "self"]
    for p, k in params:
        scope.vars[p] = k
        scope.recent = p
    lines = []
    if changes:
        target = [f for f in fields]
        scope.assignable = set(target)
        n = rng.choice((1, 1, 2, 2, 3))
        lines += g.block(scope, n)
        if not any(f in line for line in lines for f in fields):
            lines += g.change(scope)
        roll = rng.random()
        if roll < 0.3:
            result = None
        elif roll < 0.42:
            result = "self"
            lines.append("return self")
        else:
            result = g.kind()
            lines.append(f"return {g.expr(result, scope, 1)}")
    else:
        result = g.kind()
        scope.assignable = set()
        lines += g.function_body(scope, result, rng.choice((0, 0, 1, 1, 2)))
    if rng.random() < 0.12:
        other = [m for m in shape.methods if not m[1]]
        if other:
            lines.insert(0, f"self.{rng.choice(other)[0]}()")
    shape.methods.append((name, tuple(k for _, k in params), result))
    head = ", ".join(x for x in ("self", g.signature([(p, k, None) for p, k in params])) if x)
    arrow = f" -> {HINT[result]}" if g.hints and result in HINT else ""
    doc = [f'"""{words.sentence(rng).strip().capitalize()}."""'.replace("\\", "")] if rng.random() < 0.04 else []
    return [f"def {name}({head}){arrow}:"] + indent(doc + lines)


def dunders(g, shape, private, taken):
    """Returns a few special methods, with the expressions that use them."""
    rng, out = g.rng, []
    scope = self_scope(shape, private)
    by = lambda kind: scope.of(kind)
    first = list(scope.vars)[0]
    options = ["__repr__", "__str__", "__eq__", "__len__", "__bool__", "__call__"]
    if by("int"):
        options += ["__lt__", "__add__", "__int__", "__iadd__", "__sub__", "__neg__", "__mul__"]
    if by("ints") or by("strs"):
        options += ["__getitem__", "__iter__", "__contains__", "__len__", "__iter__"]
    if by("dict"):
        options += ["__getitem__", "__setitem__", "__contains__", "__delitem__"]
    for which in rng.sample(options, min(len(options), rng.choice((0, 1, 1, 2, 3)))):
        if which in taken:
            continue
        taken.add(which)
        seqs = by("ints") + by("strs")
        if which in ("__repr__", "__str__"):
            shown = "".join(rng.choice((f"{{{v}}}", f" {v[5:]}={{{v}}}", f"{{{v}!r}}")) for v in list(scope.vars)[:2])
            body = rng.choice((f"return f'{shape.name}({shown.strip()})'", f"return f'<{shape.name}{shown}>'", f"return str({first})",
                               f"return '{shape.name}(' + str({first}) + ')'", f"return '{shape.name}:%s' % ({first},)",
                                       f"return f'{{type(self).__name__}}({{{first}}})'"))
            lines = [f"def {which}(self):", "    " + body]
            shape.extras += ["str({o})", "f'<{{o}}>'", "repr({o})"]
        elif which == "__eq__":
            if rng.random() < 0.5:
                lines = ["def __eq__(self, other):", f"    if not isinstance(other, {shape.name}):", "        return NotImplemented",
                         f"    return {first} == {first.replace('self', 'other')}"]
            else:
                lines = ["def __eq__(self, other):", f"    return {first} == {first.replace('self', 'other')}"]
            shape.extras += ["{o} == {p}", "{o} != {p}"]
        elif which == "__len__":
            of = rng.choice(seqs + by("dict") + by("str")) if seqs + by("dict") + by("str") else None
            lines = ["def __len__(self):", f"    return len({of})" if of else f"    return abs({g.expr('int', scope, 0, 0)})"]
            shape.extras += ["len({o})", "len({p}) > %d" % rng.randint(0, 4)]
        elif which == "__bool__":
            lines = ["def __bool__(self):", f"    return bool({g.expr('bool', scope, 1)})"]
            shape.extras += ["bool({o})", "'yes' if {o} else 'no'", "not {o}"]
        elif which == "__call__":
            inner = Scope({"x": "int"}, scope)
            inner.recent = "x"
            lines = ["def __call__(self, x):"] + indent(g.function_body(inner, g.kind(), rng.choice((0, 0, 1))))
            shape.extras += ["{o}(%s)" % g.number()]
        elif which == "__lt__":
            field = rng.choice(by("int"))
            lines = ["def __lt__(self, other):", f"    return {field} < {field.replace('self', 'other')}"]
            shape.extras += ["{o} < {p}", "min({o}, {p}) is {o}", "sorted([{o}, {p}])[0] is {p}", "{o} > {p}"]
        elif which in ("__add__", "__sub__", "__mul__"):
            field, sign = rng.choice(by("int")), {"__add__": "+", "__sub__": "-", "__mul__": "*"}[which]
            lines = [f"def {which}(self, other):", f"    return {field} {sign} {field.replace('self', 'other')}"]
            shape.extras += [f"{{o}} {sign} {{p}}", f"({{o}} {sign} {{o}}) // 2"]
        elif which == "__iadd__":
            field = rng.choice(by("int"))
            lines = ["def __iadd__(self, other):", f"    {field} += other", "    return self"]
            shape.extras += ["!{o} += %d" % rng.randint(1, 9)]
        elif which in ("__int__", "__neg__"):
            lines = [f"def {which}(self):", f"    return {'-' if which == '__neg__' else ''}{rng.choice(by('int'))}"]
            shape.extras += ["int({o})" if which == "__int__" else "-{o}"]
        elif which == "__iter__":
            of = rng.choice(seqs) if seqs else None
            if not of:
                continue
            lines = ["def __iter__(self):"] + indent(rng.choice(([f"return iter({of})"], [f"for item in {of}:", "    yield item"], [f"yield from {of}"])))
            shape.extras += ["list({o})", "[x for x in {o}]", "[*{o}, *{p}]"]
        elif which == "__contains__":
            of = rng.choice(seqs + by("dict"))
            lines = ["def __contains__(self, item):", f"    return item in {of}"]
            shape.extras += ["%s in {o}" % (g.number() if scope.vars[of] == "ints" else g.word())]
        elif which == "__getitem__":
            of = rng.choice(seqs + by("dict"))
            if scope.vars[of] == "dict":
                lines = ["def __getitem__(self, key):", f"    return {of}.get(key, {g.number()})"]
                shape.extras += ["{o}[%s]" % g.word()]
            else:
                lines = ["def __getitem__(self, i):", f"    return {of}[i]" if rng.random() < 0.5 else f"    return {of}[i % len({of})] if {of} else None"]
                shape.extras += ["{o}[%d]" % rng.randint(0, 2), "{o}[-1]", "{o}[:2]" if "[i]" in lines[1] else "{o}[1]"]
        elif which == "__setitem__":
            lines = ["def __setitem__(self, key, value):", f"    {rng.choice(by('dict'))}[key] = value"]
            shape.extras += ["!{o}[%s] = %s" % (g.word(), g.number())]
        else:
            lines = ["def __delitem__(self, key):", f"    {rng.choice(by('dict'))}.pop(key, None)"]
            shape.extras += ["!del {o}[%s]" % g.word()]
        out.append(lines)
    return out


def special(g, shape, private, taken):
    """Returns properties, static and class methods, and class attributes."""
    rng, out, head = g.rng, [], []
    scope = self_scope(shape, private)
    for attr, field in private.items():
        out.append(["@property", f"def {attr}(self):", f"    return self.{field}"])
        shape.props.append((attr, shape.attrs[attr]))
        if shape.attrs[attr] == "int" and rng.random() < 0.6:
            low = rng.randint(-5, 20)
            test = rng.choice(([f"if value < {low}:", f"    value = {low}"], [f"self.{field} = max({low}, value)"], [f"if value > {low}:", "    return"]))
            out.append([f"@{attr}.setter", f"def {attr}(self, value):"] + indent(test + ([] if "max" in test[0] else [f"self.{field} = value"])))
            shape.extras += ["!{o}.%s = %s" % (attr, g.number()), "!{o}.%s += %d" % (attr, rng.randint(1, 9)), "{o}.%s" % attr]
    if rng.random() < 0.2:
        name = rng.choice(ASKS)
        if name not in taken and name not in shape.attrs:
            taken.add(name)
            kind = g.kind()
            out.append(["@property", f"def {name}(self):"] + indent(g.function_body(scope, kind, rng.choice((0, 0, 1)))))
            shape.props.append((name, kind))
            shape.extras += ["{o}.%s" % name] * 2
    if rng.random() < 0.14:
        name = rng.choice(("check", "helper", "convert", "clean", "norm", "parse"))
        if name not in taken:
            taken.add(name)
            params, kind = g.params(1, 2), g.kind()
            out.append(["@staticmethod", f"def {name}({', '.join(p for p, _ in params)}):"] + indent(g.function_body(Scope(dict(params)), kind,
                    rng.choice((0, 1)))))
            shape.statics.append((name, tuple(k for _, k in params), kind))
    if rng.random() < 0.22:
        name = rng.choice(("instances", "created", "total_made", "COUNT", "next_id", "made"))
        head.append(f"{name} = {rng.choice((0, 0, 1, 100))}")
        shape.counter = name
        shape.extras.append(f"{shape.name}.{name}")
    elif rng.random() < 0.2:
        name, kind = rng.choice(("LIMIT", "RATE", "FACTOR", "default_size")), "int"
        head.append(f"{name} = {rng.randint(1, 50)}")
        shape.constant = name
        shape.extras.append(f"{shape.name}.{name}" if rng.random() < 0.5 else "{o}.%s" % name)
    if rng.random() < 0.14 and shape.ctor:
        name = rng.choice(("make", "from_text", "default", "create", "build", "parse_one"))
        if name not in taken:
            taken.add(name)
            args = [g.expr(k, Scope({"text": "str", "n": "int"}), 1) for _, k, _ in shape.ctor]
            out.append(["@classmethod", f"def {name}(cls, text, n={rng.randint(0, 9)}):", f"    return cls({', '.join(args)})"])
            shape.maker = name
    return head, out


def build(g, shape, scope):
    """Returns an expression that makes an instance."""
    rng = g.rng
    maker = getattr(shape, "maker", None)
    if maker and rng.random() < 0.5:
        return f"{shape.name}.{maker}({g.word()}{rng.choice(('', f', {rng.randint(0, 20)}', f', n={rng.randint(0, 20)}'))})"
    args = []
    for p, k, default in shape.ctor:
        if default is not None and rng.random() < 0.5:
            continue
        text = g.expr(k, scope, 0) if rng.random() < 0.3 else g.literal(k)
        named = default is not None or (args and "=" in args[-1].split("'")[0]) or rng.random() < 0.08
        args.append(f"{p}={text}" if named else text)
    return f"{shape.name}({', '.join(args)})"


def write_class(g, base=None):
    """Returns the lines of a class and its Shape."""
    rng = g.rng
    shape = Shape(g.class_name())
    attrs = draw_attrs(g, rng.choice((1, 2, 2, 3, 3, 4)) if not base else rng.choice((0, 1, 1, 2)))
    shape.attrs = {**(base.attrs if base else {}), **attrs}
    private = dict(getattr(base, "private", {}))
    for attr in attrs:
        if not base and rng.random() < 0.12:
            private[attr] = "_" + attr
    if not shape.attrs:
        shape.attrs = {"value": "int"}
    shape.private = private
    taken = {"__init__"}
    blocks = []
    shape.methods, shape.extras = [], []
    if base and not attrs and rng.random() < 0.7:
        shape.ctor = list(base.ctor)
        init = []
    else:
        init = initialiser(g, shape, private, base)
    head, specials = special(g, shape, {} if base else private, taken)
    if getattr(shape, "counter", None) and init:
        init = init + [f"    {shape.name}.{shape.counter} += 1"]
    own = []
    for _ in range(rng.choice((1, 2, 2, 3)) if not base else rng.choice((0, 1, 1, 2))):
        own.append(method(g, shape, private, taken))
    if base and base.methods and rng.random() < 0.75:
        own.append(override(g, shape, base, private))
    special_ones = dunders(g, shape, private, taken)
    blocks = [b for b in own + specials if b]
    if rng.random() < 0.4:
        # A setter must follow its property.
        keep = [b for b in blocks if b[0].startswith("@")]
        rest = [b for b in blocks if not b[0].startswith("@")]
        rng.shuffle(rest)
        blocks = rest + keep if rng.random() < 0.5 else keep + rest
    blocks = ([init] if init else []) + blocks + special_ones
    gap = [""] if rng.random() < 0.85 else []
    lines = []
    if rng.random() < 0.08:
        lines.append(f'"""{words.sentence(rng).strip().capitalize()}"""'.replace("\\", "").replace('""""', '"""'))
    lines += head + (gap if head else [])
    for i, block in enumerate(blocks):
        lines += block + (gap if i + 1 < len(blocks) else [])
    paren = f"({base.name})" if base else rng.choice(("", "", "", "", "()" if rng.random() < 0.1 else ""))
    if base:
        have = {m[0] for m in shape.methods}
        shape.methods += [m for m in base.methods if m[0] not in have]
        shape.extras += base.extras
        shape.props += base.props
    return [f"class {shape.name}{paren}:"] + indent(lines or ["pass"]), shape


def override(g, shape, base, private):
    """Returns an override of a method of the base class, which mostly calls super()."""
    rng = g.rng
    name, kinds, result = rng.choice(base.methods)
    if any(m[0] == name for m in shape.methods):
        return []
    names, scope = [], self_scope(shape, private)
    for kind in kinds:
        p = g.fresh(kind, scope)
        scope.vars[p] = kind
        names.append(p)
    lines = []
    call = f"super().{name}({', '.join(names)})"
    if rng.random() < 0.8:
        if result in (None, "self"):
            lines.append(call)
        else:
            lines.append(f"base = {call}")
            scope.vars["base"] = result
            scope.recent = "base"
    scope.assignable = {v for v in scope.vars if v.startswith("self.")}
    if rng.random() < 0.6:
        lines += g.change(scope)
    if result == "self":
        lines.append("return self")
    elif result:
        lines.append(f"return {g.expr(result, scope, 1)}")
    shape.methods.append((name, kinds, result))
    return [f"def {name}({', '.join(['self'] + names)}):"] + indent(lines or ["pass"])
