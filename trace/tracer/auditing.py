"""Audits: after some events everything is looked at, and what has changed though the
effect of the line that ran does not say so is told, and recorded.

Two audits at events that follow each other tell which line it was: what the second
one finds was as recorded at the first. That line's effect is everything from then
on. What a single one finds, or one beside threads, is recorded and no line's.

While audits are due the functions of the tracer that settle lines are the ones here.
At all other times they cost nothing: new lines and full chunks are what has a look
at the budget.
"""

from _npdb import changes as records
from _npdb import channel, contents, entries as objects, forms, library, patience, settling, store, tracer
from _npdb.activations import names_of, stack, traced_below
from _npdb.binding import UNSEEN, Told, bind_all
from _npdb.codes import DELETE, ENTRY, ITEM, PARTIAL, SPLICE, TEXT, WHOLE
from _npdb.effects import EVERYTHING
from _npdb.entries import Entry, entries, out, touched

SHARE = 0.02  # of the time that a program is recorded, for audits that nobody asked for
SAVED = 0.05  # s of it at most that are saved up
BURST = 32  # audits, one after the other
LARGE = 10000  # elements, and
DEEP = 200  # activations that such an audit does not go into
CONTENT = frozenset((DELETE, ENTRY, ITEM, SPLICE, TEXT, WHOLE))
BESIDE = frozenset(("multiprocessing", "subprocess", "concurrent", "asyncio"))  # whose objects show what runs beside
# Hidden names that the compiler binds, of which no line tells.
COMPILED = frozenset(
    """__annotate__ __annotate_func__ __annotations__ __conditional_annotations__ __classdict__ __classdictcell__ __classcell__
    __static_attributes__ __firstlineno__ __type_params__ __doc__ __qualname__ __module__""".split()
)
time = library.take("time")
clock, busy = time.perf_counter, time.thread_time

every = 0  # each n-th event is audited; 0: as the budget has it
armed = False
events = 0  # since the audits before the last one
left = 0  # audits of this burst
restless = False  # what store.restless is while audits are due
credit = 0.0  # s that audits may take now
counted = 0.0  # the time up to which it was counted
price = 0.0  # s that the last audit took of the thread: what else the machine does is not its cost
before = None  # the audit at the event before: what it looked at
places = {}  # id of a frame -> its Info and line: of the two whose lines may go on
unsteady = set()  # what looks otherwise each time
told = set()  # (path, line) of lines that npdb was told of


def begin(wanted):
    """wanted: the events from one audit to the next; 0 has them as the budget allows, a
    number below has none."""
    global every, counted
    if wanted == 0:
        counted = busy()
        tracer.turn = records.turn = turn
    elif wanted > 0:
        every = wanted
        arm()


as_ever = records.changes, records.calling, records.beginning


def settle_by(*functions):
    """Has the tracer call functions in the place of its own."""
    for module in tracer, records:
        module.changes, module.calling, module.beginning = functions


def arm():
    global armed, left, restless, before
    armed, left, before = True, BURST, None
    restless, store.restless = store.restless, True
    settle_by(changes, calling, beginning)


def disarm():
    global armed, before
    armed, before = False, None
    places.clear()
    store.restless = restless
    settle_by(*as_ever)


def turn():
    """A chunk is full, or a line is met for the first time: if there is time, audits
    are due."""
    global credit, counted
    now = busy()
    credit = min(SAVED, credit + SHARE * (now - counted))
    counted = now
    if not armed and credit >= min(2 * price, SAVED) and not patience.tired and len(stack) < DEEP:
        arm()


def as_usual(what, *args):
    """What the tracer itself does."""
    global restless
    store.restless = restless
    try:
        return what(*args)
    finally:
        restless, store.restless = store.restless, True


def changes(frame, me, top=True):
    """The tracer's while audits are due."""
    try:
        made = as_usual(as_ever[0], frame, me, top)
        return made + audit(frame, me, top, places.get(id(frame)))
    except RecursionError:
        return no_room()


def calling(frame):
    """The tracer's while audits are due."""
    try:
        return as_usual(as_ever[1], frame)
    except RecursionError:
        return no_room()


def beginning(frame, me, resumed=False):
    """The tracer's while audits are due: what the caller's line has changed is
    recorded by then."""
    try:
        made = as_usual(as_ever[2], frame, me, resumed)
        caller = next((back for back, _ in traced_below(frame.f_back)), None)
        return made + audit(frame, me, True, places.get(id(caller)))
    except RecursionError:
        return no_room()


def no_room():
    """On the stack, for what lies deeper here than in the tracer: what was seen is lost."""
    out.clear()
    store.broken = True
    return PARTIAL


