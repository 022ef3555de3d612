"""Activations: the runs of functions and of the bodies of modules and classes, and the
information that is read from their frames."""

import sys

from _npdb.scopes import quietly

FunctionType = type(lambda: None)
Proxy = type((lambda: sys._getframe().f_locals)())
if Proxy is dict:
    Proxy = None  # before PEP 667

stack = []  # activations, outermost first
trace_functions = {}  # code of a trace function for one activation -> index of the closure cell that holds the activation; filled by tracer
begun = 0  # number of activations so far


class Activation:
    """One run of a function, or of the body of a module or class.

    effect: what its line may have changed since its last event. answers: (code, weak
    reference, value) of what called code returned to its line, if the effect needs
    them. address: the id of its frame, which is unique while the frame is on the stack."""

    __slots__ = ("number", "info", "last", "effect", "answers", "namespace", "address")

    def __init__(self, info, frame):
        self.number = begun
        self.address = id(frame)
        self.info = info
        self.last = {}  # name -> its recorded value: an atom, an Entry or a TextOnly
        self.effect = None
        self.answers = ()
        self.namespace = None  # set for a module or class body


def names_of(frame, me):
    """Returns the names of an activation's frame and their values as a mapping."""
    info = me.info
    if info.fast:
        return quietly(frame, None) if info.notices else frame.f_locals
    found = quietly(frame, me.namespace) if info.notices else frame.f_locals
    if found.__class__ is Proxy:
        # On 3.13, inside an inlined comprehension (PEP 709), f_locals has only the
        # comprehension's names.
        return {**(frame.f_globals if me.namespace is None else me.namespace), **found}
    me.namespace = found
    if found.__class__ is dict:
        return found
    try:
        return dict(found.items())
    except Exception:  # a namespace that a metaclass made
        return {}


def activation_of(frame):
    """Returns the activation of a frame, or None if it has none."""
    local = frame.f_trace
    if local.__class__ is FunctionType:
        at = trace_functions.get(local.__code__)
        if at is not None:
            return local.__closure__[at].cell_contents
    return None


def traced_below(frame):
    """Yields the frame itself and the frames that called it, each with its activation,
    if they are traced."""
    while frame is not None:
        me = activation_of(frame)
        if me is not None:
            yield frame, me
        frame = frame.f_back


def cell(local, name):
    """Returns a closure variable of a trace function."""
    return local.__closure__[local.__code__.co_freevars.index(name)]


def ours(local):
    return getattr(local, "__code__", None) in trace_functions
