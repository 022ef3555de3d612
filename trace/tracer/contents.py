"""The shallow content of objects: records it in full, or compares it with its record."""

from _npdb import channel, forms, library
from _npdb.channel import encode
from _npdb.codes import DELETE, END, ENTRY, FORM, ITEM, SPLICE, TEXT, WHOLE, varint
from _npdb.entries import SMALL, all_atoms, atomic, field_of, fields_of, out, text_of, touched
from _npdb.forms import ATTRIBUTES, DICT, SEQUENCE, SET
from _npdb.patience import LARGE, patient, room_for
from _npdb.render import limits

itertools = library.take("itertools")
operator = library.take("_operator")
compress, count, islice = itertools.compress, itertools.count, itertools.islice
is_, is_not, differs = operator.is_, operator.is_not, operator.ne
reference_to = library.take("_weakref").ref

CANONICAL = frozenset((str, int, bytes, type(None)))  # types of keys for which equal keys have equal texts
only_canonical = CANONICAL.issuperset
MISSING = object()
numbered_forms = {}
on_meeting = None  # called with a class that is met for the first time; set by store
met = {list, tuple, dict, set, frozenset}  # classes of the objects seen so far


def renew(value, e, todo):
    """Records the whole content of an object that is new or has changed too much to
    describe the difference."""
    kind = type(value)
    if e.cls is not kind:
        e.cls = kind
        e.kind = forms.of(kind)
        e.canonical = True
        if kind not in met:
            on_meeting(kind, e.kind)
    e.weak = None
    if e.kind.weak:
        try:
            e.weak = reference_to(value)
        except TypeError:
            pass
    whole(value, e, todo)
    touched.append(id(value))


def whole(value, e, todo):
    what = e.kind.what
    e.text = None
    e.mark = None if e.kind.fingerprint is None else e.kind.fingerprint(value)
    if what is SEQUENCE or what is SET:
        items = list(value) if e.kind.exact else e.kind.items(value)
        whole_sequence(value, e, items, todo)
    elif what is DICT:
        if e.kind.exact:
            whole_dict(value, e, value, list(value.values()), todo)
        else:
            whole_dict(value, e, *e.kind.items(value), todo)
    elif what is ATTRIBUTES:
        members = e.kind.members(value)
        e.canonical = True
        e.size = len(members)
        remember_dict(e, members)
        room = limits["items"]
        record = head(value, e, e.size, min(e.size, room))
        for n, (name, x) in enumerate(members.items()):
            if n == room:
                break
            record += encode(name) + END + field_of(x, todo)
        out.append(record)
    else:
        e.plain, e.shadow, e.size = True, (), 0
        e.text = e.kind.text(value)
        out.append(head(value, e, 0, 0) + TEXT + e.field[1:] + encode(e.text) + END)


def head(value, e, total, n):
    return WHOLE + e.field[1:] + varint(form_number(value, e)) + varint(total) + varint(n)


def form_number(value, e):
    form = e.kind.form(value)
    number = numbered_forms.get(form)
    if number is None:
        number = numbered_forms[form] = len(numbered_forms)
        body = channel.pack(form)
        out.append(FORM + len(body).to_bytes(4, "little") + body)
    e.form = form
    return number


def whole_sequence(value, e, items, todo):
    e.size = len(items)
    room = room_for(e.size)
    if e.size > room:
        items = items[:room]
    remember_list(e, items)
    out.append(head(value, e, e.size, len(items)) + fields_of(items, todo))


def remember_list(e, items):
    if all_atoms(map(type, items)):
        e.plain, e.shadow, e.kept = True, items, None
        return
    atoms = [x for x in items if atomic(x, type(x))]
    if len(atoms) == len(items):
        e.plain, e.shadow, e.kept = True, items, None
    else:
        e.plain, e.shadow, e.kept = False, list(map(id, items)), atoms


