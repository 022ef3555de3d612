"""Random programs whose names share objects: aliasing.py FOLDER FIRST COUNT.

Writes one program a seed. Each changes lists, dicts, sets, objects, deques and
what they hold, in a module and in functions that call each other; every statement
may fail, and what it did until then counts. What a program holds is decided at
run time, by types that fit or do not: most seeds meet both.
"""

import os
import random
import sys

HEAD = """\
import collections, copy, functools, heapq
class N:
    def __init__(self, v):
        self.v = v; self.k = []
        self.nx = None
    def put(self, x): self.k.append(x); return self
    def top(self): return self.k[-1] if self.k else self.v
class Q:
    a = 0
    def __init__(self, x): self.a = x
    def __repr__(self): return 'Q<%r>' % (self.a,)
class S:
    __slots__ = ("v", "nx")
    def __init__(self, v): self.v = v
    def __setitem__(self, i, x): self.nx = (i, x)
    def __len__(self): return 1
P = collections.namedtuple("P", "v nx")
calls = 0
"""

NAMES = "abcde"


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = HEAD.splitlines()

    def one(self, choices):
        return self.random.choice(choices)

    def name(self):
        return self.one(NAMES)

    def atom(self):
        return self.one(["1", "True", "1.0", "'s'", "None", "i", "2.5", "b'x'", str(self.random.randint(0, 5))])

    def fresh(self, depth=0):
        """An expression that makes a container, or a part of one."""
        if depth > 1 or self.random.random() < 0.3:
            return self.one([self.atom, self.name])()
        a, b = self.fresh(depth + 1), self.fresh(depth + 1)
        return self.one([
            "[%s, %s]", "{'x': %s, 'y': %s}", "(%s, %s)", "[%s for _ in range(2)] + [%s]",
            "P(%s, %s)", "collections.OrderedDict(x=%s, y=%s)", "{1: %s, (1, 'k'): %s}",
        ]) % (a, b)  # fmt: skip

    def value(self):
        return self.one([
            self.atom, self.name, self.name, self.fresh, self.fresh,
            lambda: "N(%s)" % self.fresh(1), lambda: "Q(%s)" % self.fresh(1), lambda: "S(%s)" % self.fresh(1),
            lambda: "h(%s, %s)" % (self.name(), self.fresh(1)),
            lambda: "g(%s, %s)" % (self.name(), self.fresh(1)),
            lambda: "collections.deque([%s], 3)" % self.fresh(1),
            lambda: "collections.defaultdict(list, x=%s)" % self.fresh(1),
            lambda: "{%s, %s}" % (self.atom(), self.atom()),
            lambda: "%s[%s]" % (self.name(), self.one(["0", "-1", "'x'"])),
            lambda: "%s.%s" % (self.name(), self.one(["v", "nx", "k", "a"])),
        ])()  # fmt: skip

    def statement(self):
        x, y, v, w = self.name(), self.name(), self.value(), self.value()
        return self.one(STATEMENTS).format(x=x, y=y, z=self.name(), v=v, w=w, t=self.atom(), n=self.one(["v", "nx", "a"]))

    def body(self, count, indent):
        for _ in range(count):
            self.lines.append(indent + "try:")
            for _ in range(self.random.randint(1, 3)):
                self.lines += [indent + "    " + line for line in self.statement().split("\n")]
            self.lines.append(indent + "except Exception as ex: %s = i" % self.name())

    def function(self, head, names, body):
        self.lines += [head, "    " + names, "    global calls", "    calls += 1", "    if calls > 7: return a"]
        self.body(body, "    ")
        self.lines.append("    return " + self.one([self.name, self.fresh])())

    def program(self):
        start = "a = [1]; b = {'x': [2], 'y': a}; c = N(a); d = [a, b, c]; e = Q(a)"
        self.function("def h(a, b, i=3):", "c = d = e = [0]", self.random.randint(1, 3))
        self.function("def g(a, b):", "c = d = e = {'x': b}; i = 2", self.random.randint(1, 3))
        self.lines += ["def k(a, b=[]):", "    nonlocals = [a]; i = 1; c = d = e = b", "    def inner(x):", "        nonlocal a, b"]
        self.lines += ["        b.append(x); a = b[:3]; del b[3:]", "        return nonlocals", "    inner(a)"]
        self.body(1, "    ")
        self.lines += ["    return inner(b)", start, "for i in range(3):"]
        self.body(4, "    ")
        self.lines += ["def m():", "    global calls", "    calls = 0", "    " + start, "    for i in range(3):"]
        self.body(5, "        ")
        self.lines += ["    return [a, b, c, d, e]", "calls = 0", "last = m()"]
        return "\n".join(self.lines) + "\n"


