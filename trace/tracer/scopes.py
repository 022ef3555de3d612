"""The names of a frame, read so that the program does not notice.

On Python 3.11 and 3.12 reading f_locals does more than read. It brings the dict
up to date that the program may have from locals(), and after the trace function
the interpreter writes the dict back (PyFrame_LocalsToFast): in a module or class
body of 3.12 that unbinds the variables of an inlined comprehension (PEP 709),
which the dict lacks. So where code may notice, the frame gets another dict for
the time of reading, and is told that there is nothing to write back. Before, the
interpreter does all this by itself; from 3.13 on nothing of it (PEP 667). But
3.13.0 to 3.13.2 die of reading a comprehension's variable that is a cell
elsewhere in the code: there it is left out.
"""

import sys

from _npdb import library

# Of a frame object: the frame of the interpreter's and whether there is a dict
# to write back. Of the interpreter's frame: the dict.
FRAME, UNWRITTEN = object.__basicsize__ + 8, object.__basicsize__ + 30
LOCALS = {(3, 11): 24, (3, 12): 40}.get(sys.version_info[:2])
DEADLY = (3, 13) <= sys.version_info < (3, 13, 3)

GIVE_LOCALS = frozenset(("locals", "vars"))
CELLS_OF_CLASSES = frozenset(("__class__", "__classdict__"))


def notices(code):
    """Whether code may notice that its frame's f_locals are read."""
    if DEADLY:
        return bool(deadly(code))
    if LOCALS is None:
        return False
    if code.co_flags & 1:  # CO_OPTIMIZED: a function
        return not GIVE_LOCALS.isdisjoint(code.co_names)
    return sys.version_info >= (3, 12) and bool(code.co_varnames or set(code.co_cellvars) - CELLS_OF_CLASSES)


def deadly(code):
    """The variables of comprehensions that are also cells."""
    cells = code.co_cellvars + code.co_freevars
    if not cells:
        return ()
    opmap = library.take("opcode").opmap
    found, arg = set(), 0
    names = tuple(dict.fromkeys(code.co_varnames + cells))
    for op, low in zip(code.co_code[::2], code.co_code[1::2]):
        arg = arg << 8 | low
        if op == opmap["EXTENDED_ARG"]:
            continue
        if op == opmap["LOAD_FAST_AND_CLEAR"] and arg < len(names) and names[arg] in cells:
            found.add(names[arg])
        arg = 0
    return found


def of(frame):
    """The names of a frame and their values."""
    if not notices(frame.f_code):
        return frame.f_locals
    return quietly(frame, namespace_of(frame))


def namespace_of(frame):
    """The namespace of a module, or of a class body that is traced."""
    if frame.f_code.co_name == "<module>":
        return frame.f_globals
    local = frame.f_trace
    names = getattr(getattr(local, "__code__", None), "co_freevars", ())
    if "me" not in names:
        return None
    me = local.__closure__[names.index("me")].cell_contents
    return None if me is None else me.namespace


ctypes = None  # the module, False where it does not help


def quietly(frame, namespace):
    """f_locals of code that may notice. namespace is what a module or class body
    binds its names in, None for a function or where that is not known yet."""
    global ctypes
    code = frame.f_code
    if DEADLY and code.co_flags & 1:
        return living(frame.f_locals, set(code.co_varnames + code.co_cellvars + code.co_freevars) - deadly(code))
    if ctypes is None:
        ctypes = not DEADLY and working()
    if not ctypes:
        return frame.f_locals if namespace is None else namespace
    if not code.co_flags & 1:  # the dict is the namespace itself, or made for us
        found = frame.f_locals
        ctypes.c_char.from_address(id(frame) + UNWRITTEN).value = b"\0"
        return found
    slot = ctypes.c_void_p.from_address(ctypes.c_void_p.from_address(id(frame) + FRAME).value + LOCALS)
    theirs = slot.value
    slot.value = None
    try:
        found = frame.f_locals
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(found))  # the slot's
    finally:
        slot.value = theirs
        ctypes.c_char.from_address(id(frame) + UNWRITTEN).value = b"\0"
    return found


def unwritten(frame):
    """What was read of f_locals is not written back to the frame."""
    global ctypes
    if ctypes is None:
        ctypes = working()
    if ctypes:
        ctypes.c_char.from_address(id(frame) + UNWRITTEN).value = b"\0"


def living(proxy, names):
    found = {}
    for name in names:
        try:
            found[name] = proxy[name]
        except KeyError:
            pass
    return found


def working():
    """The module ctypes, if frames look as they should."""
    try:
        found = library.take("ctypes")
    except ImportError:
        return False
    frame = sys._getframe()
    unwritten = found.c_char.from_address(id(frame) + UNWRITTEN)
    before = unwritten.value
    names = frame.f_locals
    inner = found.c_void_p.from_address(id(frame) + FRAME).value
    good = before == b"\0" and unwritten.value == b"\1" and found.c_void_p.from_address(inner + LOCALS).value == id(names)
    # A frame that holds itself would keep those below it, the program's.
    names.clear()
    del frame
    return good and found
