"""The records of what has changed, for each kind of event."""

from _npdb import quick, settling, store
from _npdb import render as values
from _npdb.activations import names_of, stack, traced_below
from _npdb.binding import begin, borrowers, held
from _npdb.channel import encode, put
from _npdb.codes import AMEND, EDIT, END, LINE, varint
from _npdb.effects import EVERYTHING, NOTHING
from _npdb.entries import atomic, entries, out, text_of, touched

settle = settling.settle
NUMBERS = frozenset((int, float, bool, type(None)))
noting = False  # whether a line was met that may change what is returned to it
turn = None  # called where a line is met for the first time; set by auditing


def plan(info, line):
    """The record of a line event, empty where the file lacks the line, and the
    line's effect, None where there is nothing to look at after it."""
    global noting
    found = info.plans.get(line)
    if found is None:
        if turn is not None:
            turn()
        head = LINE + varint(line) if info.has(line) else b""
        effect = EVERYTHING if info.foreign else info.file.effects().at(line)
        alone = store.unknown.isdisjoint(effect.methods) and not (store.indexing and effect.subscripts)
        if effect.quiet and alone:
            effect = None
        else:
            effect.plain = alone and not (effect.level or effect.callees or effect.globals or effect.cells)
            quick.choose(effect)
            noting = noting or effect.answers
            effect.late = effect.late and alone
        found = info.plans[line] = head, effect
    return found


def at_end(frame, me):
    """The same of the last line of a function."""
    effect = me.effect
    if effect is None and not (store.broken or store.restless):
        return b""
    if effect is not None and effect.quick is not None and not (store.broken or store.restless or borrowers):
        records = effect.quick(frame, me, effect)
        if records is not None:
            return records
    return changes(frame, me)


def changes(frame, me, top=True):
    """The records of what has changed since the last event. top: an event of this
    activation follows."""
    try:
        if store.broken:
            settling.recover(frame, me, top)
        elif me.effect is not None or store.restless:
            settle(me, frame, names_of(frame, me), me.effect or NOTHING, top)
        return store.taken() if out or touched else b""
    except Exception:
        return store.lost()


def calling(frame):
    """The records of what the line that makes a call has changed by then."""
    if not stack or store.broken:
        return b""
    top = stack[-1]
    effect = top.effect
    if effect is None:
        return b""
    try:
        back = frame.f_back
        if id(back) != top.address:
            back, me = next(traced_below(back), (None, None))
            if me is not top:
                return b""
        if effect.late and not store.restless and not top.info.stores(back.f_lasti):
            return b""
        if top.info.fast and effect.quick is not None and not (effect.names or store.restless or borrowers):
            before = effect.quick(back, top, effect)
            if before is not None:
                return before
        settle(top, back, names_of(back, top), effect, False)
        return store.taken() if out or touched else b""
    except Exception:
        return store.lost()


def beginning(frame, me, resumed=False):
    """The records of the names of an activation that begins or is resumed."""
    try:
        if store.broken:
            settling.recover(frame, me)
        else:
            if not stack or id(frame.f_back) != stack[-1].address:
                store.epoch += 1  # code of the library's called it, which may hold what it is given
            records = quick.arguments(frame, me)
            if records is not None:
                return records
            begin(me, names_of(frame, me), stack[-1] if stack else None, resumed)
        return store.taken() if out or touched else b""
    except Exception:
        return store.lost()


def returned(me, value):
    """The records of what an activation returns, and its field."""
    try:
        kind = type(value)
        if atomic(value, kind):
            return b"", text_of(value, kind)
        if not store.broken and not values.defined(kind):
            e = entries.get(id(value))
            known = e is not None and e.weak is None and held(e, value, me)
            there = e is not None and e.cls is kind and e.shadow is not None
            e = store.hold(value, known)
            if noting:
                answer(me, e.weak, value if there and e.weak is None else None)
            return store.taken() if out or touched else b"", e.field
    except Exception:
        out.clear()
        store.broken = True
    if noting:
        answer(me, None, None)
    return b"", encode(values.render(value)) + END


def answer(me, weak, value):
    """Notes what an activation returns to a line that may change it: by a weak reference,
    or as what something else holds too; neither where that is not known."""
    for other in stack[-2:]:
        if other is not me and other.effect is not None and other.effect.answers:
            other.answers += ((me.info.code, weak, value),)


def doubt(frame):
    """What a frame's code has done since its last event is not known."""
    for _, me in traced_below(frame):
        me.effect = EVERYTHING
        return


def unwinding(me):
    """After an exception the end of a with statement may run."""
    if me.effect is not None and me.effect.unwinds > me.effect.level:
        me.effect = EVERYTHING


def amend(frame, me):
    """Records what the user changed as part of the last event."""
    me.effect = EVERYTHING
    records = changes(frame, me)
    put(EDIT + records + AMEND)
