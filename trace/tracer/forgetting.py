"""Forgets objects that no recorded name reaches any more, so that a recording of the newest
events does not need more memory the longer the program runs. It is loaded for such
recordings only.

From time to time a turn searches all objects that recorded names reach. An object is
forgotten at the second turn that does not reach it, and only if the tracer did not examine
it in between: one turn is not enough, because an activation that begins is not on the stack
yet. The number of a forgotten object is given to another object, as when a new object has
the address of a freed one. A forgotten object that is seen again gets a new number.
"""

from _npdb import channel, entries as objects, escaped, forms, store, tracer
from _npdb.entries import Entry, entries

least = limit = 0  # number of objects at which a turn forgets some: its minimum, and its current value
AWHILE = 16  # takings in which at least one event ends: an event takes its records in fewer steps
takings = 0  # times that records were taken since the last turn
turned = False  # whether the last turn was inside an event, whose record may not be written yet
suspects = set()  # addresses of the objects that the last turn did not reach


def begin(wanted):
    global least, limit
    least = limit = wanted
    tracer.forget_objects = at_event
    store.on_taking = at_taking


def at_taking():
    """Called when the records of a change are taken. It is needed beside at_event, because often a
    text fills a chunk and not the record of an event."""
    global takings, turned
    takings += 1
    if channel.filled and takings >= AWHILE:
        takings, turned = 0, True
        turn()


def at_event():
    """Called when the record of an event fills a chunk."""
    global turned
    if turned:
        turned = False
    else:
        turn()


def turn():
    """Forgets the objects that two turns did not reach, if there are limit objects or more."""
    global limit, suspects
    channel.filled = False
    if len(entries) < limit:
        return
    reached = reach()
    unreached = set()
    for address, e in list(entries.items()):
        if id(e) in reached:
            continue
        if e.epoch == -1 and address in suspects:
            del entries[address]
            objects.spare.append(e.number)
        else:
            e.epoch = -1  # so that it is examined when it is seen again, which sets epoch
            unreached.add(address)
    suspects = unreached
    if not unreached or len(entries) < limit // 2:
        limit = max(least, 2 * (len(entries) - len(unreached)))


def reach():
    """Returns the ids of the entries that the names on the stack and of modules reach."""
    todo = [e for me in escaped.holders() for e in me.last.values() if e.__class__ is Entry]
    reached = set(map(id, todo))
    for e in todo:  # todo grows during the loop
        for address in inside(e):
            one = entries.get(address)
            if one is not None and id(one) not in reached:
                reached.add(id(one))
                todo.append(one)
    return reached


def inside(e):
    """Returns the addresses of the recorded elements of an object, and of the keys of a dict."""
    found = [address for _, address in escaped.inside(e)]
    if found and e.kind.what is forms.DICT and type(e.shadow) is list:
        found += e.shadow[0]
    return found
