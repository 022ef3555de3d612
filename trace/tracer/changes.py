"""Collects the records of what has changed, for each kind of event."""

from _npdb import escaped, quick, settling, store
from _npdb import render as values
from _npdb.activations import names_of, stack, traced_below
from _npdb.binding import begin, borrowers, held
from _npdb.channel import encode, put
from _npdb.codes import AMEND, EDIT, END, LINE, varint
from _npdb.effects import EVERYTHING, NOTHING
from _npdb.entries import atomic, entries, out, text_of, touched

settle = settling.settle
NUMBERS = frozenset((int, float, bool, type(None)))
noting = False  # whether a line was met that may change a value returned to it
turn = None  # called when a line is met for the first time; set by auditing


def plan(info, line):
    """Returns the record of a line event; the line's effect, which is None if there is
    nothing to examine after the line; and whether the line is an event, which it is not if
    the file does not have it."""
    global noting
    found = info.plans.get(line)
    if found is None:
        if turn is not None:
            turn()
        there = info.has(line)
        head = LINE + varint(line) if there else info.stand(line)
        effect = EVERYTHING if info.foreign else info.file.effects().at(line)
        alone = store.unknown.isdisjoint(effect.methods) and not (store.indexing and effect.subscripts)
        if effect.quiet and alone:
            effect = None
        else:
            effect.plain = alone and not (effect.level or effect.callees or effect.passed or effect.globals or effect.cells)
            quick.choose(effect)
            noting = noting or effect.answers
            effect.late = effect.late and alone
        found = info.plans[line] = head, effect, there
    return found


def at_end(frame, me):
    """Returns the records of the last line of a function, like changes."""
    effect = me.effect
    if effect is None and not (store.broken or store.restless):
        return b""
    if effect is not None and effect.quick is not None and not (store.broken or store.restless or borrowers):
        records = effect.quick(frame, me, effect)
        if records is not None:
            return records
    return changes(frame, me)


def changes(frame, me, top=True):
    """Returns the records of what has changed since the last event. top: the next event
    belongs to this activation."""
    try:
        if store.broken:
            settling.recover(frame, me, top)
        elif me.effect is not None or store.restless:
            settle(me, frame, names_of(frame, me), me.effect or NOTHING, top)
        return store.taken() if out or touched else b""
    except Exception:
        return store.lost()


def calling(frame):
    """Returns the records of what a line has changed before the call that it makes."""
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
    """Returns the records of the names of an activation that begins or is resumed."""
    try:
        if store.broken:
            settling.recover(frame, me)
        else:
            before = b""
            if not stack or id(frame.f_back) != stack[-1].address:
                store.epoch += 1  # library code called it, which may keep its arguments
                if not stack:  # no line of the program ran, whose effect would be known
                    settling.modules_again()
                    before = store.taken()
            records = quick.arguments(frame, me)
            if records is None:
                begin(me, names_of(frame, me), stack[-1] if stack else None, resumed)
            if escaped.dormant:
                escaped.wake(me)
            if escaped.objects:
                settling.settle_escaped(frame, me, False)
                store.restless = store.restless or escaped.level()
            before += records or b""
            return before + store.taken() if out or touched else before
        return store.taken() if out or touched else b""
    except Exception:
        return store.lost()


def returned(me, value):
    """Returns the records of the value that an activation returns, and its field."""
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
    """Stores the value that an activation returns, if its caller's line may change it:
    as a weak reference, or as an object that something else refers to. Both are None if
    the value is unknown."""
    for other in stack[-2:]:
        if other is not me and other.effect is not None and other.effect.answers:
            other.answers += ((me.info.code, weak, value),)


def doubt(frame):
    """Assumes that a frame's code may have changed anything since its last event."""
    for _, me in traced_below(frame):
        me.effect = EVERYTHING
        return


def unwinding(me):
    """Handles an exception: the end of a with statement may run after it."""
    if me.effect is not None and me.effect.unwinds > me.effect.level:
        me.effect = EVERYTHING


def amend(frame, me):
    """Records the user's changes as part of the last event."""
    me.effect = EVERYTHING
    records = changes(frame, me)
    put(EDIT + records + AMEND)