def whole_dict(value, e, keys, found, todo):
    e.size = len(found)
    room = room_for(e.size)
    if e.size > room:
        keys, found = list(keys)[:room], list(found)[:room]
    e.canonical = canonical(keys)
    if e.canonical:
        remember_dict(e, dict(zip(keys, found)))
    else:
        e.plain, e.shadow = False, [list(map(id, keys)), list(map(id, found))]
        e.kept = [x for x in keys if atomic(x, type(x))] + [x for x in found if atomic(x, type(x))]
    record = head(value, e, e.size, len(found))
    out.append(record + b"".join([field_of(x, todo) for pair in zip(keys, found) for x in pair]))


def canonical(keys):
    kinds = set(map(type, keys))
    if only_canonical(kinds):
        return True
    if not only_canonical(kinds - {tuple}):
        return False
    return all(type(k) is not tuple or len(k) <= SMALL and only_canonical(map(type, k)) for k in keys)


def remember_dict(e, found):
    elements = found.values()
    if all_atoms(map(type, elements)):
        e.plain, e.shadow, e.kept = True, dict(found), None
        return
    atoms = [x for x in elements if atomic(x, type(x))]
    if len(atoms) == len(elements):
        e.plain, e.shadow, e.kept = True, dict(found), None
    else:
        e.plain, e.shadow, e.kept = False, dict(zip(found, map(id, elements))), atoms


def others(value, e):
    """Returns the elements of a value that have their own records."""
    what = e.kind.what
    if what is DICT:
        keys, found = contents_of_dict(value, e)
        found = list(found)
        if not e.canonical:
            found += keys
    elif what is ATTRIBUTES:
        found = e.kind.members(value).values()
    elif what is SEQUENCE or what is SET:
        found = value if e.kind.exact else e.kind.items(value)
    else:
        return ()
    if e.size > stored(e):
        found = islice(found, stored(e))
    return [x for x in found if not atomic(x, type(x))]


def stored(e):
    """Returns how many elements of an object are recorded."""
    return len(e.shadow if type(e.shadow) is not list or e.kind.what is not DICT else e.shadow[0])


def contents_of_dict(value, e):
    """Returns the keys and values alternately."""
    if e.kind.exact:
        return value, value.values()
    return e.kind.items(value)


def look(value, e, todo):
    """Compares the shallow content of a known object, and records the differences."""
    what = e.kind.what
    if e.size > LARGE and not patient():
        return
    if e.kind.fingerprint is not None:
        mark = e.kind.fingerprint(value)
        if mark is not None and mark == e.mark:
            return
        e.mark = mark
    if what is SEQUENCE or what is SET:
        if e.cls is tuple:
            items = value
        elif e.kind.exact:
            items = list(value)
        else:
            items = e.kind.items(value)
        look_at_sequence(value, e, items, todo)
    elif what is DICT:
        look_at_dict(value, e, *contents_of_dict(value, e), todo)
    elif what is ATTRIBUTES:
        members = e.kind.members(value)
        if not same_dict(e, members, members.values()):
            differences(e, members, encode_name, todo)
            touched.append(id(value))
    elif e.kind.asks != "constant" or e.weak is None:
        text = e.kind.text(value)
        if text != e.text:
            e.text = text
            out.append(TEXT + e.field[1:] + encode(text) + END)
            touched.append(id(value))


def look_at_sequence(value, e, items, todo):
    size = len(items)
    room = len(e.shadow) if e.size > len(e.shadow) else limits["items"]
    if size > room:
        if size != e.size:
            renew(value, e, todo)
            return
        items = items[:room]
    old = e.shadow
    if e.plain:
        now = items
        where = is_not
    else:
        now = list(map(id, items))
        where = differs
    first = None
    if len(old) == len(now):
        if e.plain:
            first = next(compress(count(), map(is_not, old, now)), None)
            if first is None:
                return
        elif old == now:
            return
    if e.size != len(old) or size != len(now) or not e.kind.spliced or e.form != e.kind.form(value):
        renew(value, e, todo)
        return
    if first is None:
        first = next(compress(count(), map(where, old, now)), min(len(old), len(now)))
    most = min(len(old), len(now)) - first
    last = next(compress(count(), map(where, reversed(old), reversed(now))), most)
    last = min(last, most)
    removed = len(old) - last - first
    part = items[first : size - last]
    if removed == 1 and len(part) == 1 and e.kind.what is SEQUENCE:
        out.append(ITEM + e.field[1:] + varint(first) + field_of(part[0], todo))
    else:
        out.append(SPLICE + e.field[1:] + varint(first) + varint(removed) + varint(len(part)) + fields_of(part, todo))
    e.size = size
    if not e.plain:
        old[first : len(old) - last] = list(map(id, part))
        e.kept += [x for x in part if atomic(x, type(x))]
        if len(e.kept) > 2 * len(old) + 64:
            remember_list(e, items)
    elif all(atomic(x, type(x)) for x in part):
        old[first : len(old) - last] = part
    else:
        remember_list(e, items)
    touched.append(id(value))


