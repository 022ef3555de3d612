"""The objects that the program's names reach, by identity, and the fields of
records that name them.

Of an object its shallow content is remembered: of atoms the very ones, of other
elements which object they are. So nothing of the program is kept alive but
atoms, and what changed is found by comparing identities. An object is known by
its address: one that is made where another was freed is taken for a change of
content, unless weak references tell them apart.

Records are collected in out and written with the event that follows them.
"""

from _npdb import render as values
from _npdb.channel import encode, put
from _npdb.codes import END, LONG, LONG_TEXT, REF, varint
from _npdb.render import limits

ATOMS = values.ATOMS
all_atoms = ATOMS.issuperset
SCALARS = frozenset((int, float, bool, type(None)))  # whose text is short, and plain ASCII
only_scalars = SCALARS.issuperset
SMALL = 32  # a tuple of at most so many atoms is a text itself

entries = {}  # address -> Entry
out = []  # records for the next event
touched = []  # addresses of objects whose content changed since the last event
numbers = 0  # entries so far
MANY, MOST = 1000, 1 << 18  # bytes of an atom's text that is told once, and named after that
SLOTS = 64  # texts that npdb has
AT_ONCE = 8  # that are told between two calls of store.taken, of which a record has up to three before it is written
long_atoms = []  # of which npdb has the texts, by slot: kept, so that they are known by their addresses
long_slots = {}  # address of one -> its slot
newest = -1  # slot
told = 0  # since store.taken
LONG_FIELDS = [LONG + varint(n) for n in range(SLOTS)]


class Entry:
    """An object of the program.

    plain: shadow holds the very elements, which are all atoms; else it holds
    their addresses, and kept those that are atoms. Of dicts and attributes the
    shadow is a dict by key, of sequences and sets a list. mark: the fingerprint
    of what was recorded, where the kind has one."""

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
    """Whether a value is a text itself: an atom, or a small tuple of such."""
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
    """The field of a value that is atomic."""
    if kind is str:
        if len(value) < limits["short"]:
            return repr(value).encode() + END  # what UTF-8 lacks repr has escaped
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
    """The field that names an atom's text, None where npdb has not got it, or may have
    another by the time that it reads the record."""
    slot = long_slots.get(id(value))
    if slot is None or (slot - newest - 1) % SLOTS < 3 * AT_ONCE:
        return None
    return LONG_FIELDS[slot]


def long_field(value, text):
    """The field of an atom with a long text, which npdb is told."""
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
    """The field of an element; an object that must be looked at joins todo."""
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
    e = entries[id(value)] = Entry(numbers)
    numbers += 1
    return e


def fields_of(elements, todo):
    """The fields of many elements."""
    kinds = set(map(type, elements))
    if only_scalars(kinds):
        try:
            return (END.decode("latin-1")).join(map(repr, elements)).encode("latin-1") + END if elements else b""
        except ValueError:
            pass
    return b"".join([field_of(x, todo) for x in elements])
