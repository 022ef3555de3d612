"""Handles code compiled from a string instead of a file: a notebook cell, a doctest
example, a method that attrs generates.

It is user code if linecache has its source, as for pdb, and if it belongs to the
program. It does so if its globals, or the class whose method it is, are those of
__main__ or of a module of the user, or if user code is the first to call it. linecache
may also have a loader that reads the source on demand. That would run code of the
program, so such code is not user code.
"""

import os
import sys

from _npdb import library, scopes, tracer, usercode
from _npdb.following import FunctionType, type_dict, type_mro

ModuleType = type(sys)
MethodType = type(library.take.__get__(0))
EXCLUDED = frozenset(("<timeit-src>",))  # the code that timeit measures is not user code

made = {}  # co_filename -> {text: File}
parts = {}  # id of a code object within an examined one -> File


def file_of(code):
    """Returns the File of a code object that was compiled from a string, or None. The
    code must be on the stack."""
    if id(code) in parts:
        return parts[id(code)]
    name = code.co_filename
    text = source_of(name)
    if text is None or name in EXCLUDED or usercode.matching(usercode.exclude, name) or not is_users(code):
        return None
    if not name.startswith("<") and os.path.isfile(name):
        return None  # library code: linecache has its source because of a traceback
    texts = made.setdefault(name, {})
    file = texts.get(text)
    if file is None:
        path = name if not texts else "%s #%d" % (name, len(texts) + 1)
        file = texts[text] = usercode.File(path, text.encode("utf-8", "replace"))
    for part in usercode.codes_in(code):
        parts[id(part)] = file  # regardless of what linecache stores later under this name
    return file


def source_of(name):
    """Returns the text that linecache has for a name, or None."""
    names = names_of(sys.modules.get("linecache"))
    lines = None
    if names is not None:
        entry = names.get("cache")
        entry = entry.get(name) if type(entry) is dict else None
        if type(entry) is tuple and len(entry) == 4:
            lines = entry[2]
        elif name.startswith("<doctest "):
            lines = of_doctest(names.get("getlines"), name)
    if type(lines) is not list or not lines or any(type(line) is not str for line in lines):
        return None
    return "".join([line if line.endswith("\n") else line + "\n" for line in lines])


def of_doctest(getlines, name):
    """Returns the lines of an example: while a doctest runs, a method of its runner
    replaces linecache.getlines."""
    number = name[name.rfind("[") + 1 : -2]
    if type(getlines) is not MethodType or not number.isdecimal():
        return None
    examples = attributes(attributes(getlines.__self__).get("test")).get("examples")
    if type(examples) is not list or int(number) >= len(examples):
        return None
    source = attributes(examples[int(number)]).get("source")
    return source.splitlines(True) if type(source) is str else None


def attributes(value):
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}


def names_of(module):
    return object.__getattribute__(module, "__dict__") if type(module) is ModuleType else None


def is_users(code):
    """Reports whether code that was compiled from a string belongs to the program."""
    frame = sys._getframe()
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    if frame is None:
        return False
    for name in (dict.get(frame.f_globals, "__name__"), class_module(frame)):
        if name == "__main__":
            return True
        names = names_of(sys.modules.get(name)) if type(name) is str else None
        path = names.get("__file__") if names is not None else None
        if type(path) is str:
            return usercode.is_users(os.path.abspath(path))
    return frame.f_back is not None and bool(tracer.infos.get(id(frame.f_back.f_code)))


def class_module(frame):
    """Returns the name of the module of the class whose method a frame runs, or None."""
    code = frame.f_code
    if not code.co_argcount or not code.co_flags & 1:
        return None
    first = scopes.of(frame).get(code.co_varnames[0])
    for cls in type_mro(type(first)) + (type_mro(first) if isinstance(first, type) else ()):
        own = type_dict(cls)
        for value in own.values():
            if type(value) is FunctionType and value.__code__ is code:
                return own.get("__module__")
    return None


usercode.of_text = file_of
