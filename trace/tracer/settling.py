"""Records what a line has changed, at the event after it.

The line's source (effects) determines which names and places are examined. If it is not
enough, everything that its names reach is examined, or everything.
"""

import builtins

from _npdb import callees, changing, channel, escaped, library, namespaces, store, telling
from _npdb import render as values
from _npdb.activations import names_of, stack, traced_below
from _npdb.answers import returned_to
from _npdb.binding import UNSEEN, bind, bind_all, borrowers, in_order, rebind, unbind
from _npdb.contents import look, others
from _npdb.effects import ALL, EVERYTHING, QUIET, REACH, Lost
from _npdb.entries import ATOMS, Entry, atomic, entries, touched
from _npdb.following import FunctionType, lookup
from _npdb.forms import ATTRIBUTES, TEXT
from _npdb.known import LATER, READ
from _npdb.namespaces import modules
from _npdb.store import walk

ModuleType = type(channel)
Partial = callees.functools.partial
BOUND = frozenset((type(len), type(len.__call__)))  # the types of bound methods in C
called = callees.level
threads = library.take("_thread")._count  # number of threads beside the main one
NOT_THERE = (Lost, KeyError, IndexError, NameError, TypeError, AttributeError, ValueError)


def settle(me, frame, found, effect, top):
    """Records what the line of an activation has changed. found: the frame's names;
    top: the next event belongs to this activation."""
    last = me.last
    outer = frame.f_globals
    level = effect.level
    trust = READ if effect.subscripts and store.making else True
    running = threads()
    if running or store.restless:
        if running or store.restless == ALL:
            level = ALL
        store.restless = ALL if callees.anything or running else escaped.level()
    plainly = effect.plain and me.info.fast and not level
    if not plainly:
        if effect.methods and not store.unknown.isdisjoint(effect.methods):
            much = callees.met(effect, store.unknown, found, outer)
            if much:
                level, trust = max(level, much), False
        if effect.subscripts and store.indexing:
            trust = False
    if me.info.fast:
        store.keeper = kept(me, effect)
    was = {name: last.get(name) for name in effect.rebound} if effect.rebound else None
    for name, known in effect.names:
        value = found.get(name, UNSEEN)
        old = last.get(name, UNSEEN)
        if value is old:
            continue
        if store.finalizers and old.__class__ is Entry:
            level = ALL  # a __del__ may have run without an event
            if not top:
                me.effect = EVERYTHING  # it runs now; weak references to the object end after it
        if value is UNSEEN:
            unbind(me, name, top)
        else:
            bind(me, name, value, known if trust is True else known and trust, top)
    if effect.places:
        level = max(level, settle_places(effect, found, outer, was, me, top))
    store.keeper = None
    returned = me.answers
    if top:
        me.answers = ()
    if not plainly:
        level = max(level, settle_rest(me, frame, found, effect, top, trust))
    if callees.anything:
        store.restless = ALL
    elif escaped.objects:
        level = max(level, settle_escaped(frame, me, effect.plain or effect.quiet))
        store.restless = store.restless or escaped.level()
    if level == REACH:
        for name in effect.roots:
            value = found.get(name, UNSEEN)
            if value is UNSEEN:
                value = outer.get(name, UNSEEN)
            if value is not UNSEEN:
                reach(value)
        for _, weak, value in returned:  # arguments that code of the program returned; a new object is not recorded
            value = value if weak is None else weak()
            if value is not None:
                reach(value)
    elif level == ALL:
        everything(frame, me, top)
    if borrowers:
        look_at_borrowers(frame)


def kept(me, effect):
    """Returns the entries of names of a function that kept their objects while the line ran:
    names that the line does not bind, and the targets of an assignment, which are bound only
    after their new values exist."""
    last, cells = me.last, me.info.cells
    if effect.once:
        return [e for name, e in last.items() if e.__class__ is Entry and e.weak is None and name not in cells]
    bound = [name for name, _ in effect.names]
    return [e for name, e in last.items() if e.__class__ is Entry and e.weak is None and name not in cells and name not in bound]


