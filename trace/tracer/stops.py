"""The texts that objects give at a stop, with reprs = "stops": the objects that the names
of the innermost frame reach are asked for their __repr__ where the move lands. The texts
belong to the state at which the program waits; with the next move the objects are told by
their attributes again. The __repr__ is code of the program, watched as render.py says.
"""

from _npdb import activations, changes, contents, forms, moves, store
from _npdb import render as values
from _npdb.channel import encode, put
from _npdb.codes import EDIT, END, SHOWN, TEXT
from _npdb.contents import others
from _npdb.entries import atomic, entries

MOST = 200  # objects that are looked at, at one stop

asked = []  # the objects that gave a text at this stop, and their entries


def ask(found):
    """Asks the objects of the innermost of some frames, and records their texts as of the
    last event."""
    frame = found[0] if found else None
    me = activations.activation_of(frame) if frame is not None else None
    if me is None or store.broken or moves.unrecorded.running:
        return
    records = []
    todo = [x for x in activations.names_of(frame, me).values() if not atomic(x, type(x)) and not values.defined(type(x))]
    seen = set()
    for value in todo:  # grows
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
        changes.doubt(frame)  # what was asked may have changed anything


def said(value):
    moves.evaluating = True
    try:
        return forms.own_text(value)
    finally:
        moves.evaluating = False


def withdraw():
    """Has the objects told by their attributes again, from the next event on."""
    for value, e in asked:
        if e.cls is type(value):
            todo = []
            contents.whole(value, e, todo)
            for one in todo:
                store.walk(one, False)
    asked.clear()
