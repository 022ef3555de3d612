"""The common cases of what has changed, each in one function: most of the time of a
recording is spent on function calls.

Each function returns the records, or None if its case does not apply. Then everything
must be examined, and the records collected until then stay in out.
"""

from _npdb import changing, store, telling
from _npdb.activations import names_of
from _npdb.binding import FunctionType, TextOnly, function_text
from _npdb.channel import encode
from _npdb.codes import END, ENTRY
from _npdb.contents import MISSING, by_address, keep
from _npdb.entries import ATOMS, MANY, Entry, entries, long_field, long_slots, out, text_of, touched
from _npdb.forms import ATTRIBUTES, TEXT
from _npdb.known import READ
from _npdb.render import limits
from _npdb.settling import NOT_THERE, again, by_own_code, threads

SINGLE = ["item"], ["delete"], ["call"], ["look"]
SET_AGAIN = (["item", "value"],)
NUMBERS = frozenset((int, float, bool, type(None)))
attributes_of = object.__getattribute__


def choose(effect):
    """Chooses the function for an effect."""
    effect.quick = None
    if not effect.plain:
        return
    places = effect.places
    kinds = [what for what, _, _ in places]
    if all(what == "value" and own for what, _, own in places):
        effect.quick = names_only
    elif not effect.names and kinds in (["attribute"], ["attribute", "value"]):
        _, where, name = places[0]
        effect.attribute = where, name, encode(name) + END
        effect.quick = attribute_only
    elif effect.single and not effect.names and kinds in SINGLE:
        effect.quick = place_only
    elif not effect.repeats and not effect.names and kinds in SET_AGAIN:
        effect.quick = place_only


def names_only(frame, me, effect):
    """Handles a line of a function that binds names to numbers, texts and known
    objects."""
    last, prefix = me.last, me.info.prefix
    records = b""
    try:
        found = names_of(frame, me) if me.info.notices else frame.f_locals
        for name, known in effect.names:
            value = found.get(name, out)
            old = last.get(name, out)
            if value is old:
                continue
            kind = type(value)
            if old.__class__ is Entry and (store.finalizers or effect.places):
                break  # the old object's end may have run without an event; or it was changed in place
            if kind in NUMBERS:
                records += prefix[name] + (text_of(value, kind) if long_slots else repr(value).encode() + END)
                last[name] = value
                continue
            if kind is str:
                records += prefix[name] + text_of(value, kind)
                last[name] = value
                continue
            e = entries.get(id(value))
            if e is None or effect.places or e.cls is not kind or e.epoch != store.epoch:
                break
            if e.weak is None:
                if not known or e.kind.borrows:
                    break
                if e.kind.what is TEXT and (known == READ or store.making and effect.subscripts):
                    break
            elif e.weak() is not value:
                break
            if old is not e:
                records += prefix[name] + e.field
                last[name] = e
        else:
            return records
    except (KeyError, ValueError, RecursionError, MemoryError):
        pass  # the name is not a local of its own; sys.get_int_max_str_digits; the stack is full
    if records:
        out.append(records)
    return None


def attribute_only(frame, me, effect):
    """Handles a line that sets one attribute of a known object to a number, text or
    known object."""
    where, name, field = effect.attribute
    if threads():
        return None
    try:
        value = where(names_of(frame, me) if me.info.notices else frame.f_locals, frame.f_globals)
        e = entries.get(id(value))
        if e is None or e.weak is None or e.cls is not type(value) or e.weak() is not value:
            return None
        if e.kind.what is not ATTRIBUTES or e.cls in store.slotted:
            return None
        members = attributes_of(value, "__dict__")
        if type(members) is not dict:
            return None
        x = members.get(name, MISSING)
        kind = type(x)
        held = None
        if kind not in NUMBERS and kind is not str:
            held = entries.get(id(x))
            if held is None or held.weak is None or held.epoch != store.epoch or held.cls is not kind or held.weak() is not x:
                return None
            if len(effect.places) > 1:
                return None  # it may have been changed in place
        shadow = e.shadow
        old = shadow.get(name, MISSING)
        size = len(members)
        if size != len(shadow) + (old is MISSING) or size > limits["items"]:
            return None
        if old is x if e.plain else old == id(x):
            return b""
        record = ENTRY + e.field[1:] + field + (text_of(x, kind) if held is None else held.field)
        if held is not None:
            if e.plain:
                by_address(e)
            e.shadow[name] = id(x)
        elif e.plain:
            shadow[name] = x
        else:
            shadow[name] = id(x)
            keep(e, x)
        e.size = size
    except Exception:
        return None
    if not telling.needed:
        return record
    out.append(record)
    touched.append(id(value))
    return store.taken()


def place_only(frame, me, effect):
    """Handles a line that sets or deletes one item of a known container, appends to it,
    changes it in another way, or calls a method that is the program's own code."""
    if threads():
        return None
    found, outer = names_of(frame, me) if me.info.notices else frame.f_locals, frame.f_globals
    places = effect.places
    what, where, extra = places[0]
    try:
        value = where(found, outer)
        e = entries.get(id(value))
        if e is None or e.cls is not type(value) or e.shadow is None or e.weak is not None and e.weak() is not value:
            return None
        if what != "call" and what != "look":
            extra = extra(found, outer)
        if len(places) > 1 and type(places[1][1](found, outer)) not in ATOMS:
            return None
    except NOT_THERE:
        return None
    except Exception:
        return store.lost()
    try:
        if what == "call":
            if not (by_own_code(e, extra) if e.kind.users else extra in changing.ENDS and changing.end(value, e, extra)):
                return None
        elif what == "look":
            if not e.kind.exact:
                return None
            again(value, e, effect.fresh and not effect.single)
        elif not changing.item(value, e, extra):
            return None
        me.answers = ()
        return store.taken() if out or touched else b""
    except Exception:
        return store.lost()


def arguments(frame, me):
    """Handles the names of an activation that begins or is resumed, if they refer to
    numbers, texts and known objects."""
    info = me.info
    if info.notices:
        return None
    last, prefix = me.last, info.prefix
    epoch = store.epoch
    found = frame.f_locals
    records = b""
    try:
        for name, value in found.items():
            kind = type(value)
            old = last.get(name, out)
            if kind in NUMBERS:
                if old is not value:
                    field = text_of(value, kind) if long_slots else repr(value).encode() + END
                    records += prefix[name] + (field if len(field) <= MANY else long_field(value, field[:-1]))
                    last[name] = value
            elif kind is str:
                if old is not value:
                    records += prefix[name] + text_of(value, kind)
                    last[name] = value
            elif kind is FunctionType:
                text = function_text(value)
                if old.__class__ is not TextOnly or old.address != id(value) or old.text != text:
                    records += prefix[name] + encode(text) + END
                    last[name] = TextOnly(value, text, None)
            else:
                e = entries.get(id(value))
                if e is None or e.weak is None or e.epoch != epoch or e.cls is not kind or e.weak() is not value:
                    break
                if old is not e:
                    records += prefix[name] + e.field
                    last[name] = e
        else:
            if len(last) == len(found):  # otherwise a name was unbound
                return records
    except (KeyError, ValueError):
        pass  # sys.get_int_max_str_digits; the name is not a local of its own
    if records:
        out.append(records)
    return None
