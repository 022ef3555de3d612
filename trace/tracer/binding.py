"""Compares the names of activations with the values that were recorded for them."""

from _frozen_importlib import ModuleSpec
from _npdb import library, store
from _npdb import render as values
from _npdb.channel import encode
from _npdb.codes import END, ORDER, SET_HIDDEN_IN, SET_IN, UNSET, UNSET_IN, varint
from _npdb.entries import ATOMS, Entry, atomic, entries, out, text_of, touched
from _npdb.forms import ATTRIBUTES
from _npdb.patience import LARGE
from _npdb.store import hold

FunctionType = values.FunctionType
UNSEEN = object()
functions = {}  # __qualname__ -> text
MANY = 10000  # maximum number of these texts
ROWS = frozenset((list, tuple, library.take("_collections").deque))
SHORT = frozenset((int, float, bool, type(None), str))
MACHINERY = frozenset(("__loader__", "__spec__"))
LOADERS = frozenset(("_frozen_importlib", "_frozen_importlib_external", "zipimport"))
is_ = library.take("_operator").is_
module_of = type.__dict__["__module__"].__get__
islice = library.take("itertools").islice
borrowers = set()  # (activation, name) of names whose value displays another object, such as a view of a dict


class TextOnly:
    """A function, class, module or hidden value of a name. Only its text is recorded, and
    only when that changes. parts is what parts_of returns."""

    __slots__ = ("address", "cls", "parts", "text")

    def __init__(self, value, text, parts):
        self.address, self.cls, self.text, self.parts = id(value), type(value), text, parts


def function_text(value):
    """Returns the text of a function, which contains only its name."""
    name = value.__qualname__
    if type(name) is not str:
        return values.render(value)
    text = functions.get(name)
    if text is None:
        text = values.render(value)
        if text.startswith("<function "):  # it was rendered; the stack was not full
            if len(functions) > MANY:
                functions.clear()
            functions[name] = text
    return text


def parts_of(value):
    """Returns everything that the text of a module's spec or loader depends on, or None if
    that may be more than its own attributes. Almost every module has both, and making
    their texts is slow."""
    cls = type(value)
    try:
        if cls is not ModuleSpec and module_of(cls) not in LOADERS:
            return None
        own = object.__getattribute__(value, "__dict__")
        parts = [*own, *own.values()]
        for one in own.values():
            kind = type(one)
            if kind is list and all(type(x) is str for x in one):  # others would live as long as the TextOnly
                parts += one
            elif kind not in SHORT and module_of(kind) not in LOADERS:
                return None
    except AttributeError:
        return None
    return parts


def text_only(name, value, old):
    """Returns the TextOnly of a value. It is old, the one that was recorded for the name, if
    the value and its text are the same."""
    same = old.__class__ is TextOnly and old.address == id(value) and old.cls is type(value)
    parts = parts_of(value) if name in MACHINERY else None
    if same and parts and old.parts and len(parts) == len(old.parts) and all(map(is_, parts, old.parts)):
        return old
    text = hidden_text(name, value)
    if same and old.text == text:
        old.parts = parts
        return old
    return TextOnly(value, text, parts)


def hidden_text(name, value):
    """Returns the text of a function, class, module or hidden value. The loader of a test
    runner's modules holds everything that the runner has, and is not examined."""
    kind = type(value)
    if kind is FunctionType:
        return function_text(value)
    if kind is type:
        return values.cut(values.without_addresses(type.__repr__(value)))
    if name in MACHINERY:
        loader = value
        if name == "__spec__" and type(value) is ModuleSpec:
            loader = object.__getattribute__(value, "__dict__").get("loader")
        if loader is not None and module_of(type(loader)) not in LOADERS:
            return "<%s object>" % values.name_of(type(value))
    return values.render(value)


def bind(me, name, value, known, top=True):
    """Records the value of a name of an activation if it has changed. known: some
    recorded place referred to the value all the time; top: the next event belongs to
    this activation."""
    last = me.last
    old = last.get(name, UNSEEN)
    if value is old:
        return
    kind = type(value)
    info = me.info
    slot = info.prefix.get(name)
    if slot is None:
        if info.fast or name.__class__ is not str or name == "__builtins__":
            return
        slot = info.slot(name)
    if not top and not info.fast and values.hidden(name, value):
        bind_hidden(me, name, value, old)
        return
    if atomic(value, kind):
        last[name] = value
        if not info.fast and values.hidden(name, value):
            slot = info.hiding[name]
            field = encode(values.render(value)) + END
        else:
            field = text_of(value, kind)
    elif values.defined(kind) or not info.fast and values.hidden(name, value):
        found = text_only(name, value, old)
        if found is old:
            return
        last[name] = found
        field = encode(found.text) + END
        if not info.fast:
            slot = info.hiding[name]
    else:
        e = hold(value, known)
        if e.kind.borrows:
            borrowers.add((me.number, name))
        if old is e:
            return
        last[name] = e
        field = e.field
    if not info.fast:
        touched.append(0)
    out.append(slot + field if top else SET_IN + varint(me.number) + slot[1:] + field)