def settle_places(effect, found, outer, was, me, top):
    """Examines the places that a line may have changed. Returns the level of what else
    must be examined. was: the values of names before the line, for the places that
    depend on them."""
    level = QUIET
    there = []
    for what, where, extra in effect.places:
        several = None
        try:
            value = where(found, outer)
        except Lost as e:
            try:
                several = returned_to(effect, where, found, outer, me, top)
            except NOT_THERE:
                level = max(level, e.level)
                continue
        except NOT_THERE:
            level = max(level, REACH)
            continue
        if several is None and type(value) in ATOMS:
            continue
        if what == "item" or what == "delete" or what == "earlier":
            try:
                extra = extra(found if what != "earlier" else was, outer)
                what = "delete" if what == "delete" else "item"
            except NOT_THERE:
                what = "look"
        if several is None:
            there.append((what, value, extra))
        else:
            there += [(what, value, extra) for value in several]
    # If the places are in different objects, each object changes only once.
    single = effect.single or not effect.repeats and len({id(value) for _, value, _ in there}) == len(there)
    for what, value, extra in there:
        level = max(level, place(what, value, extra, single, effect.fresh))
    return level


def settle_rest(me, frame, found, effect, top, trust):
    """Examines the objects that a line has called and the names that other frames
    share. Returns the level of what else must be examined."""
    level = QUIET
    outer = frame.f_globals
    if not me.info.fast and top and effect.names:
        in_order(me, found, len(effect.names))
    for where, name in effect.callees:
        later = name == LATER
        name = None if later else name
        try:
            value = where(found, outer)
            much = called(value, name)
            if much == REACH:
                reach(value)
                if name is not None:
                    reach(callees.bound(value, name))
            level = max(level, much)
            of = callees.receiver(value, name)
            if of is not None:
                level = max(level, place("look", of, None, False, effect.fresh))
                if later:
                    escaped.note(of, None)  # any line may advance the iterator
            if name is not None:
                tell_again(value)
        except Lost as e:
            level = max(level, e.level)
        except NOT_THERE:
            level = max(level, REACH)
    for where, name, owner, attribute in effect.passed:
        try:
            value = where(found, outer)
            of = callees.changed_by(value, name)
            if of is not None:
                escaped.note(of, name, owner and of is value and owner(found, outer), attribute)
        except NOT_THERE:
            pass  # for example a property: its object is not known
    if not trust and store.indexing:
        for where, key in effect.subscripts:
            level = max(level, indexed(where, key, found, outer))
    if effect.globals:
        for module in modules.get(id(outer), ()):
            rebind(module, effect.globals, outer, top and module is me)
    elif namespaces.shared and not me.info.fast:
        for module in modules.get(id(outer), ()):
            if module is not me:
                bind_all(module, outer, False)
    # An inner function may use the same name for a variable of its own.
    if effect.cells and not me.info.cells.isdisjoint(effect.cells):
        for back, other in traced_below(frame):
            if other is not me and not other.info.cells.isdisjoint(effect.cells):
                rebind(other, effect.cells, names_of(back, other), False)
    return level


def settle_escaped(frame, me, explained):
    """Examines the objects that library code may have changed. Returns the level of what
    else must be examined."""
    level = QUIET
    for value, name in escaped.changed(frame, me, explained):
        what = "call" if name is not None and type(value) in callees.CONTAINERS else "look"
        level = max(level, place(what, value, name, True, True))
    return level


def at_key(value, e, key, found, outer):
    try:
        return changing.item(value, e, key(found, outer))
    except NOT_THERE:
        return False


def look_at_borrowers(frame):
    """Examines values of names that display the content of another object: views of a
    dict."""
    here = set()
    for other, found in reached(frame):
        for number, name in borrowers:
            if number == other.number:
                value = found.get(name, UNSEEN)
                e = entries.get(id(value))
                if e is not None and e.kind.borrows:
                    here.add((number, name))
                    walk(value, False)
    borrowers.intersection_update(here)


def indexed(where, key, found, outer):
    """Examines an object that was indexed by [], which may have changed it. Returns the
    level of what else must be examined."""
    if where is None:
        return REACH
    try:
        value = where(found, outer)
    except Lost as e:
        return e.level
    except NOT_THERE:
        return REACH
    kind = type(value)
    if kind in store.indexing:
        e = entries.get(id(value))
        if e is None or e.cls is not kind or e.shadow is None:
            walk(value, False)
        elif key is None or not at_key(value, e, key, found, outer):
            again(value, e)
        return QUIET if kind in store.inserting else REACH
    return QUIET


def reach(value):
    """Examines everything that a value reaches."""
    kind = type(value)
    if kind is Partial:
        for one in (value.func, *value.args, *value.keywords.values()):
            reach(one)
    if kind in BOUND:
        value = value.__self__
        kind = type(value)
    names_in(value, kind)
    if not atomic(value, kind) and not values.defined(kind):
        walk(value, True)


