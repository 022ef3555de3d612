"""The tracer's own bindings: what it uses of the interpreter, as it was at load.

The program may replace any name of builtins, os, sys and the other modules, for a
test or for good, and may empty sys.modules. So no module of the tracer looks a name
up in a module of the program: each has the builtins of this module, and its import
statements give copies of modules, whose functions see copies in turn. Classes are
shared: they are how values are recognised.

builtins is no copy: a module of the tracer that imports it means the program's.
"""

import builtins
import marshal
import sys

ModuleType = type(sys)
FunctionType = type(lambda: None)

names = globals()["__builtins__"]  # a dict of the tracer's own; see loader.py
if names is builtins.__dict__:  # imported by a test
    names = dict(names)
original_import = names["__import__"]
program_sys = sys  # to be written to: the copy answers reads only
package = codes = None  # set by the loader
loaded = {}  # name -> module of the tracer
copies = {}  # name -> copy of a module that Python has loaded

# What of sys is the program's state, and not a function or a constant: read anew each time.
CURRENT = frozenset((
    "argv", "path", "meta_path", "path_hooks", "path_importer_cache", "stdin", "stdout", "stderr", "__stdin__",
    "__stdout__", "__stderr__", "displayhook", "excepthook", "unraisablehook", "breakpointhook", "ps1", "ps2",
    "last_type", "last_value", "last_traceback", "last_exc", "tracebacklimit", "dont_write_bytecode", "pycache_prefix",
))  # fmt: skip
# Written in Python and loaded by every interpreter as it starts.
STARTING = frozenset((
    "_collections_abc", "abc", "codecs", "encodings", "genericpath", "io", "ntpath", "os", "posixpath", "stat",
))  # fmt: skip
UNCOPIED = frozenset(("builtins", "__main__", "_frozen_importlib", "_frozen_importlib_external", "zipimport"))


def load(name):
    """Runs a module of the tracer, unless it has run."""
    module = loaded.get(name)
    if module is None:
        module = loaded[name] = sys.modules["_npdb." + name] = ModuleType("_npdb." + name)
        setattr(package, name, module)
        module.__dict__["__builtins__"] = names
        exec(marshal.loads(codes[name]), module.__dict__)
    return module


def import_(name, globals=None, locals=None, fromlist=(), level=0):
    """Performs the import statements of the tracer's modules."""
    if name == "_npdb":
        return package
    if name.startswith("_npdb.") and fromlist:
        return loaded[name[6:]]
    if name in copies or is_copied(name):
        return copy_of(name)
    return original_import(name, globals, locals, fromlist, level)


def copy_of(name):
    """Returns the copy of a module that every interpreter has."""
    if name not in copies:
        original_import(name)
        copy(name)
    return copies[name]


def copy(name):
    """Copies a loaded module, and the modules that its functions refer to."""
    real = sys.modules[name]
    made = copies[name] = ModuleType(real.__name__)
    own = made.__dict__
    for key, value in real.__dict__.items():
        if real is program_sys and key in CURRENT:
            continue
        kind = type(value)
        if kind is FunctionType and value.__globals__ is real.__dict__:
            value = rebuilt(value, own)
        elif kind is ModuleType and is_copied(value.__name__) and sys.modules.get(value.__name__) is value:
            if value.__name__ not in copies:
                copy(value.__name__)
            value = copies[value.__name__]
        own[key] = value
    own["__builtins__"] = names
    if real is program_sys:
        own["__getattr__"] = of_sys


def is_copied(name):
    return name not in UNCOPIED and (name in sys.builtin_module_names or name in STARTING)


def rebuilt(function, own):
    """Returns a function that looks its global names up in own."""
    made = FunctionType(function.__code__, own, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    return made


def of_sys(name):
    """Returns what the program's sys holds now: __getattr__ of the copy."""
    try:
        return sys_names[name]
    except KeyError:
        raise AttributeError(name) from None


sys_names = program_sys.__dict__
for found in list(sys.modules):
    if found not in copies and is_copied(found) and type(sys.modules[found]) is ModuleType:
        copy(found)
copies["os.path"] = copies["os"].path
names["__import__"] = import_
