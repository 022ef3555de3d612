"""Audits: after some events the tracer compares everything. It records changes that the
effect of the line that ran does not announce, and reports the line.

Two audits at consecutive events identify the line: the second one finds changes that
the first did not. From then on the effect of this line is EVERYTHING. What a single
audit finds, or one while threads run, is recorded but not attributed to a line.

While audits are due, the functions of this module replace those of the tracer that
settle lines. At other times audits cost nothing: the budget is only checked when a new
line is met or a chunk is full.
"""

from _npdb import changes as records
from _npdb import channel, contents, entries as objects, forms, library, patience, settling, store, tracer
from _npdb.activations import stack, traced_below
from _npdb.binding import UNSEEN, TextOnly, bind_all
from _npdb.codes import DELETE, ENTRY, ITEM, PARTIAL, SPLICE, TEXT, WHOLE
from _npdb.effects import ALL, EVERYTHING, QUIET
from _npdb.entries import Entry, entries, out, touched

SHARE = 0.02  # share of the recording time that audits may take if the user did not configure them
SAVED = 0.05  # maximum seconds of it that can be saved up
BURST = 32  # number of consecutive audits
LARGE = 10000  # maximum elements of a container, and
DEEP = 200  # maximum stack depth, that such an audit examines
CONTENT = frozenset((DELETE, ENTRY, ITEM, SPLICE, TEXT, WHOLE))
BESIDE = frozenset(("multiprocessing", "subprocess", "concurrent", "asyncio"))  # libraries whose objects change because of other threads and processes
# Hidden names that the compiler binds without any source line.
COMPILED = frozenset(
    """__annotate__ __annotate_func__ __annotations__ __conditional_annotations__ __classdict__ __classdictcell__ __classcell__
    __static_attributes__ __firstlineno__ __type_params__ __doc__ __qualname__ __module__""".split()
)
time = library.take("time")
clock, busy = time.perf_counter, time.thread_time

every = 0  # each n-th event is audited; 0: as the budget allows
armed = False
events = 0  # events since the last audits
left = 0  # remaining audits of this burst
restless = QUIET  # the value that store.restless would have without audits
credit = 0.0  # seconds that audits may take now
counted = 0.0  # the time at which credit was last updated
price = 0.0  # seconds of the thread's own time that the last audit took, regardless of other processes
before = None  # what the audit at the previous event examined
places = {}  # id of a frame -> its Info and line, for the two frames whose lines may continue
unsteady = set()  # values that differ at every comparison
told = set()  # (path, line) of the lines that were reported to npdb


def begin(wanted):
    """Configures audits. wanted is the number of events from one audit to the next. 0
    means as the budget allows; a negative number switches audits off."""
    global every, counted
    if wanted == 0:
        counted = busy()
        tracer.turn = records.turn = turn
    elif wanted > 0:
        every = wanted
        arm()


as_ever = records.changes, records.calling, records.beginning


def settle_by(*functions):
    """Makes the tracer call the given functions in place of its own."""
    for module in tracer, records:
        module.changes, module.calling, module.beginning = functions


def arm():
    global armed, left, restless, before
    armed, left, before = True, BURST, None
    restless, store.restless = store.restless, ALL
    settle_by(changes, calling, beginning)


def disarm():
    global armed, before
    armed, before = False, None
    places.clear()
    store.restless = restless
    settle_by(*as_ever)


def turn():
    """Is called when a chunk is full or a line is met for the first time. It starts
    audits if the budget allows."""
    global credit, counted
    now = busy()
    credit = min(SAVED, credit + SHARE * (now - counted))
    counted = now
    if not armed and credit >= min(2 * price, SAVED) and not patience.tired and len(stack) < DEEP:
        arm()


def as_usual(what, *args):
    """Calls a function of the tracer with the store.restless that it would have without
    audits."""
    global restless
    store.restless = restless
    try:
        return what(*args)
    finally:
        restless, store.restless = store.restless, ALL


def changes(frame, me, top=True):
    """Replaces changes.changes while audits are due."""
    try:
        made = as_usual(as_ever[0], frame, me, top)
        return made + audit(frame, me, top, places.get(id(frame)))
    except RecursionError:
        return no_room()


def calling(frame):
    """Replaces changes.calling while audits are due."""
    try:
        return as_usual(as_ever[1], frame)
    except RecursionError:
        return no_room()


