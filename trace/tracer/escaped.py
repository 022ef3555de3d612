"""Objects whose changing methods the program has passed on: parser.handler = rows.append.
Library code may keep such a method and call it at any later line, so these objects are
examined after every line, until their number of references shows that nothing keeps a
method. The tracer must not keep them alive: it finds each one again by a weak reference, or
by the names and objects that refer to it.
"""

import sys

from _npdb import activations, library, namespaces
from _npdb.activations import names_of, traced_below
from _npdb.entries import Entry, entries
from _npdb.forms import ATTRIBUTES, DICT
from _npdb.known import DEQUE, ESCAPED, QUIET

islice = library.take("itertools").islice

GROWING = frozenset("append appendleft extend extendleft insert add".split())  # methods that change the size whenever they change anything
SIZED = frozenset((list, set))
INDEXED = frozenset((list, tuple))
AWAY = 16  # lines for which an object is searched if no recorded name or object refers to it
NEAR = 1000  # maximum number of elements searched after each of them
MOST = 1000  # maximum number of dormant objects
FEW = 32  # of more objects, so many are examined in turn, after lines that make calls which the source does not explain
LARGE = 1000  # an object of more elements is examined after such lines only, unless its size shows that it did not change

COPIED = activations.Proxy is None  # the frame of a function also keeps its variables in the dict f_locals

objects = {}  # address -> Escaped
dormant = {}  # id of an entry -> (address, Escaped), for objects that were not found: a generator that waits or a closure may have them


def references(value):
    return sys.getrefcount(value)


def alone():
    value = []
    return references(value)


ALONE = alone()  # what references() returns for an object that one variable refers to


class Escaped:
    """weak: a weak reference, or None. way: how to find the object without one; None if it
    was not found. method: the name of the method; None if there are several. grows: whether
    they all only add elements. away: the number of lines since it was last found."""

    __slots__ = ("weak", "way", "method", "grows", "away")


class Way:
    """The way to an object: from one with a weak reference, or from a name of an activation,
    through elements. steps: (class, kind, key, keyed), ..., where keyed says that key is a key
    of a dict or an attribute, and not the number of the element."""

    __slots__ = ("weak", "me", "name", "steps")

    def __init__(self, steps, weak=None, me=None, name=None):
        self.steps, self.weak, self.me, self.name = steps, weak, me, name

    def find(self, frame):
        try:
            value = self.weak() if self.weak is not None else value_of(frame, self.me, self.name)
            for cls, *step in self.steps:
                if type(value) is not cls:
                    return None
                value = element(value, *step)
            return value
        except Exception:
            return None  # the way has changed

    def references(self):
        """Returns how many references this way holds to the object."""
        return 2 if COPIED and not self.steps and self.me is not None and self.me.info.fast and not self.me.info.notices else 1


def note(value, method, owner=None, attribute=None):
    """Notes that a changing method of a recorded object was passed on. owner: the object
    that refers to it by an attribute, if the program found it there."""
    address = id(value)
    e = entries.get(address)
    if e is None or e.cls is not type(value) or e.shadow is None:
        return
    before = objects.get(address)
    one = objects[address] = Escaped()
    one.method = method if before is None or before.method == method else None
    one.grows = method in GROWING and (before is None or before.grows)
    one.away = 0
    one.weak, one.way = e.weak, None
    if e.weak is None:
        holds = entries.get(id(owner))
        if holds is not None and holds.weak is not None and holds.weak() is owner and holds.kind.what is ATTRIBUTES:
            one.way = Way([(holds.cls, holds.kind, attribute, True)], weak=holds.weak)
        else:
            one.way = before and before.way or search(address, holders())


def wake(me):
    """Finds the dormant objects to which the names of an activation refer that begins or is
    resumed."""
    for name, e in me.last.items():
        if id(e) in dormant:
            address, one = dormant.pop(id(e))
            one.way, one.away = Way([], me=me, name=name), 0
            objects[address] = one


def level():
    """Returns the level of store.restless that the objects need."""
    return ESCAPED if 0 < len(objects) <= FEW else QUIET


def let_go():
    objects.clear()
    dormant.clear()