STATEMENTS = """\
{x} = {v}
{x} = {v}
{x}, {y} = {v}, {w}
{x} = {y} = {v}
{x}.append({v})
{x}.append({v}); {x}.append({w})
{x}[0] = {v}
{x}['x'] = {v}
{x}[1, 'k'] = {v}
{x}.{n} = {v}
{x}.{n}.append({v})
{x}.put({v}).put({w})
{x}.pop()
{x} = {y}.pop()
{x}.pop(); {x}.append({v})
{x}[0].append({v})
{x}.k[0] = {v}
{x} += {v}
{x}[0] += {v}
{x}.v += 1
{x} = {x} * 2 if len({x}) < 5 else {y}
{x}, {y} = {y}, {x}
{x}[0], {x}[-1] = {x}[-1], {x}[0]
{x} = {y}[0]
{x} = {y}.top()
{x}[-1] = {x}[0]
del {x}[0]
del {x}['x']
del {x}.{n}
del {x}
{x}[:] = {v}
{x}[1:1] = [{v}, {w}]
{x}.update(z={v})
{x}.update([('x', {t})])
{x}['x'] = {x}.pop('x')
{x}['x']['y'] = {v}
{x}.setdefault('q', {v})
{x}.setdefault('x', []).append({v})
{x}['new'].append({v})
{x}.popitem()
{x}.move_to_end('x')
{x}.add({t}); {x}.discard(1)
{x} |= {v}
for {x} in list({y}): {z}.append({x}) if len({z}) < 9 else None
for t in {y}: {z} = t
{x} = [t for t in {y}]
{x} = [({y}.append(t), t)[1] for t in range(2)]
{x} = {{'c': t for t in {y}}}
{x} = sorted({y}, key=lambda t: {z}.append(t) or 0)
{x}.sort(key=lambda t: 0)
{x}.reverse()
{x} = g({y}, {v})
h({x}, {v})
k({x}, {y})
{x} = k({v})
{x} = copy.copy({y})
{x} = copy.deepcopy({y}) if calls < 9 else None
{x}.insert(0, {v})
{x}.appendleft({v})
{x}.popleft()
{x}.rotate(1)
{x} = {y}.append
{x}({v})
functools.partial({x}.append, {v})()
functools.reduce(lambda s, t: s.append(t) or s, list({v}), {x})
heapq.heappush({x}, 1); heapq.heappop({x})
{x}.extend([{v}, {w}])
{x}[0], {x} = {v}, {w}
{x} = {{**{y}, 'n': {v}}}
{x} = [*{y}, {v}]
{x}.nx.v = {v}
{x} = list(map(N, [{v}, {y}]))
list(map({x}.append, {y}[:2]))
{x}.__dict__['w'] = {v}
setattr({x}, 'u', {v})
vars({x}).clear()
globals()['{x}'] = {v}
Q.a = {v}
N.v = {v}
{x} = {y}._replace(v={v})
{x} = lambda: {y}.append({v})
{x}()
exec('{x}.append(i)')
{x} = iter([{v}, {w}])
{x} = next({y})
{x} = list({y})
if {x}: {y} = {x}
while len({x}) > 4: {x}.pop()
with open(__file__) as {x}: {y}.append({x}.fileno() > 0)
({x} := {v})
{x}, *{y} = {v}
(lambda t: t.append({v}))({x})
{x}.clear()
{x} = {y} and {x} or {z}
{x} = {y} is {z}""".split("\n")


def main():
    folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for seed in range(first, first + count):
        with open(os.path.join(folder, "seed_%04d.py" % seed), "w") as f:
            f.write(Writer(seed).program())


if __name__ == "__main__":
    main()