def beginning(frame, me, resumed=False):
    """Replaces changes.beginning while audits are due. By then the changes of the
    caller's line are recorded."""
    try:
        made = as_usual(as_ever[2], frame, me, resumed)
        caller = next((back for back, _ in traced_below(frame.f_back)), None)
        return made + audit(frame, me, True, places.get(id(caller)))
    except RecursionError:
        return no_room()


def no_room():
    """Handles a full stack, because these functions nest deeper than the tracer's. The
    records so far are discarded."""
    out.clear()
    store.broken = True
    return PARTIAL


def audit(frame, me, top, ran):
    """Returns the records of the missed changes at an event, and reports the line that
    made them. ran is the Info and the number of the line that ran before the event."""
    global before, events, left, price, credit
    go_on(frame)
    events += 1
    if store.broken or events < every - 1:
        before = None
        return b""
    start, began = clock(), busy()
    factor = patience.factor
    patience.factor = None  # the audit has its own limits
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
    patience.began += clock() - start  # the audit counts neither as time on many objects nor as time on anything else
    if every:
        events %= every
    else:
        left -= 1
        credit -= price
        if left <= 0 or credit < 2 * price or before is None:
            disarm()
    return made


def calm():
    """Returns whether nothing runs beside the line, and everything is examined."""
    return not (restless == ALL or settling.threads() or patience.tired)


def go_on(frame):
    """Notes which lines may run next: that of the frame, and, when that returns, its
    caller's."""
    places.clear()
    for n, (back, me) in enumerate(traced_below(frame)):
        places[id(back)] = me.info, back.f_lineno
        if n:
            break


def compare(frame, me, top):
    """Compares everything that the stack and the modules reach with its records, nearest first, while
    time is left. Returns what was examined, as numbers of objects and ~numbers of
    activations, and the differences, each with a text for the report."""
    until = None if every else busy() + credit / 2
    seen, missed, todo = set(), {}, []
    known = objects.numbers
    for other, found in settling.reached(frame):
        was, n = dict(other.last), len(out)
        bind_all(other, found, top and other is me)
        seen.add(~other.number)
        if len(out) > n:
            changed(missed, n, known, None)
            for name in {**was, **other.last}:
                old, new = was.get(name, UNSEEN), other.last.get(name, UNSEEN)
                if old.__class__ is TextOnly is new.__class__ and old.address == new.address:
                    continue  # a hidden name, displayed by the text that it had when it was bound
                if old is not new and name not in COMPILED and not name.startswith("@"):  # pytest's assertions bind such names
                    missed[~other.number, name] = "%s of %s" % (name, other.info.code.co_name)
        todo += [(found.get(name), name) for name, e in other.last.items() if e.__class__ is Entry]
        if until is not None and busy() > until:
            return seen, missed
    for at, (value, name) in enumerate(todo):  # todo grows during the loop
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
    """Compares a known object with its record."""
    before = len(touched)
    todo = []
    contents.look(value, e, todo)
    for one in todo:
        store.walk(one, False)
    if len(touched) > before:
        store.tell(value, e)


def changed(missed, n, known, name):
    """Adds the known objects that the records from the n-th on concern to missed."""
    for record in out[n:]:
        if record[:1] in CONTENT:
            number = number_at(record)
            cls = next((e.cls for e in entries.values() if e.number == number), None)
            if number < known and cls.__module__.partition(".")[0] not in BESIDE:
                missed[number, None] = "a %s" % cls.__name__ + (" below %s" % name if name else "")


def number_at(record):
    """Returns the number of the object that a record concerns."""
    number = 0
    for n, byte in enumerate(record[1:]):
        number |= (byte & 127) << 7 * n
        if byte < 128:
            return number


def report(ran, missed):
    """Reports the changes that a line made unannounced. From now on everything is
    examined after this line."""
    if not missed or ran is None:
        return
    info, line = ran
    place = info.file.path, line
    if place in told:
        return
    told.add(place)
    info.file.effects().known[line] = EVERYTHING
    for other in [*tracer.infos.values(), *tracer.earlier.values()]:
        if other and other.file is info.file:
            other.plans.pop(line, None)
    channel.send(b"N", MISSED % (*place, " and ".join(missed[:3]) + (" and more" if len(missed) > 3 else "")))


MISSED = (
    "%s:%d changed %s, which its source did not tell npdb: what it changed so before may be shown late; from here on"
    " everything is looked at after that line"
)
