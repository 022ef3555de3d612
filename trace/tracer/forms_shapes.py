"""Fills in the Kinds of types whose __repr__ follows known rules: those of the standard
library, and those that dataclass and namedtuple generate.

Each function fills in a Kind (forms.py) for a class and returns True, or leaves it
unchanged if the class differs from the rules.
"""

from _npdb import forms_arrays as arrays
from _npdb import forms_library as known
from _npdb import render
from _npdb.forms_reading import (
    ATTRIBUTES,
    DICT,
    SEQUENCE,
    SET,
    MemberType,
    dict_of,
    element_reads,
    fields,
    lookup,
    name_of,
    named,
    odd,
    qualname_of,
    read_dict,
    read_ordered,
    reader,
    reads,
)

kind_of = None  # forms.of
FieldType = known.collections._tuplegetter  # of a namedtuple


def sequence(base, cycle, open, close, single=""):
    """Handles lists and tuples, and derived classes that are displayed like them."""

    def build(kind, cls):
        kind.what, kind.spliced = SEQUENCE, True
        kind.exact = cls is base
        read(kind, base)
        style = "walk" if kind.exact else "repr"
        kind.shows(fields("sequence", name_of(cls), open, close, single=single, cycle=cycle, style=style, reads=element_reads(cls, base)))
        return True

    return build


def read(kind, base):
    iterate = base.__dict__["__iter__"]
    kind.items = list if kind.exact else lambda value: list(iterate(value))


def group(base):
    """Handles sets."""

    def build(kind, cls):
        if lookup(cls, "__iter__") is not base.__iter__:
            return False  # set.__repr__ uses it
        kind.what, kind.spliced = SET, True
        kind.exact = cls is base
        read(kind, base)
        name = name_of(cls)
        open, close = (name + "({", "})") if cls is not set else ("{", "}")
        style = "walk" if kind.exact else "repr"
        kind.shows(fields("set", name, open, close, empty=name + "()", cycle=name + "(...)", style=style, reads=element_reads(cls, base)))
        return True

    return build


def mapping(kind, cls):
    kind.what = DICT
    kind.exact = cls is dict
    kind.items = read_dict
    style = "walk" if kind.exact else "repr"
    kind.shows(fields("dict", name_of(cls), "{", "}", cycle="{...}", style=style, reads=element_reads(cls, dict)))
    return True


def frozen(kind, cls):
    """Handles frozendict, which is no dict."""
    base = render.FrozenDict
    kind.what = DICT
    kind.exact = cls is base
    kind.items = lambda value: (base.keys(value), base.values(value))
    name = name_of(cls)
    style = "walk" if kind.exact else "repr"
    words = element_reads(cls, base)
    kind.shows(fields("dict", name, name + "({", "})", empty=name + "()", cycle=name + "({...})", style=style, reads=words))
    return True


def deque(kind, cls):
    if lookup(cls, "__iter__") is not known.deque.__iter__:
        return False
    kind.what, kind.spliced, kind.varies = SEQUENCE, True, True
    read(kind, known.deque)
    name = name_of(cls)
    most = known.deque.__dict__["maxlen"].__get__
    words = element_reads(cls, known.deque)
    endless = fields("sequence", name, name + "([", "])", cycle="[...]", reads=words)
    bounded = {}

    def form(value):
        n = most(value)
        if n is None:
            return endless
        found = bounded.get(n)
        if found is None:
            close = "], maxlen=%d)" % n
            found = bounded[n] = fields("sequence", name, name + "([", close, cycle="[...]", reads=words)
        return found

    kind.form = form
    return True


def defaultdict(kind, cls):
    mapping(kind, cls)
    kind.varies = True
    name = name_of(cls)
    factory_of = known.defaultdict.__dict__["default_factory"].__get__
    words = element_reads(cls, known.defaultdict)
    plain = {}

    def form(value):
        factory = factory_of(value)
        safe = factory is None or type(factory) is type
        found = plain.get(factory) if safe else None
        if found is None:
            open = "%s(%s, {" % (name, told(factory))
            found = fields("dict", name, open, "})", cycle=open + "...})", reads=words)
            if safe:
                plain[factory] = found
        return found

    kind.form = form
    return True


def told(value):
    """Returns the text of a default factory inside the repr of a defaultdict."""
    kind = type(value)
    if kind is type(None):
        return "None"
    if known.has_base(kind, "functools", "partial"):
        return "..."  # its __repr__ takes defaultdict's guard against cycles for its own
    return kind_of(kind).form(value)[8] or render.render(value)


