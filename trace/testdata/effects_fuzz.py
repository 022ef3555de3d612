"""Writes programs that change objects through aliases in all the ways there are.

    effects_fuzz.py FOLDER FIRST LAST

Each is made from its number alone, so a failure can be had again.
"""

import os
import random
import sys

HEAD = """\
import bisect, collections, copy, functools, heapq, operator, random
from collections import Counter, OrderedDict, UserDict, defaultdict, deque, namedtuple
from contextlib import contextmanager
from dataclasses import dataclass, field

Pair = namedtuple("Pair", "x y")
log = []
total = 0
registry = {}


class N:
    made = []
    count = 0

    def __init__(self, v):
        self.v = v; self.k = []
        self.nx = None
        self.__own = [v]
        N.count += 1

    def put(self, x): self.k.append(x); return self
    def top(self): return self.k[-1] if self.k else self.v

    @property
    def last(self): return self.k[-1]

    @last.setter
    def last(self, x): self.k[-1] = x

    @functools.cached_property
    def lazy(self): return [self.v]

    @classmethod
    def make(cls, v):
        cls.made.append(v)
        return cls(v)

    def own(self, x): self.__own.append(x); return self.__own
    def __getitem__(self, i): return self.k[i]
    def __setitem__(self, i, x): self.k[i] = x
    def __iadd__(self, x): self.k.append(x); return self
    def __enter__(self): self.k.append("in"); return self
    def __exit__(self, *how): self.k.append("out"); return True
    def __call__(self, x): self.k.append(x); return x
    def __iter__(self): return iter(self.k)


class Q(N):
    def __init__(self, x):
        super().__init__(x)
        self.a = x

    def __repr__(self): return "Q<%r>" % (self.a,)
    def put(self, x): super().put(x); self.a = x; return self


class S:
    __slots__ = ("v", "k", "nx", "__weakref__")

    def __init__(self, v): self.v = v; self.k = [v]


@dataclass
class D:
    v: object
    k: list = field(default_factory=list)
    nx: object = None


class L(list):
    def grow(self, x): self.append(x); return self


class M(dict):
    def __missing__(self, key): self[key] = [key]; return self[key]


def gen(x):
    own = []
    for y in list(x)[:3] if hasattr(x, "__iter__") else [x]:
        own.append(y)
        got = yield own
        if got: own = [got]


def twice(f):
    @functools.wraps(f)
    def inner(*a):
        log.append(len(log))
        return f(*a)
    return inner


@contextmanager
def around(x):
    log.append("in")
    yield x
    log.append("out")


@twice
def dec(x, y):
    x.append(y)
    return x


def counter():
    n = 0
    seen = []

    def inc(x):
        nonlocal n, seen
        n += 1
        seen = seen + [x]
        return seen
    return inc


tick = counter()


def add(x):
    global total, log
    total += 1
    log = log[-5:] + [total]
    return log
"""


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = [HEAD]
        self.lazy = seed % 4 == 0  # has iterators that change objects: then little is known of any line

    def name(self):
        return self.r.choice("abcdef")

    def atom(self):
        return self.r.choice(["1", "True", "1.5", "'s'", "None", str(self.r.randint(0, 5)), "i"])

    def fresh(self, depth=0):
        r = self.r
        if depth > 1 or r.random() < 0.3:
            return r.choice([self.atom, self.name])()
        form = r.choice(
            ["[%s, %s]", '{"x": %s, "y": %s}', "(%s, %s)", "[%s for _ in range(2)] + [%s]", "[*[%s], %s]", "dict(x=%s, y=%s)"]
            + ["deque([%s, %s])", "Pair(%s, %s)", "OrderedDict(x=%s, y=%s)", "list((%s, %s))", "L([%s, %s])"]
        )
        return form % (self.fresh(depth + 1), self.fresh(depth + 1))

    def value(self):
        x, y = self.name(), self.name()
        return self.r.choice(
            [self.atom, self.name, self.fresh, self.fresh]
            + [lambda form=form: form % self.fresh(1) for form in ("N(%s)", "Q(%s)", "S(%s)", "D(%s)", "N.make(%s)", "gen(%s)", "lambda: %s", "tick(%s)", "add(%s)", "M(z=%s)", "UserDict(z=%s)")]
            + [lambda form=form: form % x for form in (
                "%s.top()", "%s[0]", "%s.v", "%s.k", "copy.copy(%s)", "%s.lazy", "%s.last", "iter(%s)", "%s.append", "len(%s)", "%s[0][0]",
                "functools.partial(%s.append, 1)", "defaultdict(list, z=%s)", "Counter(%s)", "sorted(%s, key=id)", "%s.pop()", "%s['x']",
                "%s.own(1)", "%s.nx", "map(%s.append, [1])", "operator.itemgetter(0)(%s)", "vars(%s)", "%s.setdefault('q', [])")]
            + [lambda: "%s if %s else %s" % (x, self.atom(), y), lambda: "h(%s, %s)" % (x, self.fresh(1)), lambda: "%s or %s" % (x, y)]
        )()

    def statement(self):
        x, y, v, w = self.name(), self.name(), self.value(), self.value()
        return self.chosen([
            f"{x} = {v}", f"{x} = {v}", f"{x} = {y} = {v}", f"{x}.append({v})", f"{x}.append({v})", f"{x}[0] = {v}", f"{x}['x'] = {v}",
            f"{x}.v = {v}", f"{x}.nx = {v}", f"{x}.put({v})", f"{x}.pop()", f"{x} = {y}.pop()", f"{x}.pop(); {x}.append({v})",
            f"{x}[0].append({v})", f"{x}.k[0] = {v}", f"{x} += {v}", f"{x}, {y} = {y}, {x}", f"{x} = {y}[0]", f"{x} = {y}.top()",
            f"{x}.a = {v}", f"{x}.v += 1", f"{x}[-1] = {y}[0]", f"del {x}[0]", f"{x}[:] = {self.fresh()}", f"{x}.update(z={v})",
            f"{x}['x'] = {x}.pop('x')", f"for {x} in list({y}): {y}.append({x}) if len({y}) < 9 else None", f"{x} = [z for z in {y}]",
            f"{x} = g({y}, {v})", f"h({x}, {v})", f"{x} = copy.deepcopy({y})", f"{x}.sort(key=lambda z: 0)", f"{x}.reverse()",
            f"{x}.insert(0, {v})", f"{x}.appendleft({v})", f"{x}.popleft()", f"del {x}", f"{x} = {y}.append", f"{x}({v})",
            f"{x}['x']['y'] = {v}", f"{x}.extend([{v}, {w}])", f"{x}[0], {x} = {v}, {w}", f"{x} = {{**{y}, 'n': {v}}}", f"{x}.nx.v = {v}",
            f"{x}.nx.nx = {v}", f"{x}.setdefault('q', {v})", f"{x}.setdefault('q', []).append({v})", f"{x} = list(map(N, [{y}, 1]))",
            f"{x}.__dict__['w'] = {v}", f"setattr({x}, 'u', {v})", f"{x}.last = {v}", f"{x}.last.append({v})", f"{x}.lazy.append({v})",
            f"{x}.make({v}).k.append({w})", f"N.made.append({v})", f"N.count = {v}", f"registry[{self.atom()}] = {v}",
            f"registry.setdefault(i, []).append({v})", f"with {x} as {y}: {y}.v = {v}", f"with around({v}) as {x}: {x}.append({w})",
            f"{x}, *{y} = {v}, {w}, 1", f"[{x}.append(z) for z in list({y})[:2]]", f"[z.append({v}) for z in ({x}, {y})]",
            f"list(z.append(1) for z in {x})", f"{x} = next({y})", f"next({y}).append({v})", f"{x} = {y}.send({v})", f"heapq.heappush({x}, {v})",
            f"heapq.heapify({x})", f"bisect.insort({x}, 1)", f"random.Random(1).shuffle({x})", f"{x}.k, {x}.v = {x}.v, {x}.k",
            f"{x}[0][0], {y}[0][0] = {v}, {w}", f"{x}[0][0] = {v}; {x}[0] = {w}", f"{x}.k[0].v.k.append({v})", f"{x}.own({v}).append({w})",
            f"dec({x}, {v})", f"list.append({x}, {v})", f"dict.__setitem__({x}, 'x', {v})", f"(max({x}, key=id)).append({v})",
            f"({x} or {y}).append({v})", f"({x} if i else {y}).v = {v}", f"{x}[len({x}) - 1] = {v}", f"{x}[i % 2] += {v}",
            f"{x}[int(i)] |= {v}", f"{x}[f'x'] = {v}", f"{x}[min(i, 0)].append({v})", f"{x}[abs(i) and 0].append({v})",
            f"({x} := {v})", f"[{x} := z for z in {y}]", f"{x} = list(filter({y}.append, [1, 2]))", f"sorted([1, 2], key={x}.append)",
            f"functools.reduce(lambda p, q: p.append(q) or p, [1, 2], {x})", f"{x} = (lambda z: z.append(1) or z)({y})", f"for {x} in {y}: {x}.append(1); break",
            f"for {x}.v in [{v}]: pass", f"for {x}[0] in [{v}]: pass", f"exec('{x}.append(1)')", f"{x} = tick({v}); {x}.append(1)", f"add({x}).append({v})",
            f"log.append({v})", f"{x}.a.k.append({v})", f"del {x}.v", f"del {x}['x'], {y}[0]", f"{x}.clear()", f"{x} |= {v}", f"{x}.subtract('a')",
            f"{x}['n'] += 1", f"{x}['m'].append({v})", f"{x}.move_to_end('x')", f"{x}.rotate(1)", f"{x} = zip({y}, {y})", f"{x} = {y}.items()",
            f"{x} = {x}.nx", f"{x}.nx, {x} = {y}, {x}.nx", f"while len({x}) > 2: {x}.pop()", f"{x}.v = {y}.v = {v}", f"{x}.grow({v}).grow(1)",
            f"{x} = type({y})({v})", f"getattr({x}, 'k').append({v})", f"getattr({x}, 'append')({v})", f"operator.setitem({x}, 0, {v})",
            f"{x} = functools.partial({y}.append, {v}); {x}()", f"vars({x})['v'] = {v}", f"{x} = {y}.__dict__; {x}['v'] = {v}",
            f"globals()['log'] = [{v}]", f"[*map({x}.append, [1, 2])]", f"{x}.extend({y}.pop() for _ in range(1))", f"print({x}.pop(), file=None)",
        ])

    def chosen(self, ways):
        while True:
            way = self.r.choice(ways)
            if self.lazy or "map(" not in way and "filter(" not in way:
                return way

    def body(self, n, indent):
        r = self.r
        for _ in range(n):
            self.lines.append(indent + "try:")
            for _ in range(r.randint(1, 3)):
                kind = r.random()
                if kind < 0.06:
                    self.lines += [indent + "    if %s:" % self.name(), indent + "        " + self.statement(), indent + "    else:", indent + "        " + self.statement()]
                elif kind < 0.12:
                    x = self.name()
                    self.lines += [indent + "    with %s as %s:" % (r.choice([self.name(), "N(1)", "around([1])"]), x), indent + "        " + self.statement(), indent + "        " + self.statement()]
                elif kind < 0.18:
                    self.lines += [indent + "    (" + self.value() + ",", indent + "     " + self.value() + ")"]
                else:
                    self.lines.append(indent + "    " + self.statement())
            self.lines.append(indent + "except Exception as ex: %s = i" % self.name())
            if r.random() < 0.2:
                self.lines += [indent + "finally:", indent + "    log.append(1)"]

    def program(self):
        r = self.r
        add = self.lines.append
        add("deep = 0")
        for name, start in (("h", "    c = d = e = f = [0]; i = 2"), ("g", "    c = d = e = f = {'x': [1]}; i = 0")):
            add("def %s(a, b):" % name)
            add(start)
            add("    global deep")
            add("    deep += 1")
            add("    if deep > 25: return a")
            if r.random() < 0.5:
                add("    def inner():")
                add("        nonlocal c")
                add("        c = b")
                add("        " + r.choice(["a.append(1)", "return [a]", "c.v = 1"]))
                add("    try: inner()")
                add("    except Exception: pass")
            self.body(r.randint(1, 3), "    ")
            add("    return " + self.name())
        begin = "a = [1]; b = {'x': [2], 'y': a}; c = N(a); d = [a, b, c]; e = Q(a); f = N(c)"
        add(begin)
        add("for i in range(3):")
        self.body(5, "    ")
        add("def m():")
        add("    " + begin)
        add("    for i in range(3):")
        self.body(6, "        ")
        add("deep = 0")
        add("m()")
        return "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    for number in range(int(sys.argv[2]), int(sys.argv[3])):
        with open(os.path.join(sys.argv[1], "fuzz%04d.py" % number), "w") as f:
            f.write(Maker(number).program())
