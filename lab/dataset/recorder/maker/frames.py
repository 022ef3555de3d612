"""What the frames of each Python say of themselves, and what reading them does.

These are the rules of npdb's own tracer (trace/tracer/scopes.py and codes.py). On Python
3.11 and 3.12 reading f_locals does more than read: the interpreter writes the dict back
after the trace function, which in a module or class body of 3.12 unbinds the variables of
an inlined comprehension (PEP 709). From 3.13 on (PEP 667) nothing of it, but 3.13.0 to
3.13.2 die of reading a comprehension's variable that is a cell elsewhere in the code.
"""

import ctypes
import sys
from opcode import opmap

VERSION = sys.version_info[:2]
# What the recordings of these are is held against npdb's own by a test.
EXACT = sys.implementation.name == "cpython" and (3, 9) <= VERSION <= (3, 14)

RETURNING = frozenset(opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opmap)
YIELD_VALUE, YIELD_FROM, RESUMED = (opmap.get(name, -1) for name in ("YIELD_VALUE", "YIELD_FROM", "RESUME"))
CELLS_OF_CLASSES = frozenset(("__class__", "__classdict__"))
UNWRITTEN = object.__basicsize__ + 30  # of a frame object of 3.12: whether there is something to write back
NOTICING = frozenset(("locals", "vars"))  # functions that notice when their frame's locals are read
DEADLY = (3, 13) <= sys.version_info < (3, 13, 3)
LIVING = VERSION >= (3, 13)  # f_locals is the frame's names themselves


def returns(bytecode, at):
    """Whether a return event there is that of a return statement."""
    return 0 <= at < len(bytecode) and bytecode[at] in RETURNING


def yields(bytecode, at):
    """Whether a return event there is that of a yield. f_lasti stands up to 3.10 at
    YIELD_VALUE or one instruction before YIELD_FROM, in 3.11 and 3.12 at YIELD_VALUE,
    from 3.13 on at the RESUME behind it."""
    if not 0 <= at < len(bytecode):
        return False
    op = bytecode[at]
    return (
        op == YIELD_VALUE
        or op == RESUMED and at >= 2 and bytecode[at - 2] == YIELD_VALUE
        or YIELD_FROM >= 0 and at + 2 < len(bytecode) and bytecode[at + 2] == YIELD_FROM
    )


def inlines(code):
    """Whether a module's or class's body has variables of comprehensions (PEP 709), which
    its namespace has not."""
    return VERSION >= (3, 12) and bool(code.co_varnames or set(code.co_cellvars) - CELLS_OF_CLASSES)


def readable(code):
    """Whether a function does not notice that its locals are read."""
    return LIVING or NOTICING.isdisjoint(code.co_names)


def deadly(code):
    """The variables of comprehensions that are also cells, where reading them is deadly."""
    cells = code.co_cellvars + code.co_freevars
    if not DEADLY or not cells:
        return ()
    found, arg = set(), 0
    names = tuple(dict.fromkeys(code.co_varnames + cells))
    for op, low in zip(code.co_code[::2], code.co_code[1::2]):
        arg = arg << 8 | low
        if op == opmap["EXTENDED_ARG"]:
            continue
        if op == opmap["LOAD_FAST_AND_CLEAR"] and arg < len(names) and names[arg] in cells:
            found.add(names[arg])
        arg = 0
    return tuple(found)


def quietly(frame):
    """The names of a module or class body. Were the interpreter of 3.12 left to write them
    back after the trace function, it would unbind the variables of a comprehension."""
    found = frame.f_locals
    if VERSION == (3, 12):
        ctypes.c_char.from_address(id(frame) + UNWRITTEN).value = b"\0"
    return found


def namespace(frame):
    """What a module or class body that begins binds its names in."""
    return frame.f_globals if frame.f_code.co_name == "<module>" else quietly(frame)


def names_of_body(frame, info, bound):
    """The names of a module or class body, those of an inlined comprehension that it is
    in with them. bound is its namespace."""
    if not info.inlines:
        return bound
    found = quietly(frame)
    if LIVING and found is not bound:  # only the comprehension's own
        own = {name: found[name] for name in found if name not in info.deadly}
        return {**bound, **own}
    return found


def set_local(frame, name, value):
    """Gives a local of a function that has a value another one; False where it has none,
    or where the frame does not take it."""
    held = frame.f_locals
    if name not in held:
        return False
    held[name] = value
    if not LIVING:
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return frame.f_locals[name] is value