def names_in(value, kind):
    """Examines the names of a module, given as the module or as its dict."""
    if kind is ModuleType:
        value = value.__dict__
    elif kind is not dict:
        return
    for module in modules.get(id(value), ()):
        bind_all(module, value, False)


def place(what, value, extra, single, fresh):
    """Examines a place that a line may have changed. Returns the level of what else
    must be examined."""
    kind = type(value)
    if kind is tuple:
        if what == "elements":
            reach(value)
        return QUIET
    if what == "call" and kind not in callees.CONTAINERS:
        of = callees.receiver(value, extra)
        if of is not None:
            return place("look", of, None, False, fresh)
        if called(value, extra) == ALL:
            return ALL
    names_in(value, kind)
    if values.defined(kind):
        if what == "attribute":
            attribute_of(value, kind, extra)
        return QUIET
    if kind is memoryview:
        return ALL  # it displays the content of another object
    e = entries.get(id(value))
    if e is None or e.cls is not kind or e.shadow is None or e.weak is not None and e.weak() is not value:
        walk(value, False)
        return QUIET
    if what == "item" or what == "delete":
        if (single or kind is list and what == "item") and changing.item(value, e, extra):
            return QUIET
    elif what == "attribute":
        if e.kind.what is ATTRIBUTES and changing.attribute(value, e, extra):
            return QUIET
    elif what == "call":
        if single and changing.end(value, e, extra) or e.kind.users and by_own_code(e, extra):
            return QUIET
    elif what == "elements":
        for one in others(value, e):
            walk(one, True)
    if e.kind.exact or e.kind.users or kind in changing.KNOWN:
        again(value, e, fresh and not single)
    else:
        walk(value, True)  # objects in which a library class stores its content
    return QUIET


def by_own_code(e, name):
    """Returns whether a method of a plain object is code of the program, whose own
    lines have their effects."""
    if e.kind.what is not ATTRIBUTES or name in e.shadow:
        return False
    function = lookup(e.cls, name)
    return type(function) is FunctionType and callees.user(function.__code__)


def attribute_of(value, kind, name):
    """Handles an attribute of a module, a class or a function that was set."""
    if kind is not ModuleType:
        if not issubclass(kind, type):
            return  # a function is displayed by its name
        if values.asked:
            store.described(value, name)
        else:
            telling.of_class(value)
        return
    if value is builtins:
        callees.anything, store.restless = True, ALL  # any name may refer to anything from now on
    for module in modules.get(id(value.__dict__), ()):
        rebind(module, (name,), value.__dict__, False)


def tell_again(value):
    """Handles the call of a method. If only the text of the object is recorded, it is
    computed again."""
    e = entries.get(id(value))
    if e is not None and e.kind is not None and e.kind.what is TEXT and e.cls is type(value):
        if e.kind.asks == "library":
            look(value, e, [])


def again(value, e, fresh=True):
    """Examines an object and, if the line created objects, also its elements, which may
    be others at the same address."""
    todo = []
    before = len(touched)
    look(value, e, todo)
    if len(touched) > before:
        store.tell(value, e)
    if fresh and not e.plain:
        todo += others(value, e)
    for one in todo:
        walk(one, False)


def everything(frame, me, top=True):
    """Examines everything that the stack and the modules reach."""
    store.epoch += 1
    for other, found in reached(frame):
        bind_all(other, found, top and other is me)


def modules_again():
    """Examines everything that the modules reach whose code does not run."""
    for module, found in namespaces.named():
        bind_all(module, found, False)


def reached(frame):
    """Yields the activations on the stack, and the modules whose code does not run, with
    their names."""
    for back, other in traced_below(frame):
        yield other, names_of(back, other)
    yield from namespaces.named()


def recover(frame, me, top=True):
    """Examines everything as if for the first time."""
    store.forget()
    for other in stack + [module for module, _ in namespaces.named()]:
        other.last.update(dict.fromkeys(other.last, UNSEEN))
        other.answers = ()
    everything(frame, me, top)
    if me not in stack:  # it begins
        bind_all(me, names_of(frame, me), True)


def let_go():
    """Forgets everything about the program, which has ended or runs without npdb from
    now on."""
    for me in stack:
        me.namespace = None
        me.last.clear()
    namespaces.let_go()
    escaped.let_go()
    store.let_go()
