"""What the values of a type consist of, and how they are displayed.

A Kind says which shallow content of a class's instances is recorded, and gives the form
of their text, so that npdb can build the same text as render.render. Content is read
without running code of the program: none of its methods, descriptors or metaclass
methods is called. Only a __repr__ that must be called runs, supervised (render.py).

A type whose instances are displayed like render does, but for reasons that are not
covered here, is TEXT: render is called.
"""

from _npdb import forms_arrays as arrays
from _npdb import forms_library as known
from _npdb import forms_shapes as shapes
from _npdb import quiet, render
from _npdb.forms_reading import (
    ATTRIBUTES,
    DICT,
    SEQUENCE,
    SET,
    TEXT,
    dict_of,
    fields,
    lookup,
    mro_of,
    name_of,
    qualname_of,
    reader,
    reads,
    with_own,
    written,
)

module_of = known.module_of
weakref_offset = type.__dict__["__weakrefoffset__"].__get__
FunctionType = render.FunctionType

STORING = {name: (dict.__dict__[name], known.OrderedDict.__dict__[name]) for name in ("__setitem__", "__delitem__")}

kinds = {}  # id of a class -> its Kind, which keeps the class alive
refusals = 0  # number of entries of render.distrusted that are known here


class Kind:
    """Properties of a class.

    what        how its instances are recorded: SEQUENCE, SET, DICT, ATTRIBUTES
                or TEXT
    exact       whether list(x), x.items() … read the content of one: it is a
                list, tuple, dict, set or frozenset, and not of a derived class
    spliced     whether a new version of a SEQUENCE or SET may be recorded as
                a difference
    form(x)     the fields of the FORM of one. If varies is False, they are the
                same for all instances. Otherwise they may change when an
                attribute of x is bound
    items(x)    the elements as a fresh list; for a DICT, keys and values
    element     None, or a function that returns the element of x at an index
                in the order of items(x), if x[i] = v changes only that one
    members(x)  the attributes of ATTRIBUTES as a fresh dict
    text(x)     the result of the __repr__ of x; for ATTRIBUTES, None if its
                __repr__ raises or is not called
    asks        where a text comes from: None, the content; "constant", a text
                that never changes; "own", a __repr__ of the program, displayed
                in place of the content; "library", a __repr__ of other code,
                which may depend on anything
    fingerprint None, or a function whose value for x differs whenever the text
                of x may differ, and which is faster than computing the text
    weak        whether instances can be weakly referenced
    finalizer   whether it has a __del__
    borrows     whether an instance may change though no line touched it, and
                has no weak references: then the values of names are compared
                at every event
    stores      whether d[k] = v and del d[k] change only that entry, as in a dict
    users       whether it is a class of user code
    fell        whether its __repr__ was refused, and is not called any more
    """

    __slots__ = (
        "cls what exact spliced form varies items element members text asks fingerprint weak finalizer borrows stores users fell"
    ).split()

    def __init__(self, cls):
        self.cls = cls
        self.what = TEXT
        self.exact = self.spliced = self.varies = self.borrows = self.fell = False
        self.asks = self.fingerprint = self.form = self.items = self.element = self.members = None
        self.text = render.render
        self.weak = weakref_offset(cls) != 0
        self.stores = any(c is dict for c in mro_of(cls)) and all(
            any(lookup(cls, name) is one for one in STORING[name]) for name in STORING
        )
        self.users = is_users(cls)
        self.finalizer = lookup(cls, "__del__") is not None

    def shows(self, fields):
        """Sets one form for all instances."""
        self.form = lambda value: fields

    def falls(self):
        """Handles a __repr__ that printed, hung or changed the object that it displays."""
        self.what = TEXT
        self.exact = self.spliced = self.varies = self.borrows = False
        self.asks = self.fingerprint = self.items = self.element = None
        attributes(self, self.cls)
        if self.what is ATTRIBUTES:
            self.text = nothing
        self.fell = True


def of(cls):
    """Returns the Kind of a class that is not one of render.ATOMS."""
    kind = kinds.get(id(cls))
    if kind is None:
        kind = kinds[id(cls)] = describe(cls)
    return kind


def forget(cls):
    """Discards the Kinds of a class and its subclasses, and returns them."""
    gone = [kind for kind in list(kinds.values()) if any(c is cls for c in mro_of(kind.cls))]
    for kind in gone:
        del kinds[id(kind.cls)]
    return frozenset(gone)


