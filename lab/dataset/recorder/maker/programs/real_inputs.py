"""Guesses the arguments of a function from its text.

An argument is its source text: most are literals, some are `len` or a lambda.
"""

import ast
import doctest

from . import words
from .words import pick

_BY_NAME = {
    "str": """s string text line name word char c ch prefix suffix path filename
    fname url host key msg message pattern sep delimiter title label token tok
    source src data content value_str ident header body encoding fmt format
    template letter txt lines_text tag addr address mode version ver field
    part piece quote str1 str2 a_string buf charset arg option sentence""",
    "int": """n i j k m num number count width height size length index idx pos
    limit start stop end step depth level lineno col row base maxsize minlen
    year month day hour minute second b bits value x y z w lo hi low high r g
    maxlen indent offset amount total p q digits precision order total_width""",
    "list": """lst l seq sequence items iterable it list values vals args nums
    numbers array arr lines words names keys elements parts tokens rows fields
    data1 data2 xs ys stack queue population selectors iterables""",
    "dict": "d dict mapping dic kwargs kw env opts options table attrs params",
    "func": "func f fn function key_func predicate pred callback cmp getter",
    "bytes": "bytes data_bytes b1 raw buffer",
    "bool": "flag reverse verbose strict quiet recursive debug inclusive",
    "float": "alpha beta ratio mu sigma rate",
}
_BY_NAME = {word: kind for kind, text in _BY_NAME.items()
            for word in text.split()}
_BY_ANNOTATION = {"str": "str", "int": "int", "float": "float", "bool": "bool",
                  "bytes": "bytes", "list": "list", "List": "list",
                  "dict": "dict", "Dict": "dict", "Mapping": "dict",
                  "Sequence": "list", "Iterable": "list", "Callable": "func",
                  "tuple": "tuple", "Tuple": "tuple", "set": "set"}

_OWN = {kind: frozenset(name for name in dir(maker)
                        if not name.startswith("__"))
        for kind, maker in (("str", str), ("list", list), ("dict", dict),
                            ("int", int), ("bytes", bytes), ("set", set),
                            ("float", float), ("tuple", tuple))}
_ANY_METHOD = frozenset().union(*_OWN.values()) | {"__class__", "__len__",
                                                    "__name__"}
_INT_CALLS = frozenset("range chr abs bin hex oct divmod pow round".split())
_SEQ_CALLS = frozenset("""len sorted reversed enumerate list tuple set iter sum
min max zip any all map filter join""".split())
_FUNCTIONS = ("len", "str", "int", "repr", "abs", "lambda x: x + 1", "sum",
              "lambda x: x * 2", "str.upper", "lambda x: x", "bool", "ord",
              "lambda a, b: a + b", "max", "lambda x: x > 2", "str.isdigit",
              "lambda x: -x", "lambda a, b: a * b", "lambda s: s[::-1]", "min",
              "lambda *args: args", "sorted", "lambda x: x % 2 == 0", "type")


