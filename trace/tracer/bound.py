"""The tracer's own bindings: the functions of the interpreter as they were when the
tracer was loaded.

The program may replace any name of builtins, os, sys and other modules, for a test or
permanently, and may clear sys.modules. So no module of the tracer looks up a name in a
module that the program can change. Every tracer module has the builtins of this module,
and its import statements return copies of modules. The functions of a copy use copies
in turn. Classes are shared, because values are recognised by them.

builtins is not copied: a tracer module that imports it gets the program's.
"""

import builtins
import marshal
import sys

ModuleType = type(sys)
FunctionType = type(lambda: None)

names = globals()["__builtins__"]  # a dict that only the tracer uses; see loader.py
if names is builtins.__dict__:  # imported by a test
    names = dict(names)
original_import = names["__import__"]
address = names["id"]
program_sys = sys  # for writing; the copy only supports reads
package = codes = None  # set by the loader
loaded = {}  # name -> module of the tracer
copies = {}  # name -> copy of a module that Python has loaded

# Attributes of sys that are state of the program, not functions or constants. They are
# read anew each time.
CURRENT = frozenset((
    "argv", "path", "meta_path", "path_hooks", "path_importer_cache", "stdin", "stdout", "stderr", "__stdin__",
    "__stdout__", "__stderr__", "displayhook", "excepthook", "unraisablehook", "breakpointhook", "ps1", "ps2",
    "last_type", "last_value", "last_traceback", "last_exc", "tracebacklimit", "dont_write_bytecode", "pycache_prefix",
))  # fmt: skip
# Modules that are written in Python and that every interpreter loads as it starts.
STARTING = frozenset((
    "_collections_abc", "abc", "codecs", "encodings", "genericpath", "io", "ntpath", "os", "posixpath", "stat",
))  # fmt: skip
UNCOPIED = frozenset(("builtins", "__main__", "_frozen_importlib", "_frozen_importlib_external", "zipimport"))


def without_audits():
    """Replaces id, except in scopes, which needs addresses, before a module uses it. The other
    function numbers objects without an audit event, for which the hook of outside.py is called."""
    names["id"] = object.__hash__


def load(name):
    """Runs a module of the tracer, unless it has run."""
    module = loaded.get(name)
    if module is None:
        module = loaded[name] = sys.modules["_npdb." + name] = ModuleType("_npdb." + name)
        setattr(package, name, module)
        module.__dict__["__builtins__"] = names
        if name == "scopes":
            module.__dict__["id"] = address
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
    """Returns the current value of an attribute of the program's sys. It is __getattr__
    of the copy."""
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
