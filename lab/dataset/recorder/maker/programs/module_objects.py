"""Parts of composed scripts in which objects work together: containers, helpers, state machines; and faults."""

from . import words
from .module_body import indent
from .module_class import build, write_class
from .module_expr import Scope
from .module_parts import act, keep

CONTAINERS = "Team Group Library Store Garage Zoo Fleet Deck Roster Registry Pool Catalog Playlist Band Crew".split()


def part_container(g):
    """Returns a class, and another class that stores its instances."""
    rng = g.rng
    lines, shape = write_class(g)
    attr = rng.choice([a for a in shape.attrs if a not in shape.private] or [p for p, _ in shape.props] or ["__class__"])
    kind = shape.attrs.get(attr, "any")
    box = g.class_name(CONTAINERS)
    field = rng.choice(("members", "elements", "parts", "units", "children", "all"))
    add = rng.choice(("add", "join", "append", "put", "register"))
    key = {"int": f"m.{attr}", "float": f"m.{attr}", "str": f"m.{attr}", "bool": f"m.{attr}", "any": "1"}.get(kind, f"len(m.{attr})")
    number = key if kind in ("int", "float") else f"len(m.{attr})" if kind not in ("any", "bool") else "1"
    body = [f"class {box}:", "    def __init__(self):", f"        self.{field} = []", "", f"    def {add}(self, member):",
            f"        self.{field}.append(member)"]
    if rng.random() < 0.4:
        body.append(rng.choice(("        return self", f"        return len(self.{field})", f"        return member.{attr}")))
    methods = []
    options = [("total", [f"return sum({number} for m in self.{field})"]),
            ("total", ["total = 0", f"for m in self.{field}:", f"    total += {number}", "return total"]),
               ("best", [f"return max(self.{field}, key=lambda m: {number})"]),
                       ("first_", [f"for m in self.{field}:", f"    if {number} > {rng.randint(0, 9)}:", "        return m", "return None"]),
               ("count", [f"return sum(1 for m in self.{field} if {number} {rng.choice(('>', '<', '=='))} {rng.randint(0, 9)})"]),
                       ("order", [f"return [m.{attr} for m in sorted(self.{field}, key=lambda m: {number}{rng.choice(('', ', reverse=True'))})]"]),
               ("values", [f"return [m.{attr} for m in self.{field}]"]), ("__len__", [f"return len(self.{field})"]),
                       ("__iter__", [rng.choice((f"return iter(self.{field})", f"yield from self.{field}"))]),
               ("__getitem__", [f"return self.{field}[i]"]), ("drop",
                       [f"self.{field} = [m for m in self.{field} if {number} > {rng.randint(0, 6)}]", f"return len(self.{field})"]),
               ("by_value", ["table = {}", f"for m in self.{field}:", f"    table.setdefault({number}, []).append(m.{attr})", "return table"])]
    for name, code in rng.sample(options, rng.choice((1, 2, 2, 3))):
        if name in methods or kind == "any" and name != "__len__":
            continue
        methods.append(name)
        head = f"    def {name}(self{', i' if name == '__getitem__' else ''}):"
        body += ["", head] + indent(code, 2)

    def use(scope):
        var, out = g.top_name("any"), []
        out.append(f"{var} = {box}()")
        made = [build(g, shape, scope) for _ in range(rng.choice((1, 2, 2, 3)))]
        if rng.random() < 0.3:
            out += [f"for member in ({', '.join(made)},):", f"    {var}.{add}(member)"]
        else:
            out += [f"{var}.{add}({m})" for m in made]
        for name in methods:
            text = {"__len__": f"len({var})", "__iter__": f"[each.{attr} for each in {var}]", "__getitem__": f"{var}[{rng.choice((0, -1))}].{attr}",
                    "best": f"{var}.best().{attr}"}.get(name, f"{var}.{name}()")
            out += keep(g, scope, "any", text)
        return out
    return [lines, body], [use], []


def part_helper(g):
    """Returns functions that take, compare, copy or change instances."""
    rng = g.rng
    lines, shape = write_class(g)
    name = g.func_name(("change", "process", "compare", "swap", "inspect_", "promote", "update_all", "merge"))
    attr, kind = rng.choice(list(shape.attrs.items()))
    inner = Scope({f"obj.{a}": k for a, k in shape.attrs.items() if a not in shape.private} or {"n": "int"})
    inner.vars["n"] = "int"
    inner.assignable = {v for v in inner.vars if v.startswith("obj.")}
    inner.recent = "n"
    code = g.block(inner, rng.choice((1, 1, 2)), 0)
    simple = [m for m in shape.methods if not m[1] and m[2] not in (None, "self")]
    if simple and rng.random() < 0.5:
        m = rng.choice(simple)
        inner.vars["got"] = m[2]
        inner.recent = "got"
        code.append(f"got = obj.{m[0]}()")
    roll = rng.random()
    code.append("return obj" if roll < 0.25 else f"return {g.expr(g.kind(), inner, 1)}")
    helper = [f"def {name}(obj, n{rng.choice(('', f'={rng.randint(0, 9)}'))}):"] + indent(code)

    def use(scope):
        var = g.top_name("any")
        out = [f"{var} = {build(g, shape, scope)}"]
        if rng.random() < 0.3:
            twin = g.top_name("any")
            out.append(f"{twin} = {var}")
            out += keep(g, scope, "any", f"{name}({twin}, {g.number()})")
        else:
            out += keep(g, scope, "any", f"{name}({var}, {g.number()})")
        out += act(g, shape, var, [var], scope, rng.choice((0, 1, 2)))
        return out
    return [lines, helper], [use], []


