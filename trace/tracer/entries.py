"""The objects that the program's names reach, by identity, and the fields of records
that refer to them.

For each object the tracer remembers its shallow content, the shadow: atoms themselves,
and other elements by their address. So the tracer keeps nothing of the program alive
except atoms, and finds changes by comparing identities. It identifies an object by its
address. If a new object has the address of one that was freed, this counts as a change
of content, unless a weak reference distinguishes the two.

Records are collected in out and written with the event that follows them.
"""

from _npdb import render as values
from _npdb.channel import encode, put
from _npdb.codes import END, LONG, LONG_TEXT, REF, varint
from _npdb.render import limits

ATOMS = values.ATOMS
all_atoms = ATOMS.issuperset
SCALARS = frozenset((int, float, bool, type(None)))  # their text is short, plain ASCII
only_scalars = SCALARS.issuperset
SMALL = 32  # a tuple of at most this many atoms is recorded as a text

entries = {}  # address -> Entry
out = []  # records for the next event
touched = []  # addresses of objects whose content changed since the last event
numbers = 0  # number of entries so far
spare = []  # numbers of entries that were forgotten; see forgetting
MANY, MOST = 1000, 1 << 18  # minimum and maximum size in bytes of an atom's text that is sent once and then referred to by a slot
SLOTS = 64  # number of texts that npdb stores
AT_ONCE = 8  # maximum texts sent between two calls of store.taken; a record has up to three such intervals before it is written
long_atoms = []  # atoms whose texts npdb stores, by slot; kept alive, so that their addresses identify them
long_slots = {}  # address of such an atom -> its slot
newest = -1  # the slot used last
told = 0  # number of texts sent since store.taken
LONG_FIELDS = [LONG + varint(n) for n in range(SLOTS)]


class Entry:
    """An object of the program.

    plain: shadow contains the elements themselves, which are all atoms; otherwise it
    contains their addresses, and kept the elements that are atoms. The shadow of a dict
    or of attributes is a dict by key, that of a sequence or set is a list. mark: the
    fingerprint of the recorded content, if the kind has one."""

    __slots__ = (
        "number", "field", "cls", "kind", "weak", "shadow", "plain", "kept", "size", "epoch", "text", "form", "canonical", "mark"
    )

    def __init__(self, number):
        self.number = number
        self.field = REF + varint(number)
        self.cls = self.weak = self.shadow = self.text = self.kept = self.form = None
        self.kind = None
        self.epoch = -1


def atomic(value, kind):
    """Returns whether a value is recorded as a text: an atom, or a small tuple of
    atoms."""
    if kind in ATOMS:
        return True
    if kind is tuple and len(value) <= SMALL:
        if all_atoms(map(type, value)):
            return True
        for x in value:
            inner = type(x)
            if inner not in ATOMS and (inner is not tuple or not atomic(x, inner)):
                return False
        return True
    return False


def text_of(value, kind):
    """Returns the field of an atomic value."""
    if kind is str:
        if len(value) < limits["short"]:
            return repr(value).encode() + END  # repr has escaped all characters that UTF-8 lacks
    elif kind is not bytes and not long_slots:
        try:
            text = repr(value).encode()
            return text + END if len(text) < MANY else long_field(value, text)
        except (ValueError, UnicodeEncodeError):
            pass
    field = named(value)
    if field is not None:
        return field
    try:
        text = encode(values.atom(value)) if kind is str or kind is bytes else repr(value).encode()
    except (ValueError, UnicodeEncodeError):
        text = encode(values.render(value))
    return text + END if len(text) < MANY else long_field(value, text)


def named(value):
    """Returns the field that refers to an atom's text by a slot. Returns None if npdb
    does not have the text, or may have replaced it by the time that it reads the
    record."""
    slot = long_slots.get(id(value))
    if slot is None or (slot - newest - 1) % SLOTS < 3 * AT_ONCE:
        return None
    return LONG_FIELDS[slot]


def long_field(value, text):
    """Returns the field of an atom with a long text, and sends the text to npdb."""
    global newest, told
    field = named(value)
    if field is not None:
        return field
    if told == AT_ONCE or len(text) > MOST:
        return text + END
    slot = (newest + 1) % SLOTS
    put(LONG_TEXT + varint(slot) + len(text).to_bytes(4, "little") + text)
    if slot == len(long_atoms):
        long_atoms.append(value)
    else:
        before = id(long_atoms[slot])
        if long_slots.get(before) == slot:
            del long_slots[before]
        long_atoms[slot] = value
    long_slots[id(value)] = newest = slot
    told += 1
    return LONG_FIELDS[slot]


def field_of(value, todo):
    """Returns the field of an element. An object that must be examined is added to
    todo."""
    kind = type(value)
    if atomic(value, kind):
        return text_of(value, kind)
    e = entries.get(id(value))
    if e is None:
        e = enter(value)
    todo.append(value)
    return e.field


def enter(value):
    global numbers
    if spare:
        e = entries[id(value)] = Entry(spare.pop())
        return e
    e = entries[id(value)] = Entry(numbers)
    numbers += 1
    return e


def fields_of(elements, todo):
    """Returns the fields of several elements."""
    kinds = set(map(type, elements))
    if only_scalars(kinds):
        try:
            return (END.decode("latin-1")).join(map(repr, elements)).encode("latin-1") + END if elements else b""
        except ValueError:
            pass
    return b"".join([field_of(x, todo) for x in elements])
