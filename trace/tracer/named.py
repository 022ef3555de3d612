"""Finds modules and functions by name without running the program's code: it imports
nothing, loads no lazy module, and reads no attribute that could be computed. Any other
expression for a function is evaluated.
"""

import os
import sys

from _npdb import library, moves
from _npdb.forms_reading import reader
from _npdb.render import FunctionType, LazyType, ModuleType, dict_of, lookup, mro_of, name_of

typed = moves.load("typed")

MethodType = type((lambda: 0).__get__(0))
module_dict = ModuleType.__dict__["__dict__"].__get__
OPTIMIZED = 1  # the flag of code whose names are no mapping of the program's


def function(frame, text):
    """Returns the file, the first line of the body and the name of a function."""
    found, value = standing(frame, text)
    if not found:
        value = typed.evaluate(frame, text)
        value = getattr(value, "__func__", value)
        while hasattr(value, "__wrapped__"):
            value = value.__wrapped__
        code = getattr(value, "__code__", None)
    else:
        value = unwrapped(value)
        code = value.__code__ if type(value) is FunctionType else None
    if code is None:
        raise TypeError("%s is not a Python function" % text)
    return "%s\n%d\n%s" % (os.path.abspath(code.co_filename), body_line(code), code.co_name), False, False


def body_line(code):
    """Returns the line of the first line event of a function's body. It need not be the
    smallest, because a statement of several lines begins with its operands."""
    dis = library.take("dis")
    header = code.co_firstlineno
    for _, line in dis.findlinestarts(code):
        if line and line > header:
            return line
    return header


def standing(frame, text):
    """Resolves a dotted name through the stored names of frames, modules, classes and
    instances. Returns whether it was found, and the object. It calls no __getattr__ of
    a module that lacks the name."""
    first, *rest = text.split(".")
    for scope in (frame.f_locals, frame.f_globals):
        if issubclass(type(scope), dict):
            known = dict.__contains__(scope, first)
            value = dict.get(scope, first)
        else:
            known = frame.f_code.co_flags & OPTIMIZED and first in scope
            value = scope[first] if known else None
        if known:
            break
    else:
        return False, None
    for name in rest:
        if type(value) is LazyType:
            raise NameError("%s is not loaded yet: its import is lazy" % first)
        found, inner = held(value, name)
        if not found:
            if is_module(value):
                raise NameError("%s has no attribute %s yet" % (text, name))
            return False, None
        value = inner
    return True, value


def held(value, name):
    """Returns whether an object has a stored attribute of a name, and the attribute."""
    cls = type(value)
    if is_module(value):
        names = module_dict(value)
        return name in names, names.get(name)
    if type in mro_of(cls):
        found = any(name in dict_of(c) for c in mro_of(value))
        return found, lookup(value, name)
    read = reader(cls)
    names = read(value) if read is not None else {}
    member = lookup(cls, name)
    if member is not None and type(member) not in (FunctionType, classmethod, staticmethod):
        return False, None
    return name in names or member is not None, names.get(name, member)


def is_module(value):
    return ModuleType in mro_of(type(value))


def unwrapped(value):
    """Returns the function inside methods and decorators."""
    for _ in range(100):
        if type(value) in (MethodType, classmethod, staticmethod):
            value = value.__func__
            continue
        read = reader(type(value))
        inner = None if read is None else read(value).get("__wrapped__")
        if inner is None:
            break
        value = inner
    return value


def source_of(module):
    """Returns the path of an imported module's source, or None."""
    if not is_module(module):
        return None
    path = module_dict(module).get("__file__")
    return os.path.abspath(path) if type(path) is str and path.endswith(".py") else None


def module(frame, text):
    """Returns the path of a module's source. The module need not be imported; it is found
    on sys.path as an import would find it."""
    path = source_of(sys.modules.get(text)) or search(text.split("."))
    if path is None:
        raise ValueError("no module %s with Python source was found on sys.path" % text)
    return path, False, False


def search(parts):
    """Returns the path of the source of a module that is not imported, or None."""
    for known in range(len(parts) - 1, 0, -1):
        package = sys.modules.get(".".join(parts[:known]))
        if package is not None and is_module(package):
            path = module_dict(package).get("__path__")
            return search_in(strings(path), parts[known:])
    return search_in([os.path.abspath(folder) for folder in strings(sys.path)], parts)


def strings(path):
    """Returns the folders of a sys.path or a __path__. For a namespace package these are the
    folders that Python computed last."""
    if not issubclass(type(path), list):
        read = reader(type(path))
        path = None if read is None else read(path).get("_path")
    return [folder for folder in list.copy(path) if type(folder) is str] if issubclass(type(path), list) else []


def search_in(folders, parts):
    portions = []
    for folder in folders:
        start = os.path.join(folder, parts[0])
        package = os.path.join(start, "__init__.py")
        if os.path.isfile(package):
            return search_in([start], parts[1:]) if parts[1:] else package
        if os.path.isfile(start + ".py"):
            return None if parts[1:] else start + ".py"
        if os.path.isdir(start):
            portions.append(start)
    return search_in(portions, parts[1:]) if portions and parts[1:] else None


def modules(frame, text):
    """Returns a line NAME<tab>PATH for each imported module with Python source, then a line
    <tab>FOLDER for each folder of sys.path."""
    lines = []
    for name, module in list(sys.modules.items()):
        path = source_of(module)
        if path is not None and type(name) is str and not name.startswith("_npdb"):
            lines.append("%s\t%s" % (name, path))
    lines.extend("\t" + os.path.abspath(folder) for folder in strings(sys.path))
    return "\n".join(line for line in lines if line.count("\t") == 1 and "\n" not in line), False, False


def imported(frame, text):
    """Returns "yes" if the module of a file has begun to run, else ""."""
    leaf, real = os.path.basename(text), os.path.realpath(text)
    for module in list(sys.modules.values()):
        path = source_of(module)
        if path is None or name_of(type(module)) == "_LazyModule":
            continue
        if path == text or os.path.basename(path) == leaf and os.path.realpath(path) == real:
            return "yes", False, False
    return "", False, False
