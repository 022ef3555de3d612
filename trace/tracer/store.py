"""The records of the program's objects: updates them, collects them for writing, and
starts over after a failure.
"""

from _npdb import callees, contents, entries as objects, forms, patience
from _npdb import render as values
from _npdb.codes import PARTIAL
from _npdb.contents import look, met, numbered_forms, others, renew, whole
from _npdb.entries import enter, entries, out, touched
from _npdb.known import READ

Member = type(type("", (), {"__slots__": ("a",)}).a)

SHOWING = frozenset(("__repr__", "__str__", "__format__", "__getattribute__"))  # methods that determine how an object is displayed

epoch = 0  # counts how often anything may have changed
distrusted = 0  # number of classes whose __repr__ must not be called
# What is examined after each line: QUIET, nothing more; ESCAPED, the objects of escaped; ALL,
# everything, for example because other threads were running.
restless = 0
broken = False  # the shadows may differ from what was written
written = (0, 0)  # number of entries and forms that npdb knows
unknown = set()  # names of methods that may change anything, over all types seen
indexing = set()  # types seen for which [] may change the object
inserting = set()  # those of them for which [] changes only the object itself
making = False  # a type was seen for which [] may make a new object
slotted = set()  # types seen with attributes in slots
on_news = None  # called when these sets grow; set by usercode
keeper = None  # entries of values that names referred to without interruption
on_taking = None  # called before records are taken; set by forgetting
finalizers = False  # a class with a __del__ was seen
telling = None  # the module that calls __repr__ of objects; set by itself


def hold(value, known=False):
    """Returns the entry of a value that is not an atom, and records its current
    content. known: a recorded place referred to it without interruption; READ, if it is not
    one of the constants that reading an attribute makes."""
    e = entries.get(id(value))
    if e is not None and e.cls is type(value):
        if e.weak is not None:
            if e.epoch == epoch and e.weak() is value:
                return e
        elif known and e.epoch == epoch and (known != READ or e.kind.what is not forms.TEXT):
            return e
    walk(value, False)
    return e if e is not None else entries[id(value)]


def certain(value):
    """Returns whether an object is known to be the same as the one last examined,
    unchanged since."""
    e = entries.get(id(value))
    if e is None or e.epoch != epoch or e.cls is not type(value):
        return False
    return e.weak() is value if e.weak is not None else keeper is not None and e in keeper


def walk(value, deep):
    """Updates the records of a value and the objects that it reaches: all of them if
    deep, otherwise those that may have been replaced by others."""
    todo = [value]
    seen = set()
    left = most = 20 if patience.tired else patience.OBJECTS
    for value in todo:  # todo grows during the loop
        left -= 1
        if left < 0:
            if not patience.patient():
                break
            left = most
        address = id(value)
        if address in seen:
            continue
        seen.add(address)
        e = entries.get(address)
        if e is None:
            e = enter(value)
        known = e.cls is type(value) and e.shadow is not None
        if not known or e.weak is not None and e.weak() is not value:
            renew(value, e, todo)
            tell(value, e)
            e.epoch = epoch
            continue
        stale = e.epoch != epoch
        if not deep and not stale and (e.weak is not None or keeper is not None and e in keeper):
            continue
        before = len(touched)
        look(value, e, todo)
        if len(touched) > before:
            tell(value, e)
        if (deep or stale or e.weak is None) and not e.plain and (e.size <= patience.LARGE or patience.patient()):
            if deep:
                todo += others(value, e)
            else:
                todo += [x for x in others(value, e) if not certain(x)]
        e.epoch = epoch


def tell(value, e):
    """Computes the text of an object at once if it has no weak reference to find it
    again."""
    if e.weak is None and e.kind.asks is not None and e.kind.what is not forms.TEXT:
        telling.say(value, e)


def meet(cls, kind):
    """Notes what library code of a class may change."""
    global finalizers, making
    met.add(cls)
    names, items = callees.changes(cls)
    making = making or callees.makes_items(cls)
    finalizers = finalizers or type(forms.lookup(cls, "__del__")) is values.FunctionType
    for c in values.mro_of(cls):
        if any(type(member) is Member for member in values.dict_of(c).values()):
            slotted.add(cls)
    if kind.asks is not None and kind.asks != "constant":
        telling.needed = True
    if items:
        indexing.add(cls)
        if cls.__module__ == "collections":
            inserting.add(cls)
    if items or not names <= unknown:
        unknown.update(names)
        on_news()


def described(cls, name):
    """Handles the setting of an attribute of a class. If that changes how its objects are
    shown, they are recorded again."""
    if name not in SHOWING and forms.lookup(type(values.dict_of(cls).get(name)), "__set__") is None:
        return
    kinds = forms.forget(cls)
    for e in list(entries.values()):
        if e.kind in kinds:
            e.cls = None  # it is recorded again when it is next seen
            value = e.weak() if e.weak is not None else None
            if value is not None and type(value) is e.kind.cls:
                walk(value, False)


def fallen():
    """Handles a __repr__ that must not be called any more: its objects are displayed by
    their attributes."""
    global distrusted
    distrusted = len(values.distrusted)
    kinds = forms.refused()
    for address, e in list(entries.items()):
        if e.kind in kinds and e.weak is not None:
            value = e.weak()
            if value is not None and type(value) is e.cls:
                todo = []
                whole(value, e, todo)
                for one in todo:
                    walk(one, False)
                touched.append(address)


def lost():
    """Handles a failed comparison: the stack was full, or another thread changed a
    value meanwhile. Returns a record that says so. Everything is examined at the next
    event."""
    global broken
    out.clear()
    broken = True
    return PARTIAL


def taken():
    """Returns the records since the last event, and marks them as written."""
    global written
    objects.told = 0
    if touched:
        if telling.needed:
            telling.ask_again()
        touched.clear()
    if patience.since is not None:
        patience.rest()
    if not out:
        return b""
    if on_taking is not None:
        on_taking()
    records = b"".join(out)
    out.clear()
    written = objects.numbers, len(numbered_forms)
    return records


def forget():
    """Forgets all shadows, so that each object is recorded again when it is next
    examined. Entries that npdb does not know are deleted."""
    global broken, epoch
    out.clear()
    touched.clear()
    known, known_forms = written
    for address, e in list(entries.items()):
        if e.number >= known:
            del entries[address]
        else:
            e.cls = e.weak = e.shadow = e.text = e.kept = None
    for form, number in list(numbered_forms.items()):
        if number >= known_forms:
            del numbered_forms[form]
    objects.numbers = known
    epoch += 1
    broken = False


def let_go():
    """Releases the program's classes when it has ended, and with them the names of its
    modules, so that its objects end as usual when the interpreter exits."""
    for one in (objects.long_slots, objects.long_atoms, entries, met, indexing, inserting, forms.kinds, callees.seen, touched):
        one.clear()


contents.on_meeting = meet
