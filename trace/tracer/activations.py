"""Runs of functions and of modules' and classes' bodies, and what their frames
say of them."""

import sys

from _npdb.scopes import quietly

FunctionType = type(lambda: None)
Proxy = type((lambda: sys._getframe().f_locals)())
if Proxy is dict:
    Proxy = None  # before PEP 667

stack = []  # activations from the outermost in
trace_functions = {}  # the code of the tracer's functions for one activation -> which cell has that; filled by it
begun = 0  # activations so far


class Activation:
    """One run of a function, or of a module's or class's body. effect: what its
    line may have changed since its last event. answers: (code, weak
    reference, value) of what was returned to its line, where the effect asks for them. address: its frame's, which is its own
    as long as it is on the stack."""

    __slots__ = ("number", "info", "last", "effect", "answers", "namespace", "address")

    def __init__(self, info, frame):
        self.number = begun
        self.address = id(frame)
        self.info = info
        self.last = {}  # name -> what it was recorded to hold: an atom, an entry of the store or what was told
        self.effect = None
        self.answers = ()
        self.namespace = None  # of a module or class body


def names_of(frame, me):
    """The names of an activation's frame and their values: a mapping."""
    info = me.info
    if info.fast:
        return quietly(frame, None) if info.notices else frame.f_locals
    found = quietly(frame, me.namespace) if info.notices else frame.f_locals
    if found.__class__ is Proxy:
        # 3.13, inside an inlined comprehension (PEP 709): only its own.
        return {**(frame.f_globals if me.namespace is None else me.namespace), **found}
    me.namespace = found
    if found.__class__ is dict:
        return found
    try:
        return dict(found.items())
    except Exception:  # a namespace of a metaclass's making
        return {}


def activation_of(frame):
    """The activation of a frame, None where it is not known."""
    local = frame.f_trace
    if local.__class__ is FunctionType:
        at = trace_functions.get(local.__code__)
        if at is not None:
            return local.__closure__[at].cell_contents
    return None


def traced_below(frame):
    """The user's frames that a frame was called from, itself first, and their
    activations, as far as they are known."""
    while frame is not None:
        me = activation_of(frame)
        if me is not None:
            yield frame, me
        frame = frame.f_back


def cell(local, name):
    """A variable of a closure of the trace function."""
    return local.__closure__[local.__code__.co_freevars.index(name)]


def ours(local):
    return getattr(local, "__code__", None) in trace_functions