def part_machine(g):
    """Returns a table of states, and code that runs it over random input."""
    rng = g.rng
    states = []
    while len(states) < rng.randint(2, 4):
        w = words.word(rng).lower()
        if w.isidentifier() and w not in states:
            states.append(w)
    inputs = rng.choice(("ab", "01", "xyz", "+-", "LR"))
    nested = rng.random() < 0.5
    table = g.top_name("dict").upper() if rng.random() < 0.6 else g.top_name("dict")
    g.taken.add(table)
    lines = [f"{table} = {{"]
    for s in states:
        moves = {c: rng.choice(states) for c in inputs if rng.random() < 0.85}
        if nested:
            lines.append(f"    {s!r}: {moves!r},")
        else:
            lines += [f"    ({s!r}, {c!r}): {t!r}," for c, t in moves.items()]
    lines.append("}")
    fn = g.func_name(("run", "walk", "accepts", "simulate", "drive"))
    get = f"{table}[state].get(c{rng.choice(('', ', state'))})" if nested else f"{table}.get((state, c){rng.choice(('', ', state'))})"
    hard = rng.random() < 0.25
    if hard:
        get = f"{table}[state][c]" if nested else f"{table}[state, c]"
    code = [f"state = {states[0]!r}"] + rng.choice(([], ["steps = 0"], ["path = [state]"]))
    counted, traced = "steps = 0" in code, "path = [state]" in code
    loop = [f"state = {get}"]
    if not hard:
        loop += ["if state is None:", rng.choice(("    return None", "    break", "    return 'stuck'"))]
    if counted:
        loop.append("steps += 1" if rng.random() < 0.5 else f"steps += state == {rng.choice(states)!r}")
    if traced:
        loop.append("path.append(state)")
    tail = "return state, steps" if counted else "return path" if traced else rng.choice((f"return state == {states[-1]!r}", "return state"))
    func = [f"def {fn}(text):"] + indent(code + ["for c in text:"] + indent(loop) + [tail])

    def use(scope):
        out = []
        for _ in range(rng.choice((1, 2))):
            text = "".join(rng.choice(inputs) for _ in range(rng.randint(0, 5))) + rng.choice(("", "", "", "?"))
            call = f"{fn}({text!r})"
            if hard:
                name = g.fresh("any", scope)
                out += ["try:", f"    {name} = {call}", f"except {rng.choice(('KeyError', 'LookupError', 'KeyError as e'))}:",
                        f"    {name} = {rng.choice(('None', repr('bad'), '-1'))}"]
            else:
                out += keep(g, scope, "any", call)
        return out
    return [lines, func], [use], []


def fault(g, scope):
    """Returns a line with a typical error, which is mostly uncaught."""
    rng = g.rng
    by = lambda kind: rng.choice(scope.of(kind) or ["?"])
    options = [f"{by('ints')}[{rng.randint(5, 20)}]", f"{by('dict')}[{g.word()}]", f"int({by('str')})", f"{by('int')} // ({by('int')} - {by('int')})",
            f"{by('str')} + {by('int')}", f"{by('strs')}.index({g.word()})",
               f"{by('int')}.append(1)", f"{by('str')}[{rng.randint(20, 40)}]", f"len({by('int')})", f"{by('strs')}.remove({g.word()})",
                       f"None.{rng.choice(('upper()', 'items', 'x'))}", f"[1, 2][{rng.randint(2, 5)}]", f"int({g.word()})",
               f"{{}}[{g.word()}]", f"[].pop()", f"{by('int')} % 0", f"max({by('ints')}[9:])", f"'{{}} {{}}'.format({by('int')})",
                       f"a, b = {by('ints')}", f"assert {by('int')} > {rng.randint(500, 999)}, {g.word()}", f"raise ValueError({g.word()})"]
    options = [o for o in options if "?" not in o]
    text = rng.choice(options)
    g.may_raise = True
    if "=" in text or text.startswith(("raise", "assert")):
        return [text]
    return [f"{g.fresh('any', scope)} = {text}"] if rng.random() < 0.7 else [f"print({text})"]
