"""The standard library modules that npdb needs, separate from the program's.

The program may have modules of the same names, and may later import the library's own,
as it would without npdb. So npdb loads modules that are not loaded yet under other
names, below _npdb.lib, and does the same with the modules that they import. Modules
compiled into the interpreter are shared, because nothing on sys.path can replace them.
"""

import os
import sys

import _thread
from _frozen_importlib import module_from_spec
from _frozen_importlib_external import ExtensionFileLoader, PathFinder
from _npdb import bound

PREFIX = "_npdb.lib"
folder = os.path.dirname(os.path.abspath(os.__file__))
# Platforms store extension modules in different places, but always in a folder with
# this name. The library's other modules may be in a zip file.
folders = [folder] + [p for p in sys.path if os.path.basename(p) in ("lib-dynload", "python%d%d.zip" % sys.version_info[:2])]


def take(name):
    """Returns a module of the standard library, shared or loaded separately."""
    return shared(name) or load(name)


def holds(origin):
    """Returns whether a file belongs to the standard library."""
    if not isinstance(origin, str):
        return False
    return any(origin.startswith(path + os.sep) and "-packages" not in origin[len(path) :] for path in folders)


def shared(name):
    """Returns the interpreter's own module of a name, unless it must be loaded
    separately."""
    if name in sys.builtin_module_names and name != "builtins":
        return bound.copy_of(name)
    return base.get(name)


def beside(name):
    """Returns a module that recognises the program's objects by their classes. It is
    loaded separately, but imports the library modules that the program has loaded. It
    is loaded again when the program has loaded others."""
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
    """Returns the program's module of a name, if it is the standard library's."""
    module = sys.modules.get(name)
    return module if holds(getattr(getattr(module, "__spec__", None), "origin", None)) else None


def load(name):
    """Returns a module that is loaded separately. Threads that begin at the same time may
    load the same one."""
    with loading:
        return load_once(name)


def load_once(name):
    full = PREFIX + "." + name
    module = sys.modules.get(full)
    if module is not None:
        return module
    parent, _, leaf = name.rpartition(".")
    spec = find_spec(full, load(parent).__path__ if parent else folders)
    if spec is None:
        if name in ("collections.abc", "os.path"):  # these names have no files
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
        # Some extension modules add themselves. Meanwhile another thread may import a module in Python.
        if isinstance(spec.loader, ExtensionFileLoader) and sys.modules.get(name) is not before:
            if before is None:
                del sys.modules[name]
            else:
                sys.modules[name] = before
    module = sys.modules[full]  # the module may have replaced itself there
    if parent:
        setattr(load(parent), leaf, module)
    elif name == "warnings":  # it looks itself up in sys.modules
        module.catch_warnings.__init__.__kwdefaults__["module"] = module
    return module


def import_(name, globals=None, locals=None, fromlist=(), level=0):
    """Implements import in modules that are loaded separately."""
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
    """Implements import in modules that are loaded beside the program's."""
    return theirs(name) or import_(name, *args, **kwargs)


loading = _thread.RLock()  # a module is not used before it is complete
os.register_at_fork(after_in_child=loading._at_fork_reinit)  # another thread of the parent may have held it
together = {}  # modules loaded beside the program's, and the program's modules that they were loaded with

# Modules that Python has loaded before it runs any code.
base = {name: sys.modules[name] for name in bound.UNCOPIED - {"__main__"} if name in sys.modules}
base.update(bound.copies)
find_spec = PathFinder.find_spec

names = dict(bound.names, __import__=import_)
place = type(sys)(PREFIX)
place.__path__ = []
sys.modules[PREFIX] = place