def refused():
    """Returns the kinds that fell since the last call. All recorded instances of these
    are displayed differently from now on."""
    global refusals
    if len(render.distrusted) == refusals:
        return ()
    refusals = len(render.distrusted)
    fallen = []
    for address in list(render.distrusted):
        kind = kinds.get(address)
        if kind is not None and not kind.fell:
            kind.falls()
            fallen.append(kind)
    return fallen


def nothing(value):
    """Returns no text, for an object whose __repr__ is not called."""
    return None


def is_users(cls):
    return known.is_users_module(module_of(cls))


def describe(cls):
    kind = Kind(cls)
    try:
        shape(kind, cls)
    except BaseException as e:  # a class with unusual behaviour
        render.let_through(e)
        kind = Kind(cls)
    if kind.what is TEXT:
        kind.shows(fields("text", name_of(cls), "", ""))
    elif kind.form is None:
        raise AssertionError("no form")
    return kind


def shape(kind, cls):
    """Fills in how the class's instances are recorded."""
    method = lookup(cls, "__repr__")
    if id(cls) in render.distrusted:
        kind.falls()
        return
    if method is object.__repr__:
        attributes(kind, cls)
        return
    build = shapes.builders.get(id(method))
    if build is not None and build(kind, cls):
        return
    if type(method) is FunctionType:
        build = shapes.written.get(known.origin(method))
        if build is not None and build(kind, cls):
            return
        if shapes.dataclass(kind, cls, method) or shapes.namedtuple(kind, cls, method):
            return
    opaque(kind, cls, method)


# ---- plain objects ---------------------------------------------------------


def attributes(kind, cls):
    """Fills in a Kind that is displayed by attributes, as render.attributes does."""
    name = name_of(cls)
    read = reader(cls)
    if read is None:
        return
    kind.what = ATTRIBUTES
    kind.members = read
    bare, style = "", "walk"
    if render.asked and not quiet.quiet_method(cls, lookup(cls, "__repr__")):
        style = "unasked"
    if lookup(cls, "__repr__") is object.__repr__:
        module = module_of(cls)
        bare = "<%s object>" % name
        if module not in (None, "builtins"):
            bare = "<%s.%s object>" % (module, qualname_of(cls))
    own = written(cls) if style == "unasked" else ""
    kind.shows(fields("attributes", name, name + "(", ")", cycle=name + "(...)", style=style, bare=bare, own=own, reads=reads(cls)))


# ---- classes whose __repr__ must be called ----------------------------------


def opaque(kind, cls, method):
    """Fills in a Kind whose text only its __repr__ gives. For a class of user code, the
    text is displayed in place of the content."""
    bases = mro_of(cls)
    base = arrays.buffer_class(cls)
    if base is not None and dict_of(base)["__repr__"] is method and base is not bytearray:
        shapes.array(kind, cls, base)
        return
    if render.asked and not quiet.quiet_method(cls, method):
        made_of(kind, cls)
        return
    if not known.is_users_code(method) and arrays.is_leaf(cls):
        kind.asks, kind.fingerprint = "library", arrays.fingerprint_of(cls)
        return
    if not kind.users and not known.is_users_code(method):
        kind.asks = "constant" if known.constant(cls, bases) else "library"
        kind.borrows = kind.asks == "library" and not kind.weak  # itertools.count, a weak reference
        return
    if known.constant_by(method, bases):
        kind.asks = "constant"
        return
    kind.asks = "own"
    made_of(kind, cls)
    if kind.what is ATTRIBUTES:
        kind.text = own_text


def made_of(kind, cls):
    """Fills in the content of an object, regardless of its __repr__: its elements, its
    attributes, or neither."""
    for base, build in shapes.contents:
        if issubclass(cls, base) and build(kind, cls):
            kind.exact = False
            if render.asked:
                show_own(kind, written(cls))
            return
    attributes(kind, cls)
    if kind.what is TEXT and render.asked:
        kind.asks = "library"


def show_own(kind, own):
    """Makes the forms of a class say that it has its own __repr__."""
    form = kind.form
    kind.form = lambda value: with_own(form(value), own)


def own_text(value):
    """Returns the result of a __repr__ of user code, or None if it raises or is
    refused."""
    cls = type(value)
    try:
        text = render.told(value, cls)
    except RecursionError:
        return "<%s: too deep to render>" % name_of(cls)
    except MemoryError:
        return "<%s: no memory to render>" % name_of(cls)
    if text is None:
        return None
    if not issubclass(cls, (str, bytes)):
        text = render.without_addresses(text)
    return render.cut(text)


shapes.kind_of = of