def bind_hidden(me, name, value, old):
    """Records a hidden name of an activation that is not on top."""
    found = text_only(name, value, old)
    if found is not old:
        me.last[name] = found
        slot = me.info.hiding[name][1:]
        out.append(SET_HIDDEN_IN + varint(me.number) + slot + encode(found.text) + END)


def unbind(me, name, top=True):
    del me.last[name]
    slot = me.info.prefix[name][1:]
    out.append(UNSET + slot if top else UNSET_IN + varint(me.number) + slot)


def bind_all(me, found, top=True):
    """Compares all names of an activation with found, a mapping of their values."""
    last = me.last
    if me.info.fast:
        for name, value in found.items():
            bind(me, name, value, False, top)
        if len(last) != len(found):
            for name in [name for name in last if name not in found]:
                unbind(me, name, top)
        return
    for name in [name for name in last if name not in found]:
        unbind(me, name, top)
    for name, value in list(found.items()):
        bind(me, name, value, False, top)
    if top:
        in_order(me, found, len(last))


def rebind(me, names, found, top):
    """Compares some names of an activation with their values."""
    for name in names:
        value = found.get(name, UNSEEN)
        if value is not UNSEEN:
            bind(me, name, value, False, top)
        elif name in me.last:
            unbind(me, name, top)


def in_order(me, found, most):
    """Restores the order of the names of a namespace if one of the last names differs.
    most is the number of names that are compared."""
    last = me.last
    tail = [name for name in islice(reversed(found), most + 1) if name in last]
    if tail != list(islice(reversed(last), len(tail))):
        names = [name for name in found if name in last]
        if names != list(last):
            reorder(me, names)


def reorder(me, names):
    """Records the order of the names of a namespace."""
    last, prefix = me.last, me.info.prefix
    bound = [name for name in names if name in last]
    was = dict(last)
    last.clear()
    for name in bound:
        last[name] = was[name]
    out.append(ORDER + varint(len(bound)) + b"".join([prefix[name][1:] for name in bound]))


def begin(me, found, caller, resumed):
    """Records the names of an activation that begins or is resumed. Values that its
    caller's names and attributes refer to are unchanged, and so are the values that its
    own names had while it was suspended."""
    last, prefix = me.last, me.info.prefix
    free, cells = me.info.free, me.info.cells
    epoch = store.epoch
    for name, value in found.items():
        kind = type(value)
        old = last.get(name, UNSEEN)
        if kind in SHORT:
            if old is not value and name in prefix:
                last[name] = value
                out.append(prefix[name] + text_of(value, kind))
            continue
        known = name in free  # bound by lines of other functions, which were settled
        if kind not in ATOMS and not known:
            e = entries.get(id(value))
            if e is not None and e.cls is kind and e.epoch == epoch:
                if e.weak is not None:
                    if e.weak() is value and name in prefix:
                        if old is not e:
                            last[name] = e
                            out.append(prefix[name] + e.field)
                        continue
                elif old is e and resumed and name not in cells and not e.kind.borrows:
                    continue
                else:
                    known = caller is not None and held(e, value, caller)
        bind(me, name, value, known)
    if len(last) > len(found):
        for name in [name for name in last if name not in found]:
            unbind(me, name)


def held(e, value, holder):
    """Returns whether a recorded name of an activation refers to an object, directly,
    by an attribute, or as an element of a list."""
    names = holder.last.values()
    if e in names:
        return True
    address = id(value)
    there = [one for one in names if one.__class__ is Entry and not one.plain and one.shadow is not None]
    for one in there:
        if one.kind.what is ATTRIBUTES and address in one.shadow.values():
            return True
    for one in there:
        if one.kind.what is not ATTRIBUTES:
            if has_element(one, address):
                return True
            continue
        atoms = set(map(id, one.kept))  # an atom may now be at the address where a list was
        for inner in one.shadow.values():
            found = entries.get(inner) if inner not in atoms else None
            if found is not None and has_element(found, address):
                return True
    return False


def has_element(e, address):
    """Returns whether a list or tuple is recorded with an element at an address."""
    return e.shadow is not None and not e.plain and e.cls in ROWS and e.size <= LARGE and address in e.shadow
