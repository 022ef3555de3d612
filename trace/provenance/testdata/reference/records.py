"""What the reference notes: stores, and where expressions got their values."""


class Store:
    """One store: which place got which value, by which run of which statement, from which origin."""

    __slots__ = ("how", "text", "statement", "ordinal", "value", "source", "time", "silent", "described")

    def __init__(self, how, text, activation, value, source, time, silent=False):
        self.how, self.text, self.value, self.source, self.time, self.silent = how, text, value, source, time, silent
        self.statement, self.ordinal = activation.statement, activation.ordinal
        self.described = described(value)


class Origin:
    """Where an expression got its value.

    kind: literal, copy, field, element, return, computed, display, comprehension, instance,
    library, default, definition, raised, unknown. store is the store that was read, and time when.
    inputs are (text, Origin) of the expressions that it was computed from. parts are the origins of
    a display's elements. holder is the origin of an element's container, index its place there.
    """

    __slots__ = ("kind", "line", "store", "time", "inputs", "value", "parts", "holder", "index", "note")

    def __init__(self, kind, line, value, time, store=None, inputs=(), parts=None, holder=None, index=None, note=""):
        self.kind, self.line, self.value, self.time, self.store = kind, line, value, time, store
        self.inputs, self.parts, self.holder, self.index, self.note = inputs, parts, holder, index, note


class Activation:
    """A run of a function, of a class body or of the module."""

    def __init__(self, function, frame=None):
        self.function, self.frame = function, frame
        self.names, self.origins = {}, {}
        self.statement, self.ordinal, self.began = -1, 0, 0
        self.bases, self.keys, self.calls, self.picked, self.current = {}, {}, {}, {}, {}
        self.subs, self.collected, self.generated = {}, {}, {}
        self.returned = self.outer = self.old = self.before = None


class Pending:
    """A call that has begun: its arguments are being evaluated, or the function runs."""

    __slots__ = ("number", "activation", "function", "arguments", "ready", "entered", "origins", "before", "statement", "ordinal", "time")

    def __init__(self, number, activation, function):
        self.number, self.activation, self.function = number, activation, function
        self.arguments, self.ready, self.entered, self.origins, self.before = [], False, None, None, None
        self.statement, self.ordinal = activation.statement, activation.ordinal


PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis))


def same(a, b):
    """Report whether storing b in a place that has a does not change the place."""
    return a is b or type(a) is type(b) and isinstance(a, PLAIN) and repr(a) == repr(b)


def described(value, depth=3):
    """Return = and the repr of plain data, or the class name of any other value."""
    budget = [300]

    def text(v, depth):
        budget[0] -= 1
        if budget[0] < 0 or depth < 0:
            raise ValueError
        kind = type(v)
        if kind in PLAIN:
            return repr(v)
        if kind is list:
            return "[" + ", ".join(text(x, depth - 1) for x in v) + "]"
        if kind is tuple:
            return "(" + ", ".join(text(x, depth - 1) for x in v) + ("," if len(v) == 1 else "") + ")"
        if kind is dict:
            return "{" + ", ".join(text(k, depth - 1) + ": " + text(x, depth - 1) for k, x in v.items()) + "}"
        raise ValueError

    try:
        return "=" + text(value, depth)
    except (ValueError, RuntimeError):
        return type(value).__name__
