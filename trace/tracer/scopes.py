"""The names of a frame, read so that the program does not notice.

On Python 3.11 and 3.12 reading f_locals has side effects. It updates the dict that the
program may have from locals(). After the trace function the interpreter also writes the
dict back (PyFrame_LocalsToFast). In a module or class body of 3.12 this unbinds the
variables of an inlined comprehension (PEP 709), which are not in the dict. So where
code may notice, the frame gets another dict for the duration of the read, and is marked
as having nothing to write back. Before 3.11 the interpreter always does all this
itself; from 3.13 on it does none of it (PEP 667). But 3.13.0 to 3.13.2 crash when they
read a comprehension's variable that is a cell elsewhere in the code, so it is left out
there.
"""

import sys

from _npdb import library

# Offsets in a frame object: the interpreter's frame, and the flag that there is a dict
# to write back. Offset in the interpreter's frame: the dict.
FRAME, UNWRITTEN = object.__basicsize__ + 8, object.__basicsize__ + 30
LOCALS = {(3, 11): 24, (3, 12): 40}.get(sys.version_info[:2])
DEADLY = (3, 13) <= sys.version_info < (3, 13, 3)

GIVE_LOCALS = frozenset(("locals", "vars"))
CELLS_OF_CLASSES = frozenset(("__class__", "__classdict__"))


def notices(code):
    """Returns whether code may notice that its frame's f_locals are read."""
    if DEADLY:
        return bool(deadly(code))
    if LOCALS is None:
        return False
    if code.co_flags & 1:  # CO_OPTIMIZED: a function
        return not GIVE_LOCALS.isdisjoint(code.co_names)
    return sys.version_info >= (3, 12) and bool(code.co_varnames or set(code.co_cellvars) - CELLS_OF_CLASSES)


def deadly(code):
    """Returns the variables of comprehensions that are also cells."""
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
    """Returns the names of a frame and their values."""
    if not notices(frame.f_code):
        return frame.f_locals
    return quietly(frame, namespace_of(frame))


def namespace_of(frame):
    """Returns the namespace of a module, or of a class body that is traced."""
    if frame.f_code.co_name == "<module>":
        return frame.f_globals
    local = frame.f_trace
    names = getattr(getattr(local, "__code__", None), "co_freevars", ())
    if "me" not in names:
        return None
    me = local.__closure__[names.index("me")].cell_contents
    return None if me is None else me.namespace


ctypes = None  # the module, or False if frames do not have the expected layout


def quietly(frame, namespace):
    """Reads f_locals of code that may notice. namespace is the dict in which a module
    or class body binds its names, or None for a function or if it is not known yet."""
    global ctypes
    code = frame.f_code
    if DEADLY and code.co_flags & 1:
        return living(frame.f_locals, set(code.co_varnames + code.co_cellvars + code.co_freevars) - deadly(code))
    if ctypes is None:
        ctypes = not DEADLY and working()
    if not ctypes:
        return frame.f_locals if namespace is None else namespace
    if not code.co_flags & 1:  # the dict is the namespace itself, or was created for this read
        found = frame.f_locals
        ctypes.c_char.from_address(id(frame) + UNWRITTEN).value = b"\0"
        return found
    slot = ctypes.c_void_p.from_address(ctypes.c_void_p.from_address(id(frame) + FRAME).value + LOCALS)
    theirs = slot.value
    slot.value = None
    try:
        found = frame.f_locals
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(found))  # releases the reference of the slot
    finally:
        slot.value = theirs
        ctypes.c_char.from_address(id(frame) + UNWRITTEN).value = b"\0"
    return found


def unwritten(frame):
    """Prevents that f_locals is written back to the frame."""
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
    """Returns the module ctypes, if frames have the expected layout."""
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
    # A frame that refers to itself would keep the frames below it alive, which are the
    # program's.
    names.clear()
    del frame
    return good and found
