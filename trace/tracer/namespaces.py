"""The names of modules, which outlive the code of the module: functions read and bind
them, and lines of other modules set them as attributes.

The names of a module belong to one activation: the first run of its code, or, if that
was not recorded, an activation without events. Each code object is recorded with the
activation that has its globals. Globals that are no module's, such as those of exec,
are recorded while their code runs.
"""

import sys

from _npdb import activations, channel, library, store
from _npdb.activations import Activation
from _npdb.binding import bind_all
from _npdb.codes import ADOPT, GLOBALS, varint

ModuleType = type(channel)
dict_of = ModuleType.__dict__["__dict__"].__get__
partial = library.take("_functools").partial
ref = library.take("_weakref").ref

modules = {}  # id of globals -> their activations: the first one, and those that run
resting = {}  # id of a module's globals -> weak reference to the module, if the code of the first activation does not run
given = None  # the module of --entry, which sys.modules need not have
shared = False  # whether two activations ever shared a namespace
module_info = None  # returns the Info of a module's body for a file; set by usercode


def module_of(names):
    """Returns the module that has a dict as its names, or None."""
    name = dict.get(names, "__name__")
    for module in (sys.modules.get(name) if type(name) is str else None, given):
        if issubclass(type(module), ModuleType) and dict_of(module) is names:
            return module
    return None


def enter(frame, me):
    """Registers the activation of a module, because functions, and code that runs in
    the module, may also bind its names."""
    global shared
    if me.info.code.co_name == "<module>" and frame.f_locals is frame.f_globals:
        here = modules.setdefault(id(frame.f_globals), [])
        here.append(me)
        shared = shared or len(here) > 1


def leave(frame, me):
    """Handles the end of a module's code. Its first activation keeps the names."""
    names = frame.f_globals
    here = modules.get(id(names), ())
    me.namespace = None
    if me not in here:
        return
    if here[0] is not me:
        here.remove(me)
        return
    module = module_of(names)
    if module is None:
        del modules[id(names)]
    else:
        rest(module, id(names))


def rest(module, key):
    """Keeps the names of a module up to date for as long as the module exists. The
    callback is written in C and needs no frame: dict.pop(modules, key, reference)."""
    resting[key] = ref(module, partial(dict.pop, modules, key))


def attach(frame, info):
    """Records in which activation a code object has its globals, if that is new."""
    names = frame.f_globals
    here = modules.get(id(names)) or adopt(names, info.file)
    info.globals = id(names) if here else 0
    owner = here[0].number if here else -1
    if owner != info.owner:
        channel.put(GLOBALS + varint(info.index) + varint(owner + 1))
        info.owner = owner


def adopt(names, file):
    """Returns a new activation for the names of a module whose code was not recorded."""
    module = module_of(names)
    if module is None:
        return ()
    me = Activation(module_info(file), None)
    channel.put(ADOPT + varint(me.info.index))
    activations.begun += 1
    modules[id(names)] = here = [me]
    rest(module, id(names))
    if not store.broken:  # otherwise everything is recorded at the next event
        try:
            bind_all(me, names, False)
            channel.put(store.taken())
        except Exception:
            channel.put(store.lost())
    return here


def named():
    """Yields the activations of the modules whose code does not run, and their names."""
    for key, weak in list(resting.items()):
        module = weak()
        if module is None:
            del resting[key]
        else:
            yield modules[key][0], dict_of(module)


def names_of(number):
    """Returns the names of such a module by its activation; none if it does not exist any
    more."""
    for me, names in named():
        if me.number == number:
            return names
    return {}


def resynchronise(left):
    """Drops the activations that have left the stack unseen: the modules of these are
    adopted again. left are those that may be on the stack."""
    for key, here in list(modules.items()):
        rests = key in resting and resting[key]() is not None
        here[:] = [me for n, me in enumerate(here) if me in left or n == 0 and rests]
        if not here:
            del modules[key]


def let_go():
    global given
    given = None
    modules.clear()
    resting.clear()
