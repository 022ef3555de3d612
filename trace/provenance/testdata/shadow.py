"""Run a program whose int literals are written V(n, line), and print where its values were made.

A V is an int that knows the line on which it was made and, if an operation made it, the operands
that are Vs. The program calls snap() where the test asks for chains. For each call one line of JSON
comes out: the values that its caller can name, by expression, as numbers of entries of "made".
"""
import json
import sys


class V(int):
    def __new__(cls, value, line, parents=()):
        self = super().__new__(cls, value)
        self.line = line
        self.parents = parents
        return self


def operation(name):
    plain = getattr(int, name)

    def method(self, other):
        value = plain(self, other)
        if value is NotImplemented:
            return value
        parents = [self, other] if not name.startswith("__r") else [other, self]
        return V(value, sys._getframe(1).f_lineno, [p for p in parents if isinstance(p, V) and not hasattr(p, "literal")])

    return method


for name in ("add", "sub", "mul"):
    setattr(V, f"__{name}__", operation(f"__{name}__"))
    setattr(V, f"__r{name}__", operation(f"__r{name}__"))


def literal(value, line):
    """An operand that is written in an operation."""
    made = V(value, line)
    made.literal = True
    return made


keep = []  # so that no id is used twice


def number(v, made, seen):
    if id(v) in seen:
        return seen[id(v)]
    parents = []
    for p in v.parents:
        n = number(p, made, seen)
        if n not in parents:
            parents.append(n)
    seen[id(v)] = len(made)
    keep.append(v)
    made.append({"line": v.line, "parents": parents, "value": int(v)})
    return seen[id(v)]


def parts(expression, value, depth):
    if isinstance(value, V):
        yield expression, value
    if depth == 0:
        return
    if isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from parts(f"{expression}[{i}]", item, depth - 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from parts(f"{expression}[{key!r}]", item, depth - 1)
    elif type(value).__name__ == "Box":
        for key, item in vars(value).items():
            yield from parts(f"{expression}.{key}", item, depth - 1)


def snap():
    made, seen, found = [], {}, {}
    for name, value in list(sys._getframe(1).f_locals.items()):
        if not name.startswith("_"):
            for expression, v in parts(name, value, 3):
                found[expression] = number(v, made, seen)
    print(json.dumps({"found": found, "made": made}))


with open(sys.argv[1]) as file:
    program = compile(file.read(), sys.argv[1], "exec")
exec(program, {"__name__": "__main__", "V": V, "literal": literal, "snap": snap})