def ordered(kind, cls):
    for name in ("__iter__", "items", "keys", "__getitem__"):
        if lookup(cls, name) is not known.OrderedDict.__dict__.get(name, dict.__dict__.get(name)):
            return False  # its __repr__ may use it
    kind.what = DICT
    kind.items = read_ordered
    name = name_of(cls)
    words = element_reads(cls, known.OrderedDict)
    if known.version >= (3, 12):
        form = fields("dict", name, name + "({", "})", empty=name + "()", cycle="...", reads=words)
    else:
        form = fields("pairs", name, name + "([", "])", empty=name + "()", cycle="...", reads=words)
    kind.shows(form)
    return True


def counter(kind, cls):
    for name in ("most_common", "items", "keys", "__iter__", "__len__", "__bool__", "__getitem__", "__class__"):
        if lookup(cls, name) is not lookup(known.written_class("collections", "Counter"), name):
            return False
    kind.what = DICT
    kind.items = read_dict
    name = name_of(cls)
    words = element_reads(cls, known.written_class("collections", "Counter"))
    kind.shows(fields("counter", name, name + "({", "})", empty=name + "()", reads=words))
    return True


def wrapper(kind, cls):
    """Handles UserDict and UserList, which are displayed like the container that they
    wrap."""
    return not odd(cls) and through(kind, reader(cls), fields("inner", name_of(cls), "", "", shown=("data",)))


def chain(kind, cls):
    name = name_of(cls)
    return not odd(cls) and through(kind, reader(cls), fields("spread", name, name + "(", ")", cycle="...", shown=("maps",)))


def through(kind, members, form):
    """Handles objects that display the content of one attribute and nothing else."""
    if members is None:
        return False
    kind.what = ATTRIBUTES
    kind.members = members
    if form is not None:
        kind.shows(form)
    return True


def view(what):
    """Handles the keys, values or items of a dict."""

    def build(kind, cls):
        name = name_of(cls)
        form = fields(what, name, name + "(", ")", cycle="...", shown=("mapping", "mapping"))
        return through(kind, mapping_of, form)

    return build


def proxy(kind, cls):
    form = fields("inner", name_of(cls), "mappingproxy(", ")", shown=("mapping", "mapping"))
    return through(kind, mapping_of, form)


def mapping_of(value):
    for found in known.get_referents(value):
        return {"mapping": found}
    return {}


def bound(kind, cls):
    """Handles a bound method, which displays its object."""
    kind.varies = True

    def form(value):
        function = value.__func__
        name = function.__qualname__ if type(function) in known.FUNCTIONS else "?"
        return fields("inner", "method", "<bound method %s of " % name, ">", shown=("__self__", "__self__"))

    kind.form = form
    return through(kind, lambda value: {"__self__": value.__self__}, None)


def sliced(kind, cls):
    """Handles a slice, which displays its bounds. They may be objects of the program."""
    parts = [slice.__dict__[name].__get__ for name in ("start", "stop", "step")]
    kind.what = SEQUENCE
    kind.items = lambda value: [get(value) for get in parts]
    kind.shows(fields("sequence", "slice", "slice(", ")"))
    return True


def byte_array(kind, cls):
    kind.what, kind.spliced, kind.fingerprint = SEQUENCE, True, arrays.buffer
    read(kind, bytearray)
    kind.element = bytearray.__getitem__ if cls is bytearray else None
    name = name_of(cls)
    kind.shows(fields("bytes", name, name + "(", ")", empty=name + "(b'')"))
    return True


def array(kind, cls, base):
    """Handles array.array, whose elements are new objects at every read. Equal ones are
    replaced by the same object."""
    kind.what, kind.spliced, kind.varies, kind.fingerprint = SEQUENCE, True, True, arrays.buffer
    members = dict_of(base)
    code, to_list, to_text, at = members["typecode"].__get__, members["tolist"], members["tounicode"], members["__getitem__"]
    name = name_of(cls)

    def items(value):
        if code(value) in "uw":
            return [to_text(value)] if len(value) else []
        return arrays.same(to_list(value))

    def element(value, n):
        return None if code(value) in "uw" else arrays.same([at(value, n)])[0]

    def form(value):
        letter = code(value)
        opening, closing = ("", ")") if letter in "uw" else ("[", "])")
        head = "%s('%s'" % (name, letter)
        return fields("sequence", name, head + ", " + opening, closing, empty=head + ")")

    kind.items, kind.form = items, form
    kind.element = element if cls is base else None
    return True


# ---- objects displayed by their attributes' names ----------------------------


