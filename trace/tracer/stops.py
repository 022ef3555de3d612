"""Records the __repr__ texts of objects at a stop, with reprs = "stops". At each stop
it calls the __repr__ of the objects that can be reached from the locals of the
innermost frame. The texts are valid for the state at which the program waits. From the
next event on the objects are recorded by their attributes again. The __repr__ is code
of the program: see render.py.
"""

from _npdb import activations, changes, contents, forms, moves, store
from _npdb import render as values
from _npdb.channel import encode, put
from _npdb.codes import EDIT, END, SHOWN, TEXT
from _npdb.contents import others
from _npdb.entries import atomic, entries

MOST = 200  # maximum number of objects visited at one stop

asked = []  # the objects whose text was recorded at this stop, and their entries


def ask(found):
    """Calls the __repr__ of the objects of the innermost frame, and records the texts as of
    the last event."""
    frame = found[0] if found else None
    me = activations.activation_of(frame) if frame is not None else None
    if me is None or store.broken or moves.unrecorded.running:
        return
    records = []
    todo = [x for x in activations.names_of(frame, me).values() if not atomic(x, type(x)) and not values.defined(type(x))]
    seen = set()
    for value in todo:  # todo grows during the loop
        e = entries.get(id(value))
        if len(seen) >= MOST:
            break
        if id(value) in seen or e is None or e.cls is not type(value) or e.shadow is None:
            continue
        seen.add(id(value))
        text = said(value) if e.kind.form(value)[9] else None
        if text is None:
            todo += others(value, e)
        else:
            asked.append((value, e))
            records.append(TEXT + e.field[1:] + encode(text) + END)
    if records:
        put(EDIT + b"".join(records) + SHOWN)
    if asked:
        changes.doubt(frame)  # a __repr__ may have changed anything


def said(value):
    moves.evaluating = True
    try:
        return forms.own_text(value)
    finally:
        moves.evaluating = False


def withdraw():
    """Records the objects by their attributes again, from the next event on."""
    for value, e in asked:
        if e.cls is type(value):
            todo = []
            contents.whole(value, e, todo)
            for one in todo:
                store.walk(one, False)
    asked.clear()
