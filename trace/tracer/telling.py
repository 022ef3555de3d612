"""Objects that say themselves what they look like: when their __repr__ is asked,
and asked again.

A __repr__ that is user code may read more than its own object: of each it is
known from its source what it reads. One that reads its own attributes is asked
when they change, one that reads what these reach when any of that changes, and
all others when anything does.
"""

import sys

from _npdb import contents, forms, store
from _npdb import render as values
from _npdb.channel import encode
from _npdb.codes import END, TEXT
from _npdb.contents import others
from _npdb.entries import atomic, entries, out, touched
from _npdb.forms import ATTRIBUTES

MOST = 200  # objects that a __repr__ may reach without being asked at every change

asking = {}  # address -> weak reference, of objects that are asked at every change
readers = {}  # address -> addresses of objects whose text was made from it


needed = False  # whether an object was seen that has to be asked


def say(value, e):
    """Asks an object of a __repr__ of its own for its text; whether that is another."""
    before = e.text
    text = e.kind.text(value)
    if len(values.distrusted) != store.distrusted:
        store.fallen()
        return True
    if text == before:
        again = False
    else:
        again = True
        if text is None:  # shown by its content again
            todo = []
            contents.whole(value, e, todo)
            for one in todo:
                store.walk(one, False)
        else:
            e.text = text
            out.append(TEXT + e.field[1:] + encode(text) + END)
    if e.weak is not None and asking.get(id(value)) is e.weak:
        return again  # it is asked whatever changes
    depends, names = reads(e.kind, e.cls)
    if depends == "own" or depends == "reach" and watch(value, e, names):
        return again
    ask_always(id(value), e)
    return again


def ask_always(address, e):
    """Has an object asked at every change, as long as there are not too many."""
    if e.weak is not None and (len(asking) < MOST or address in asking):
        asking[address] = e.weak


def reads(kind, cls):
    """What the __repr__ of a class reads: "own", "reach" or "any", and the names of
    the attributes, None for all."""
    function = values.member_of(cls, "__repr__")
    code = getattr(function, "__code__", None)
    if code is None:
        return "any", None
    return reading(code)


def watch(value, e, names):
    """Notes that an object's text depends on all that its attributes reach; False
    where that is much."""
    found = {id(value)}
    if names is None or e.kind.what is not ATTRIBUTES:
        todo = others(value, e)
    else:
        todo = [x for n, x in e.kind.members(value).items() if n in names and not atomic(x, type(x))]
    for one in todo:  # grows
        if id(one) in found:
            continue
        found.add(id(one))
        if len(found) > MOST:
            return False
        inner = entries.get(id(one))
        if inner is None or inner.cls is not type(one):
            inner = store.hold(one)
        todo += others(one, inner)
    found.discard(id(value))
    for address in found:
        readers.setdefault(address, set()).add(id(value))
    return True


def ask_again():
    """After changes: objects that may look different by them are asked."""
    if not asking and not readers:
        for address in touched:
            e = entries.get(address)
            if e is not None and (e.kind is None or e.kind.asks is not None):
                break
        else:
            return  # as nearly always
    asked = {}
    touched.extend(asking)
    for address in touched:  # grows by those whose text is another
        for one in (address, *readers.pop(address, ())):
            if asked.get(one, 0) < 2:  # its own change, and that of what it shows
                asked[one] = asked.get(one, 0) + 1
                again(one)


def again(address):
    """Asks the object at an address, if it is one that is asked."""
    e = entries.get(address)
    value = e.weak() if e is not None and e.weak is not None else None
    if value is None or e.cls is not type(value) or e.shadow is None:
        asking.pop(address, None)
        return
    kind = e.kind
    if kind.asks is None or kind.asks == "constant":
        return
    if kind.what is forms.TEXT:
        contents.look(value, e, [])
    elif say(value, e):
        touched.append(address)


def of_class(cls):
    """An attribute of a class has changed: its objects are asked."""
    for address, e in list(entries.items()):
        if e.cls is not None and e.kind.asks is not None and any(c is cls for c in values.mro_of(e.cls)):
            again(address)


reading = None  # what the __repr__ of a code object reads; set by usercode
store.telling = sys.modules[__name__]
