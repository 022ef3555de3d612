"""Objects displayed by their own __repr__: when it is called, and when it is called
again.

A __repr__ in user code may read more than its own object. Its source shows what it
reads. If it only reads its own attributes, it is called when these change. If it reads
objects that these reach, it is called when any of those changes. Any other __repr__ is
called whenever anything changes.
"""

import sys

from _npdb import contents, forms, library, store
from _npdb import render as values
from _npdb.channel import encode
from _npdb.codes import END, TEXT
from _npdb.contents import others
from _npdb.entries import atomic, entries, out, touched
from _npdb.forms import ATTRIBUTES

partial = library.take("_functools").partial
MOST = 200  # maximum objects that a __repr__ may reach without being called at every change

asking = {}  # address -> weak reference, of objects whose __repr__ is called at every change
readers = {}  # address -> addresses of objects whose text depends on it


needed = False  # whether an object was seen whose __repr__ must be called


def say(value, e):
    """Calls the own __repr__ of an object. Returns whether the text has changed."""
    before = e.text
    text = e.kind.text(value)
    if len(values.distrusted) != store.distrusted:
        store.fallen()
        return True
    if text == before:
        again = False
    else:
        again = True
        if text is None:  # displayed by its content again
            todo = []
            contents.whole(value, e, todo)
            for one in todo:
                store.walk(one, False)
        else:
            e.text = text
            out.append(TEXT + e.field[1:] + encode(text) + END)
    if e.weak is not None and asking.get(id(value)) is e.weak:
        return again  # it is called at every change anyway
    depends, names = reads(e.kind, e.cls)
    if depends == "own" or depends == "reach" and watch(value, e, names):
        return again
    ask_always(id(value), e)
    return again


def ask_always(address, e):
    """Marks an object for a call at every change, unless there are too many such
    objects."""
    if e.weak is not None and (len(asking) < MOST or address in asking):
        asking[address] = e.weak


def reads(kind, cls):
    """Returns what the __repr__ of a class reads: "own", "reach" or "any", and the
    names of the attributes, None for all."""
    function = values.member_of(cls, "__repr__")
    code = getattr(function, "__code__", None)
    if code is None:
        return "any", None
    return reading(code)


def watch(value, e, names):
    """Notes that an object's text depends on everything that its attributes reach.
    Returns False if that is too much."""
    found = {id(value)}
    if names is None or e.kind.what is not ATTRIBUTES:
        todo = others(value, e)
        if type(value) is partial:
            todo = [x for x in (*value.args, *value.keywords.values()) if not atomic(x, type(x))]
    else:
        todo = [x for n, x in e.kind.members(value).items() if n in names and not atomic(x, type(x))]
    for one in todo:  # todo grows during the loop
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
    """Calls the __repr__ of the objects whose text may have changed because of changes
    of other objects."""
    if not asking and not readers:
        for address in touched:
            e = entries.get(address)
            if e is not None and (e.kind is None or e.kind.asks is not None):
                break
        else:
            return  # the usual case
    asked = {}
    touched.extend(asking)
    for address in touched:  # grows by the objects whose text has changed
        for one in (address, *readers.pop(address, ())):
            if asked.get(one, 0) < 2:  # once for its own change, and once for objects that it displays
                asked[one] = asked.get(one, 0) + 1
                again(one)


def again(address):
    """Calls the __repr__ of the object at an address, if its kind needs that."""
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
        if type(value) is partial and not watch(value, e, None):  # its text shows its arguments
            ask_always(address, e)
    elif say(value, e):
        touched.append(address)


def of_class(cls):
    """Handles a changed attribute of a class: the __repr__ of its objects is called."""
    for address, e in list(entries.items()):
        if e.cls is not None and e.kind.asks is not None and any(c is cls for c in values.mro_of(e.cls)):
            again(address)


reading = None  # returns what the __repr__ of a code object reads; set by usercode
store.telling = sys.modules[__name__]