def exception(kind, cls):
    args = known.ArgsOf.__get__
    attributes = reader(cls)
    if attributes is None:
        return False

    def members(value):
        names = {"args": args(value)}
        names.update(attributes(value))
        return names

    name = name_of(cls)
    kind.what = ATTRIBUTES
    kind.members = members
    kind.shows(fields("spread", name, name + "(", ")", shown=("args", "args"), reads=reads(cls, BaseException)))
    return True


def namespace(kind, cls):
    name = "namespace" if cls is known.SimpleNamespace else name_of(cls)
    get = lookup(cls, "__dict__").__get__
    return shown_by_name(kind, cls, name, lambda value: named(get(value)), cycle=name + "(...)")


def arguments(kind, cls):
    """Handles argparse.Namespace."""
    read = reader(cls)
    if read is None or odd(cls):
        return False
    holder = known.written_class("argparse", "_AttributeHolder")
    if holder is None or any(lookup(cls, name) is not dict_of(holder)[name] for name in ("_get_kwargs", "_get_args")):
        return False
    return shown_by_name(kind, cls, name_of(cls), read)


def shown_by_name(kind, cls, name, read, cycle="", shown=()):
    kind.what = ATTRIBUTES
    kind.members = read
    kind.shows(fields("attributes", name_of(cls), name + "(", ")", cycle=cycle, shown=shown, reads=reads(cls)))
    return True


def dataclass(kind, cls, method):
    """Handles a __repr__ that dataclasses.dataclass generated."""
    shown = known.dataclass_fields(method)
    read = reader(cls)
    if not shown or read is None or odd(cls):  # a form without names would display all attributes
        return False
    defaults = {}
    for name in shown:
        member = lookup(cls, name)
        if member is None or type(member) is MemberType:
            continue
        if lookup(type(member), "__get__") is not None:
            return False  # a property
        defaults[name] = member
    members = with_defaults(read, shown, defaults) if defaults else read
    if lookup(cls, "__class__") is not object.__dict__["__class__"]:
        return False
    kind.what = ATTRIBUTES
    kind.members = members
    name = name_of(cls)
    kind.shows(fields("attributes", name, qualname_of(cls) + "(", ")", cycle="...", shown=shown, reads=reads(cls)))
    return True


def with_defaults(read, shown, defaults):
    """Returns a reader that takes a field without a value in the instance from the
    class."""

    def members(value):
        names = read(value)
        for name in defaults:
            if name not in names:
                break
        else:
            return names
        missing = [name for name in shown if name not in names]
        if missing and all(name in defaults for name in missing):
            for name in missing:
                names[name] = defaults[name]
        return names

    return members


def namedtuple(kind, cls, method):
    shown = known.namedtuple_fields(method)
    if shown is None or not issubclass(cls, tuple) or lookup(cls, "__class__") is not object.__dict__["__class__"]:
        return False
    kind.what = SEQUENCE
    read(kind, tuple)
    name = name_of(cls)
    words = element_reads(cls, tuple)
    if lookup(cls, "__getattribute__") is tuple.__getattribute__:
        words = " ".join([words, "plain", *(name for name in shown if type(lookup(cls, name)) is not FieldType)])
    kind.shows(fields("sequence", name, name + "(", ")", shown=shown, reads=words))
    return True


tuple_like = sequence(tuple, "(...)", "(", ")", ",")
list_like = sequence(list, "[...]", "[", "]")
contents = [(list, list_like), (tuple, tuple_like), (set, group(set)), (frozenset, group(frozenset))]
contents += [(known.deque, deque), (known.OrderedDict, ordered), (known.defaultdict, defaultdict), (dict, mapping)]
contents += [(render.FrozenDict, frozen)] if render.FrozenDict else []
builders = {
    id(base.__dict__["__repr__"]): build
    for base, build in contents
    + [
        (BaseException, exception),
        (known.SimpleNamespace, namespace),
        (known.MethodType, bound),
        (known.MappingProxy, proxy),
        (type({}.keys()), view("keys")),
        (type({}.values()), view("values")),
        (type({}.items()), view("items")),
        (bytearray, byte_array),
        (slice, sliced),
    ]
    if "__repr__" in base.__dict__
}
written = {  # for classes of the standard library that are written in Python
    ("collections", "Counter.__repr__"): counter,
    ("collections", "UserDict.__repr__"): wrapper,
    ("collections", "UserList.__repr__"): wrapper,
    ("collections", "ChainMap.__repr__"): chain,
    ("argparse", "_AttributeHolder.__repr__"): arguments,
}
