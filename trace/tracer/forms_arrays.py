"""Arrays, data frames and similar objects: large values without inner objects whose
text is slow to build.

They are recognised by the module and name of their class, and read by the buffer
protocol or by C functions of their class. numpy and pandas are not imported. A
fingerprint ignores those parts of a large array that its repr also omits.
"""

from _npdb import forms_library as known
from _npdb import render

WHOLE = 1 << 16  # maximum bytes that are compared in full
FEW = 1000  # maximum number of elements for which numpy's repr omits none
EDGE = 32  # elements compared at each end of each dimension of larger ones; a data frame's repr shows up to 30
DIMENSIONS = 4

BUFFERS = {"array": frozenset(("array",)), "builtins": frozenset(("bytearray",))}
NUMPY = {
    "numpy": frozenset(("ndarray", "memmap", "matrix", "recarray")),
    "numpy.rec": frozenset(("recarray",)),
    "numpy.matrixlib.defmatrix": frozenset(("matrix",)),
}
FRAMES = {"pandas.core.frame": frozenset(("DataFrame",)), "pandas.core.series": frozenset(("Series",))}
BASES = {"numpy": frozenset(("ndarray",)), **BUFFERS}
dict_of, mro_of = render.dict_of, render.mro_of


def buffer_class(cls):
    """Returns the library class whose buffers the instances of a class have, or None."""
    return next((c for c in mro_of(cls) if known.named(c, BUFFERS)), None)


def is_leaf(cls):
    """Returns whether instances are arrays, even if the class adds to them."""
    return any(known.named(c, table) for c in mro_of(cls) for table in (BASES, FRAMES))


def fingerprint_of(cls):
    """Returns a function that computes a fingerprint, which differs whenever an
    instance of a class may be displayed differently. Returns None if there is no such
    function for the class. The fingerprint is None if only the text can decide."""
    if known.named(cls, BUFFERS):
        return buffer
    if known.named(cls, NUMPY):
        return Array(next(c for c in mro_of(cls) if known.named(c, BASES))).fingerprint
    if known.named(cls, FRAMES):
        return frame
    return None


def buffer(value):
    try:
        with memoryview(value) as m:
            return len(m), hash(m if m.readonly else bytes(m))
    except Exception:
        return None


atoms = {}  # number -> the object that represents it in arrays
SEVERAL = 1 << 16
MINUS_ZERO, NAN = -0.0, float("nan")


def same(elements):
    """Returns the elements of an array, with the same object for equal ones."""
    if len(atoms) > SEVERAL:
        atoms.clear()
    keep = atoms.setdefault
    if elements and type(elements[0]) is float:
        return [keep((x,), x) if x and x == x else zero_or_nan(x) for x in elements]
    return [keep(x, x) for x in elements]


def zero_or_nan(x):
    if x != x:
        return NAN
    return MINUS_ZERO if repr(x) == "-0.0" else 0.0


class Array:
    """Reads numpy arrays with the C methods of ndarray."""

    def __init__(self, base):
        members = dict_of(base)
        self.base = base
        self.nbytes, self.size, self.shape = (members[name].__get__ for name in ("nbytes", "size", "shape"))
        self.kind_of = members["dtype"].__get__
        self.part, self.bytes, self.list = members["__getitem__"], members["tobytes"], members["tolist"]

    def fingerprint(self, value):
        try:
            kind = self.kind_of(value)
            shape = self.shape(value)
            read = self.elements if kind.hasobject else self.bytes
            if self.nbytes(value) <= WHOLE or self.size(value) <= FEW:
                return shape, kind.str, hash(read(value))
            if len(shape) > DIMENSIONS or type(value) is not self.base:
                return None
            return shape, kind.str, hash(tuple([hash(read(self.part(value, at))) for at in corners(len(shape))]))
        except Exception:
            return None

    def elements(self, value):
        """Returns the elements of an array of objects. A mutable one may be displayed
        differently although it is the same object."""
        found = self.list(value)
        for _ in range(len(self.shape(value)) - 1):
            found = [x for part in found for x in part]
        if not render.ATOMS.issuperset(map(type, found)):
            raise TypeError
        return tuple(map(known.told_apart, found))


def corners(dimensions):
    """Returns the indices of an array's corners."""
    found = [()]
    for _ in range(dimensions):
        found = [at + (edge,) for at in found for edge in (slice(EDGE), slice(-EDGE, None))]
    return found


def frame(value):
    """Returns the fingerprint of a DataFrame or Series: that of its blocks of values
    and its axes."""
    try:
        names = object.__getattribute__(value, "__dict__")
        manager = names["_mgr"]
        blocks = tuple([values_of(member(block, "values")) for block in member(manager, "blocks")])
        axes = tuple([index(axis) for axis in member(manager, "axes")])
        if None in blocks or None in axes:
            return None
        return blocks, axes, repr(names.get("_name"))
    except Exception:
        return None


def member(value, name):
    """Returns an attribute that a class defines in C, or that the object itself has."""
    for c in mro_of(type(value)):
        if name in dict_of(c):
            found = dict_of(c)[name]
            if type(found) is render.GetSetType:
                return found.__get__(value)
            break
    return object.__getattribute__(value, "__dict__")[name]


def index(axis):
    names = object.__getattribute__(axis, "__dict__")
    if "_range" in names:
        return repr(names["_range"]), repr(names.get("_name"))
    found = values_of(names.get("_data"))
    return None if found is None else (found, repr(names.get("_name")))


def values_of(values):
    """Returns the fingerprint of an array, or of a pandas object that contains one."""
    read = fingerprints.get(id(type(values)))
    if read is None:
        read = fingerprint_of(type(values)) or backed
        fingerprints[id(type(values))] = read
        kept.append(type(values))
    return read(values)


def backed(values):
    try:
        found = values_of(member(values, "_ndarray"))
        return None if found is None else (found, repr(member(values, "_dtype")))
    except Exception:
        return None


fingerprints = {}  # id of a class -> function that reads the fingerprint of an instance
kept = []  # these classes, kept alive so that their ids are not used again