def same_dict(e, keys, found):
    """Returns whether a dict has the same content in the same order as before."""
    old = e.shadow
    if type(old) is list:
        return list(map(id, keys)) == old[0] and list(map(id, found)) == old[1]
    if len(old) != len(found):
        return False
    if e.plain:
        return all(map(is_, old.values(), found)) and all(map(is_, old, keys))
    return list(old.values()) == list(map(id, found)) and all(map(is_, old, keys))


def encode_name(name):
    return encode(name) + END


def encode_key(key):
    return text_of(key, type(key))


def look_at_dict(value, e, keys, found, todo):
    partly = e.size > stored(e)
    if partly or e.size > limits["items"] or len(found) > limits["items"]:
        # Only the first entries are stored.
        room = stored(e) if partly else limits["items"]
        if e.size != len(found) or not same_dict(e, list(keys)[:room], list(found)[:room]):
            renew(value, e, todo)
        return
    if same_dict(e, keys, found):
        return
    old = e.shadow
    if type(old) is list or not canonical([key for key in keys if key not in old]) or e.form != e.kind.form(value):
        renew(value, e, todo)
        return
    if e.plain and grown(e, keys, found):
        touched.append(id(value))
        return
    differences(e, dict(zip(keys, found)), encode_key, todo)
    touched.append(id(value))


def grown(e, keys, found):
    """Returns whether a dict of atoms has only gained some, and then records them."""
    old = e.shadow
    before = len(old)
    if len(found) <= before or not (all(map(is_, old, keys)) and all(map(is_, old.values(), found))):
        return False
    new = list(islice(zip(keys, found), before, None))
    if not all(atomic(x, type(x)) for _, x in new):
        return False
    for key, x in new:
        old[key] = x
        out.append(ENTRY + e.field[1:] + text_of(key, type(key)) + text_of(x, type(x)))
    e.size = len(found)
    return True


def differences(e, now, key_field, todo):
    """Records the differences between a dict and its record. now has the current order."""
    old = e.shadow
    number = e.field[1:]
    records = []
    for key in [key for key in old if key not in now]:
        del old[key]
        records.append(DELETE + number + key_field(key))
    names = list(now)
    if list(old) != names[: len(old)]:
        # A key that was removed and added again has moved to the end.
        kept = len(old)
        for at, key in enumerate(old):
            if key is not names[at] and key != names[at]:
                kept = at
                break
        for key in list(old)[kept:]:
            del old[key]
            records.append(DELETE + number + key_field(key))
    plain = e.plain
    for key, x in now.items():
        was = old.get(key, MISSING)
        if was is not x if plain else was is MISSING or was != id(x):
            records.append(ENTRY + number + key_field(key) + field_of(x, todo))
    out.extend(records)
    e.size = len(now)
    remember_dict(e, now)


def by_address(e):
    """Converts the shadow of a dict or of attributes from elements to their addresses,
    because an element that is not an atom will be added."""
    e.kept = list(e.shadow.values())
    e.shadow = {key: id(x) for key, x in e.shadow.items()}
    e.plain = False


def keep(e, value):
    """Keeps an atom alive whose address is in a shadow, so that no other object gets
    its address."""
    e.kept.append(value)
    if len(e.kept) > 2 * len(e.shadow) + 64:
        alive = set(e.shadow if type(e.shadow) is list else e.shadow.values())
        e.kept = list({id(x): x for x in e.kept if id(x) in alive}.values())  # each once: True may occur often
