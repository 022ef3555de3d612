"""Records the current content of one place of an object: an item, an attribute or an
end."""

from _npdb import heaps, library, store
from _npdb.channel import encode
from _npdb.codes import DELETE, END, ENTRY, ITEM, SPLICE, varint
from _npdb.contents import CANONICAL, MISSING, by_address, canonical, keep
from _npdb.entries import atomic, field_of, out, text_of, touched
from _npdb.render import limits
from _npdb.store import walk

deque = library.take("_collections").deque
OrderedDict = library.take("_collections").OrderedDict
DICTS = frozenset((dict, OrderedDict, library.take("_collections").defaultdict))
KNOWN = DICTS | {deque}
ENDS = frozenset(("append", "pop", "popleft", "setdefault", "heappush", "heappop"))  # methods that end() handles
object_dict = object.__getattribute__


def put(prefix, value):
    """Writes a record that ends with a value, and the records of the objects in it."""
    todo = []
    out.append(prefix + field_of(value, todo))
    for one in todo:
        walk(one, False)


def item(value, e, key):
    """Records value[key] of a list or dict, the only place that may have changed.
    Returns False if more must be examined."""
    kind = e.cls
    if kind is list:
        if type(key) is not int:
            return False
        size = len(value)
        if size != e.size or size != len(e.shadow):
            return False
        if key < 0:
            key += size
        if not 0 <= key < size:
            return True
        return element(value[key], e, key, ITEM + e.field[1:] + varint(key), id(value))
    if e.kind.element is not None:
        return number(value, e, key)
    if not e.kind.stores or not e.canonical or type(e.shadow) is not dict:
        return False
    kinds = type(key)
    if kinds not in CANONICAL and not (kinds is tuple and canonical((key,))):
        return False
    there = dict.__contains__(value, key)
    size = dict.__len__(value)
    if size != len(e.shadow) + (there and key not in e.shadow) - (not there and key in e.shadow):
        return False
    if size > limits["items"]:
        return False
    if not there:
        if key in e.shadow:
            del e.shadow[key]
            e.size = size
            out.append(DELETE + e.field[1:] + text_of(key, kinds))
            touched.append(id(value))
        return True
    if not element(dict.__getitem__(value, key), e, key, ENTRY + e.field[1:] + text_of(key, kinds), id(value)):
        return False
    e.size = size
    return True


def number(value, e, n):
    """Records value[n] of an array."""
    size = len(value)
    if type(n) is not int or size != e.size or size != len(e.shadow) or not e.plain:
        return False
    if n < 0:
        n += size
    if not 0 <= n < size:
        return True
    x = e.kind.element(value, n)
    if x is None:
        return False
    e.mark = None
    return element(x, e, n, ITEM + e.field[1:] + varint(n), id(value))


def element(x, e, key, prefix, address):
    """Compares one element with its shadow. Returns False if the shadow cannot decide."""
    shadow = e.shadow
    old = shadow[key] if type(shadow) is list else shadow.get(key, MISSING)
    if e.plain:
        if x is old:
            return True
        if atomic(x, type(x)):
            shadow[key] = x
            out.append(prefix + text_of(x, type(x)))
        elif type(shadow) is list:
            return False  # the first element that is not an atom
        else:
            by_address(e)
            e.shadow[key] = id(x)
            put(prefix, x)
    elif atomic(x, type(x)):
        if old == id(x):
            return True
        shadow[key] = id(x)
        keep(e, x)
        out.append(prefix + text_of(x, type(x)))
    elif old == id(x):
        walk(x, False)  # or another object at the same address
        return True
    else:
        shadow[key] = id(x)
        put(prefix, x)
    touched.append(address)
    return True


def attribute(value, e, name):
    """Records one attribute of a plain object, the only one that may have changed."""
    try:
        members = object_dict(value, "__dict__")
    except AttributeError:
        members = None
    if members is None or members.__class__ is not dict or e.cls in store.slotted:
        return False
    x = members.get(name, MISSING)
    size = len(e.shadow) + (name not in e.shadow)
    if x is MISSING or len(members) != size or size > limits["items"]:
        return False
    if not element(x, e, name, ENTRY + e.field[1:] + encode(name) + END, id(value)):
        return False
    e.size = size
    return True


def end(value, e, method):
    """Records that a method has added an element at an end, or removed one there."""
    kind = e.cls
    if method == "setdefault":
        if kind not in DICTS or kind is OrderedDict or type(e.shadow) is not dict:
            return False
        size = dict.__len__(value)
        if size == len(e.shadow):
            return True
        return size == len(e.shadow) + 1 and item(value, e, next(dict.__reversed__(value)))
    if kind is deque:
        if value.maxlen is not None:
            return False
    elif kind is not list:
        return False
    elif method == "heappush":
        return heaps.pushed(value, e)
    elif method == "heappop":
        return heaps.popped(value, e)
    elif method not in ("append", "pop"):
        return False
    size = len(value)
    grown = size - e.size
    if e.size != len(e.shadow) or size > limits["items"]:
        return False
    if grown == 0:
        return method != "pop"
    number = e.field[1:]
    if method == "append" and grown == 1:
        x = value[-1]
        if atomic(x, type(x)):
            if e.plain:
                e.shadow.append(x)
            else:
                e.shadow.append(id(x))
                keep(e, x)
        elif e.plain:
            return False
        else:
            e.shadow.append(id(x))
        put(SPLICE + number + varint(e.size) + b"\0\1", x)
    elif method == "popleft" and grown == -1:
        del e.shadow[0]
        out.append(SPLICE + number + b"\0\1\0")
    elif method == "pop" and grown == -1 and kind is deque:
        del e.shadow[-1]
        out.append(SPLICE + number + varint(size) + b"\1\0")
    else:
        return False
    e.size = size
    touched.append(id(value))
    return True