def audit(frame, me, top, ran):
    """The records of what was missed at an event; tells of the line that changed it.
    ran: the Info and the number of the line that ran before the event."""
    global before, events, left, price, credit
    go_on(frame)
    events += 1
    if store.broken or events < every - 1:
        before = None
        return b""
    start, began = clock(), busy()
    factor = patience.factor
    patience.factor = None  # what is to be looked at is bounded here
    try:
        if every:
            tracer.with_room(True)
        seen, missed = compare(frame, me, top)
        if missed:
            again = compare(frame, me, top)[1]
            unsteady.update(again)
            if before is not None and calm():
                report(ran, [what for key, what in missed.items() if key not in unsteady and key[0] in before])
        before = seen if calm() else None
        made = store.taken()
    except Exception:
        before = None
        made = store.lost()
    patience.factor = factor
    if every:
        tracer.with_room(False)
    price = busy() - began
    patience.began += clock() - start  # neither what looking at many objects took nor what it is a share of
    if every:
        events %= every
    else:
        left -= 1
        credit -= price
        if left <= 0 or credit < 2 * price or before is None:
            disarm()
    return made


def calm():
    """Whether nothing runs beside the line, and all is looked at."""
    return not (restless or settling.threads() or patience.tired)


def go_on(frame):
    """Notes which lines may run next: the frame's, and where it ends its caller's."""
    places.clear()
    for n, (back, me) in enumerate(traced_below(frame)):
        places[id(back)] = me.info, back.f_lineno
        if n:
            break


def compare(frame, me, top):
    """Looks at all that the stack reaches, what is near first: as long as there is
    time. Returns what was looked at, as numbers of objects and ~numbers of
    activations, and what was another than it is recorded to be, each with how to
    say so."""
    until = None if every else busy() + credit / 2
    seen, missed, todo = set(), {}, []
    known = objects.numbers
    for back, other in traced_below(frame):
        found = names_of(back, other)
        was, n = dict(other.last), len(out)
        bind_all(other, found, top and other is me)
        seen.add(~other.number)
        if len(out) > n:
            changed(missed, n, known, None)
            for name in {**was, **other.last}:
                old, new = was.get(name, UNSEEN), other.last.get(name, UNSEEN)
                if old.__class__ is Told is new.__class__ and old.address == new.address:
                    continue  # a hidden name, shown by its text as it was bound
                if old is not new and name not in COMPILED:
                    missed[~other.number, name] = "%s of %s" % (name, other.info.code.co_name)
        todo += [(found.get(name), name) for name, e in other.last.items() if e.__class__ is Entry]
        if until is not None and busy() > until:
            return seen, missed
    for at, (value, name) in enumerate(todo):  # grows
        if until is not None and not at & 63 and busy() > until:
            break
        e = entries.get(id(value))
        n = len(out)
        if e is None or e.cls is not type(value) or e.shadow is None or e.weak is not None and e.weak() is not value:
            store.walk(value, False)
            e = entries[id(value)]
        elif e.number in seen or until is not None and (e.size > LARGE or e.kind.what is forms.TEXT):
            continue
        else:
            look(value, e)
        seen.add(e.number)
        if len(out) > n:
            changed(missed, n, known, name)
        if not e.plain:
            todo += [(x, name) for x in contents.others(value, e)]
    return seen, missed


def look(value, e):
    """Compares a known object with what is recorded of it."""
    before = len(touched)
    todo = []
    contents.look(value, e, todo)
    for one in todo:
        store.walk(one, False)
    if len(touched) > before:
        store.tell(value, e)


def changed(missed, n, known, name):
    """Notes which known objects the records from the n-th on are of."""
    for record in out[n:]:
        if record[:1] in CONTENT:
            number = number_at(record)
            cls = next((e.cls for e in entries.values() if e.number == number), None)
            if number < known and cls.__module__.partition(".")[0] not in BESIDE:
                missed[number, None] = "a %s" % cls.__name__ + (" below %s" % name if name else "")


def number_at(record):
    """The number of the object that a record is of."""
    number = 0
    for n, byte in enumerate(record[1:]):
        number |= (byte & 127) << 7 * n
        if byte < 128:
            return number


def report(ran, missed):
    """Tells of what a line has changed; from now on everything is looked at after it."""
    if not missed or ran is None:
        return
    info, line = ran
    place = info.file.path, line
    if place in told:
        return
    told.add(place)
    info.file.effects().known[line] = EVERYTHING
    for other in tracer.infos.values():
        if other and other.file is info.file:
            other.plans.pop(line, None)
    channel.send(b"N", MISSED % (*place, " and ".join(missed[:3]) + (" and more" if len(missed) > 3 else "")))


MISSED = (
    "%s:%d changed %s, which its source did not tell npdb: what it changed so before may be shown late; from here on"
    " everything is looked at after that line"
)