class Hints:
    """The evidence in the body of one function about its parameters."""

    def __init__(self, function):
        args = function.args
        self.positional = [a for a in args.posonlyargs + args.args]
        self.required = len(self.positional) - len(args.defaults)
        self.vararg = args.vararg is not None
        self.kwonly = args.kwonlyargs
        self.votes = {a.arg: {} for a in self.positional + self.kwonly}
        self.possible = True
        self.strings, self.integers = [], []
        self._declared(args)
        for node in ast.walk(function):
            self._look(node)
        self.strings = [s for s in self.strings if len(s) <= 16][:40]

    def _vote(self, node, kind, weight=2):
        if isinstance(node, ast.Name) and node.id in self.votes:
            votes = self.votes[node.id]
            votes[kind] = votes.get(kind, 0) + weight

    def _declared(self, args):
        for arg in self.positional + self.kwonly:
            votes = self.votes[arg.arg]
            name = arg.arg.lower().strip("_0123456789")
            kind = _BY_NAME.get(arg.arg, _BY_NAME.get(name))
            kind = kind or _BY_NAME.get(name.rsplit("_", 1)[-1])
            if kind:
                votes[kind] = votes.get(kind, 0) + 1.5
            for node in ast.walk(arg.annotation) if arg.annotation else ():
                if isinstance(node, ast.Name) and node.id in _BY_ANNOTATION:
                    kind = _BY_ANNOTATION[node.id]
                    votes[kind] = votes.get(kind, 0) + 4
                    break
        pairs = list(zip(self.positional[self.required:], args.defaults))
        pairs += [(a, d) for a, d in zip(self.kwonly, args.kw_defaults) if d]
        for arg, default in pairs:
            try:
                value = ast.literal_eval(default)
            except (ValueError, TypeError, SyntaxError):
                continue
            if value is not None:
                votes = self.votes[arg.arg]
                kind = type(value).__name__
                votes[kind] = votes.get(kind, 0) + 4

    def _look(self, node):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and node.value:
                self.strings.append(node.value)
            elif type(node.value) is int and abs(node.value) < 10 ** 6:
                self.integers.append(node.value)
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in self.votes:
                if node.attr not in _ANY_METHOD:
                    self.possible = False
                for kind in ("str", "list", "dict", "int", "set", "bytes"):
                    if node.attr in _OWN[kind]:
                        self._vote(node.value, kind, 0.7 if kind == "bytes"
                                   else 3)
        elif isinstance(node, ast.Call):
            self._vote(node.func, "func", 6)
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            for arg in node.args:
                if called in _INT_CALLS:
                    self._vote(arg, "int", 3)
                elif called in _SEQ_CALLS:
                    self._vote(arg, "list", 1.5)
                    self._vote(arg, "str", 0.8)
                elif called in ("ord", "int", "float"):
                    self._vote(arg, "str", 1)
            if called == "isinstance" and len(node.args) == 2:
                for inner in ast.walk(node.args[1]):
                    kind = _BY_ANNOTATION.get(getattr(inner, "id", ""))
                    if kind:
                        self._vote(node.args[0], kind, 2)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._vote(node.iter, "list", 3)
            self._vote(node.iter, "str", 1)
        elif isinstance(node, ast.Subscript):
            if isinstance(node.slice, ast.Constant) and \
                    isinstance(node.slice.value, str):
                self._vote(node.value, "dict", 4)
            else:
                self._vote(node.value, "list", 2)
                self._vote(node.value, "str", 1.5)
            self._vote(node.slice, "int", 2)
            if isinstance(node.slice, ast.Slice):
                for bound in (node.slice.lower, node.slice.upper):
                    self._vote(bound, "int", 2)
        elif isinstance(node, ast.BinOp):
            for one, other in ((node.left, node.right),
                               (node.right, node.left)):
                if isinstance(other, ast.Constant):
                    kind = type(other.value).__name__
                    if kind in ("int", "str", "bytes", "float"):
                        self._vote(one, kind, 1.5)
                elif not isinstance(node.op, (ast.Add, ast.Mod)):
                    self._vote(one, "int", 1.5)
        elif isinstance(node, ast.Compare):
            sides = [node.left] + node.comparators
            for one in sides:
                for other in sides:
                    if other is not one and isinstance(other, ast.Constant) \
                            and other.value is not None:
                        self._vote(one, type(other.value).__name__, 2)
            if isinstance(node.ops[0], (ast.Lt, ast.Gt, ast.LtE, ast.GtE)):
                for one in sides:
                    self._vote(one, "int", 1)
            if isinstance(node.ops[0], (ast.In, ast.NotIn)):
                self._vote(node.comparators[0], "list", 1)
                self._vote(node.comparators[0], "str", 1)

    def kind(self, rng, name):
        """Returns a type for the parameter, usually the one with the most votes."""
        votes = {kind: weight for kind, weight in self.votes[name].items()
                 if kind != "ellipsis"}
        if not votes or rng.random() < 0.08:
            return pick(rng, ("str", "str", "int", "int", "list", "dict",
                              "strs", "float", "tuple", "bool"))
        # The votes are squared, so that a clear majority nearly always wins.
        total = sum(w * w for w in votes.values())
        at = rng.random() * total
        for kind, weight in votes.items():
            at -= weight * weight
            if at <= 0:
                return kind
        return kind

    def argument(self, rng, name):
        """Returns the source text of an argument for the parameter."""
        kind = self.kind(rng, name)
        if kind == "func":
            return pick(rng, _FUNCTIONS)
        return repr(self.value(rng, kind))

    def value(self, rng, kind):
        if kind == "str":
            return self.string(rng)
        if kind == "int":
            if self.integers and rng.random() < 0.25:
                return pick(rng, self.integers) + pick(rng, (0, 0, 1, -1))
            return words.integer(rng)
        if kind == "list":
            roll = rng.random()
            if roll < 0.45:
                return words.number_list(rng)
            if roll < 0.8:
                return [self.string(rng)[:10] for _ in
                        range(int(rng.random() * 6))]
            if roll < 0.9:
                return words.pair_list(rng)
            return words.matrix(rng)
        if kind == "strs":
            return [self.string(rng)[:10] for _ in range(int(rng.random() * 6))]
        if kind == "dict":
            out = words.mapping(rng)
            if self.strings and rng.random() < 0.5:
                out[pick(rng, self.strings)] = words.scalar(rng)
            return out
        if kind == "bytes":
            return self.string(rng).encode("latin-1", "replace")
        if kind == "bool":
            return rng.random() < 0.5
        if kind == "float":
            return words.floating(rng)
        if kind == "tuple":
            return tuple(words.number_list(rng)[:5]) if rng.random() < 0.5 \
                else tuple(words.string_list(rng)[:4])
        if kind in ("set", "frozenset"):
            return set(words.number_list(rng) or [1])
        return words.value(rng)

    def string(self, rng):
        """Returns a string, half of the time with strings of the function in it."""
        if not self.strings or rng.random() < 0.45:
            return words.string(rng)
        own = pick(rng, self.strings)
        roll = rng.random()
        if roll < 0.2:
            return own
        parts = [words.gibberish(rng, 1 + int(rng.random() * 5))
                 if rng.random() < 0.6 else words.word(rng)
                 for _ in range(1 + int(rng.random() * 3))]
        if roll < 0.8:
            return own.join(parts + [""] if roll < 0.3 else parts)[:32]
        return (own + parts[0] + pick(rng, self.strings))[:32]

    def call(self, rng, name):
        """Returns a call of the function with an argument for every parameter."""
        args = [self.argument(rng, arg.arg)
                for arg in self.positional[:self.required]]
        for arg in self.positional[self.required:]:
            if rng.random() < 0.5:
                break
            args.append(self.argument(rng, arg.arg))
        if self.vararg and len(args) == len(self.positional):
            kind = pick(rng, ("int", "str", "list"))
            args += [repr(self.value(rng, kind)) for _ in
                     range(int(rng.random() * 4))]
        for arg in self.kwonly:
            if rng.random() < 0.6:
                args.append(arg.arg + "=" + self.argument(rng, arg.arg))
        return "%s(%s)" % (name, ", ".join(args))


def examples(docstring, name):
    """Returns the calls of the function in its docstring's doctests that have literal
    arguments."""
    out = []
    try:
        found = doctest.DocTestParser().get_examples(docstring or "")
    except ValueError:
        return out
    for example in found:
        try:
            tree = ast.parse(example.source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and \
                    getattr(node.func, "id", "") == name:
                try:
                    for arg in node.args + [k.value for k in node.keywords]:
                        ast.literal_eval(arg)
                except (ValueError, TypeError, SyntaxError):
                    continue
                out.append(ast.unparse(node))
    return out[:6]
