"""The differences between frames in the versions of Python, and the side effects of reading
frames.

These are the rules of npdb's own tracer (trace/tracer/scopes.py and codes.py). In Python 3.11
and 3.12, reading f_locals has a side effect: after the trace function, the interpreter writes
the dict back to the frame. In a module or class body of 3.12, that unbinds the variables of an
inlined comprehension (PEP 709). From 3.13 on (PEP 667) there is no such effect. But 3.13.0 to
3.13.2 crash when a comprehension's variable is read that is a cell elsewhere in the code. npdb's
tracer leaves such a name out. A dataset must not contain states without it, so the recorder gives
up.
"""

import ctypes
import sys
from opcode import opmap

VERSION = sys.version_info[:2]
# The versions for which a test compares the recordings with npdb's own.
EXACT = sys.implementation.name == "cpython" and (3, 9) <= VERSION <= (3, 14)

RETURNING = frozenset(opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opmap)
YIELD_VALUE, YIELD_FROM, RESUMED = (opmap.get(name, -1) for name in ("YIELD_VALUE", "YIELD_FROM", "RESUME"))
CELLS_OF_CLASSES = frozenset(("__class__", "__classdict__"))
UNWRITTEN = object.__basicsize__ + 30  # offset in a 3.12 frame object of the flag that f_locals must be written back
NOTICING = frozenset(("locals", "vars"))  # functions whose result changes if the recorder reads the locals of their frame
DEADLY = (3, 13) <= sys.version_info < (3, 13, 3)
LIVING = VERSION >= (3, 13)  # f_locals reads the frame's names directly


def returns(bytecode, at):
    """Returns whether a return event at this instruction comes from a return statement."""
    return 0 <= at < len(bytecode) and bytecode[at] in RETURNING


def yields(bytecode, at):
    """Returns whether a return event at this instruction comes from a yield. Up to 3.10, f_lasti
    is at YIELD_VALUE or one instruction before YIELD_FROM. In 3.11 and 3.12 it is at
    YIELD_VALUE, and from 3.13 on at the RESUME after it."""
    if not 0 <= at < len(bytecode):
        return False
    op = bytecode[at]
    return (
        op == YIELD_VALUE
        or op == RESUMED and at >= 2 and bytecode[at - 2] == YIELD_VALUE
        or YIELD_FROM >= 0 and at + 2 < len(bytecode) and bytecode[at + 2] == YIELD_FROM
    )


def inlines(code):
    """Returns whether the body of a module or class contains variables of inlined comprehensions
    (PEP 709), which are not in its namespace."""
    return VERSION >= (3, 12) and bool(code.co_varnames or set(code.co_cellvars) - CELLS_OF_CLASSES)


def readable(code):
    """Returns whether the recorder can read a function's locals without changing what the function
    does."""
    return LIVING or NOTICING.isdisjoint(code.co_names)


def deadly(code):
    """Returns whether reading the locals crashes the interpreter: a comprehension's variable is
    also a cell."""
    cells = code.co_cellvars + code.co_freevars
    if not DEADLY or not cells:
        return False
    arg = 0
    names = tuple(dict.fromkeys(code.co_varnames + cells))
    for op, low in zip(code.co_code[::2], code.co_code[1::2]):
        arg = arg << 8 | low
        if op == opmap["EXTENDED_ARG"]:
            continue
        if op == opmap["LOAD_FAST_AND_CLEAR"] and arg < len(names) and names[arg] in cells:
            return True
        arg = 0
    return False


def quietly(frame):
    """Returns the names of a module or class body, without the side effect of 3.12. There the
    interpreter would write them back after the trace function and unbind the variables of a
    comprehension."""
    found = frame.f_locals
    if VERSION == (3, 12):
        ctypes.c_char.from_address(id(frame) + UNWRITTEN).value = b"\0"
    return found


def namespace(frame):
    """Returns the namespace of a module or class body whose execution begins."""
    return frame.f_globals if frame.f_code.co_name == "<module>" else quietly(frame)


def names_of_body(frame, info, bound):
    """Returns the names of a module or class body, including those of the inlined comprehension
    that it is executing. bound is its namespace."""
    if not info.inlines:
        return bound
    found = quietly(frame)
    if LIVING and found is not bound:  # only the variables of the comprehension
        return {**bound, **found}
    return found


def set_local(frame, name, value):
    """Sets a local of a function that already has a value. Returns False if it has none, or if the
    frame rejects the change."""
    held = frame.f_locals
    if name not in held:
        return False
    held[name] = value
    if not LIVING:
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return frame.f_locals[name] is value