def changed(frame, me, explained):
    """Yields the objects that may have changed at a line of an activation, each with the
    method that may have changed it, or None. explained: the line's source explains all that it
    calls."""
    if explained and len(objects) > FEW:
        return
    turn = list(islice(objects.items(), FEW))
    if len(objects) > FEW:
        for address, one in turn:
            objects[address] = objects.pop(address)  # the others come first at the next line
    for address, one in turn:
        value = again(address, one, frame, me)
        if value is None:
            continue
        if references(value) <= ALONE + (1 if one.way is None else one.way.references()):
            del objects[address]  # only one place refers to it
        e = entries.get(address)
        if e is not None and e.cls is type(value) and e.shadow is not None:
            sized = one.grows and (e.cls in SIZED or e.cls is DEQUE and value.maxlen is None)
            if len(value) == e.size if sized else explained and e.size > LARGE:
                continue
        yield value, one.method


def again(address, one, frame, me):
    """Returns the object, or None if it is not found. After some lines it is dormant then. While
    an object is being returned (return rows), no recorded name may refer to it for some lines."""
    if one.weak is not None:
        value = one.weak()
        if value is None:
            del objects[address]
        return value
    value = one.way and one.way.find(frame)
    if id(value) != address:
        one.way = search(address, [me], NEAR) if 0 < one.away < AWAY else search(address, holders())
        value = one.way and one.way.find(frame)
    if id(value) == address:
        one.away = 0
        return value
    one.away += 1
    if one.away > AWAY:
        del objects[address]
        if address in entries:
            if len(dormant) == MOST:
                del dormant[next(iter(dormant))]
            dormant[id(entries[address])] = address, one
    return None


def holders():
    """Returns the activations that have names, the current one first."""
    return activations.stack[::-1] + [me for here in namespaces.modules.values() for me in here]


def search(address, those, most=None):
    """Returns the way to an object from the names of some activations, or None. most: the
    maximum number of elements that are looked at."""
    wanted = entries.get(address)
    if wanted is None:
        return None
    came = {}  # id of an entry -> what refers to it: an activation or an entry, and the name or key
    todo = []
    for me in those:
        for name, e in me.last.items():
            if e is wanted:
                return Way([], me=me, name=name)
            if e.__class__ is Entry and id(e) not in came:
                came[id(e)] = me, name
                todo.append(e)
    for outer in todo:  # todo grows during the loop
        for key, inner in inside(outer):
            e = entries.get(inner)
            if e is not None and id(e) not in came:
                came[id(e)] = outer, key
                if e is wanted:
                    return way(e, came)
                todo.append(e)
            if most is not None:
                most -= 1
                if most < 0:
                    return None
    return None


def inside(e):
    """Returns the keys or numbers of the recorded elements of an object, and their addresses."""
    if e.plain or not e.shadow:
        return ()
    if type(e.shadow) is dict:
        return e.shadow.items()
    return enumerate(e.shadow[1] if e.kind.what is DICT else e.shadow)


def way(e, came):
    steps = []
    while True:
        outer, key = came[id(e)]
        if outer.__class__ is not Entry:
            return Way(steps[::-1], me=outer, name=key)
        steps.append((outer.cls, outer.kind, key, type(outer.shadow) is dict))
        if outer.weak is not None:
            return Way(steps[::-1], weak=outer.weak)
        e = outer


def value_of(frame, me, name):
    if me.namespace is not None:
        return me.namespace.get(name)
    if me.address == id(frame):
        return names_of(frame, me).get(name)  # it has no trace function yet when it begins
    for back, other in traced_below(frame):
        if other is me:
            return names_of(back, me).get(name)
    for other, found in namespaces.named():
        if other is me:
            return found.get(name)
    return None


def element(value, kind, key, keyed):
    if kind.what is ATTRIBUTES:
        return kind.members(value).get(key)
    if kind.what is DICT:
        keys, items = (value, value.values()) if kind.exact else kind.items(value)
        if keyed:
            return dict.get(value, key) if kind.exact else dict(zip(keys, items)).get(key)
    else:
        items = value if kind.exact else kind.items(value)
        if type(items) in INDEXED:
            return items[key]
    return next(islice(items, key, None))
