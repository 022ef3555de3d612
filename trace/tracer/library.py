"""The standard library's modules that npdb needs, apart from the program's.

The program may have modules of the same names, and may import the library's
own later, which is then to happen as it does without npdb. So what is not
loaded yet is loaded under another name, below _npdb.lib, and what it imports in
turn likewise. Modules compiled into the interpreter are shared: nothing on
sys.path comes before them.
"""

import os
import sys

from _frozen_importlib import module_from_spec
from _frozen_importlib_external import PathFinder
from _npdb import bound

PREFIX = "_npdb.lib"
folder = os.path.dirname(os.path.abspath(os.__file__))
# Platforms put extension modules elsewhere, but under one name.
folders = [folder] + [p for p in sys.path if os.path.basename(p) == "lib-dynload"]


def take(name):
    """A module of the standard library, wherever it is loaded from."""
    return shared(name) or load(name)


def holds(origin):
    """Whether a file is the standard library's."""
    if not isinstance(origin, str):
        return False
    return any(origin.startswith(path + os.sep) and "-packages" not in origin[len(path) :] for path in folders)


def shared(name):
    """The interpreter's own module of a name, if that is not to be loaded apart."""
    if name in sys.builtin_module_names and name != "builtins":
        return bound.copy_of(name)
    return base.get(name)


def beside(name):
    """A module that knows the program's objects by their classes: loaded apart,
    but with the modules of the library that the program has, and anew when it
    has others."""
    has = [theirs(part) for part in ("collections", "dataclasses")]
    module, had = together.get(name, (None, None))
    if had != has:
        spec = find_spec(PREFIX + "." + name, folders)
        module = module_from_spec(spec)
        module.__dict__["__builtins__"] = dict(bound.names, __import__=import_beside)
        spec.loader.exec_module(module)
        together[name] = module, has
    return module


def theirs(name):
    """The program's module of a name, if that is the standard library's."""
    module = sys.modules.get(name)
    return module if holds(getattr(getattr(module, "__spec__", None), "origin", None)) else None


def load(name):
    full = PREFIX + "." + name
    module = sys.modules.get(full)
    if module is not None:
        return module
    parent, _, leaf = name.rpartition(".")
    spec = find_spec(full, load(parent).__path__ if parent else folders)
    if spec is None:
        if name in ("collections.abc", "os.path"):  # which are no files
            return getattr(load(parent), leaf)
        raise ModuleNotFoundError("No module named %r" % name, name=name)
    before = sys.modules.get(name)
    module = module_from_spec(spec)
    module.__dict__["__builtins__"] = names
    sys.modules[full] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[full]
        raise
    finally:
        if sys.modules.get(name) is not before:  # some extension modules put themselves there
            if before is None:
                del sys.modules[name]
            else:
                sys.modules[name] = before
    module = sys.modules[full]  # it may have put another there
    if parent:
        setattr(load(parent), leaf, module)
    elif name == "warnings":  # which looks for itself in sys.modules
        module.catch_warnings.__init__.__kwdefaults__["module"] = module
    return module


def import_(name, globals=None, locals=None, fromlist=(), level=0):
    """What import means in modules that are loaded apart."""
    if level:
        package = globals["__package__"].split(".")
        base = package[: len(package) - level + 1]
        name = ".".join(base[PREFIX.count(".") + 1 :] + ([name] if name else []))
    if not fromlist:
        top, _, rest = name.partition(".")
        module = take(name)
        if not rest or getattr(shared(top), rest, None) is module:
            return take(top)
        load(name)
        return load(top)
    module = take(name)
    for wanted in fromlist:
        if wanted != "*" and hasattr(module, "__path__") and not hasattr(module, wanted):
            try:
                take(name + "." + wanted)
            except ModuleNotFoundError:
                pass
    return module


def import_beside(name, *args, **kwargs):
    """What import means in modules that are loaded beside the program's."""
    return theirs(name) or import_(name, *args, **kwargs)


together = {}  # modules loaded beside the program's, and those of its that they were loaded with

# What Python itself has loaded before it runs anything.
base = {name: sys.modules[name] for name in bound.UNCOPIED - {"__main__"} if name in sys.modules}
base.update(bound.copies)
find_spec = PathFinder.find_spec

names = dict(bound.names, __import__=import_)
place = type(sys)(PREFIX)
place.__path__ = []
sys.modules[PREFIX] = place
