"""Decides which code belongs to the user: files below the program's directory, except
environments, site-packages and the standard library, if they are there."""

import os
import sys

from _npdb import callees, channel, effects, forms_library, library, namespaces, store, telling, tracer
from _npdb.codes import FILE, Info

FOREIGN = ("site-packages", "dist-packages", "__pypackages__", "node_modules")

TEXTS = "<**"  # the pattern of all code that was compiled from a string

roots = []  # directories whose code is the user's
include = []  # patterns that add files to user code
exclude = []  # patterns that remove files
matched = set()  # those patterns that matched a file
named = set()  # paths without symbolic links of files that always belong to the user
files = {}  # co_filename -> File or None
by_path = {}  # path -> File
stops = {}  # path without symbolic links -> {line: breakpoints}, also for files not seen yet
archives = {}  # the prefix of paths in a zip file -> function that reads one of them
own = {}  # co_filename of a program that is not a file -> ids of its code objects
kept = []  # code objects of libraries, kept alive so that their ids are not used again


class File:
    __slots__ = ("index", "path", "real", "lines", "stops", "text", "found", "codes")

    def __init__(self, path, source):
        self.path = path
        self.text = text = decoded(source)
        self.found = None
        self.codes = None  # the code of the file, once its module runs
        folded = text.replace("\r\n", "\n").replace("\r", "\n")
        self.lines = folded.count("\n") + (1 if folded and not folded.endswith("\n") else 0)
        self.real = path if path.startswith("<") else os.path.realpath(path)  # under whatever name
        self.stops = stops.setdefault(self.real, {})
        self.define()
        by_path[path] = self

    def define(self):
        """Defines the file for npdb, under the next number."""
        global defined
        self.index = defined
        defined += 1
        channel.definition(FILE, self.path, self.text, self.real)

    def effects(self):
        """Returns the effects of the file's lines."""
        if self.found is None:
            self.found = effects.of(self.text)
            if not again:
                self.text = None
        return self.found


def decoded(source):
    """Decodes source bytes as the interpreter does (PEP 263)."""
    encoding = "utf-8"
    if source.startswith(b"\xef\xbb\xbf"):
        source = source[3:]
    else:
        for line in source.split(b"\n", 2)[:2]:
            line = line.strip()
            if line and not line.startswith(b"#"):
                break
            at = line.find(b"coding")
            if at >= 0 and line[at + 6 : at + 7] in (b":", b"="):
                name = line[at + 7 :].strip()
                end = 0
                while end < len(name) and (name[end : end + 1].isalnum() or name[end : end + 1] in b"-_."):
                    end += 1
                encoding = name[:end].decode("ascii", "replace") or encoding
                break
    try:
        return source.decode(encoding, "replace")
    except LookupError:
        return source.decode("utf-8", "replace")


def lastline(code):
    last = code.co_firstlineno
    if hasattr(code, "co_lines"):
        for _, _, line in code.co_lines():
            if line is not None and line > last:
                last = line
    else:
        for _, line in library.take("dis").findlinestarts(code):
            if line is not None and line > last:
                last = line
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            last = max(last, lastline(const))
    return last


def patterns(globs):
    """Compiles globs over paths: * and ? match within a folder, ** across folders. A
    glob that does not start at the root matches the end of a path, and one for a folder
    matches all files in it. Returns each glob with its pattern."""
    if not globs:
        return []
    re = library.take("re")
    found = []
    for glob in globs:
        text = "" if glob.startswith(("/", "**")) or os.path.isabs(glob) else "(?:.*/)?"
        at = 0
        while at < len(glob):
            if glob.startswith("**/", at):
                text += "(?:.*/)?"
                at += 3
            elif glob.startswith("**", at):
                text += ".*"
                at += 2
            else:
                c = glob[at]
                text += {"*": "[^/]*", "?": "[^/]"}.get(c) or re.escape(c)
                at += 1
        found.append((glob, re.compile(text.rstrip("/") + "(?:/.*)?", re.DOTALL)))
    return found


def matching(globs, path):
    """Returns whether a path matches one of the globs, and notes which ones have
    matched."""
    found = [glob for glob, pattern in globs if pattern.fullmatch(path)]
    matched.update(found)
    return bool(found)


def unmatched():
    """Returns the globs that matched no file."""
    return [glob for glob, _ in include + exclude if glob not in matched and glob != TEXTS]


def admit(path):
    """Makes a file user code from now on. Returns False if it already was. Raises
    ValueError with the reason if this is impossible."""
    real = os.path.realpath(path)
    if real in named or path in by_path or is_users(path):
        return False
    if is_frozen(real):
        raise ValueError(
            "%s is built into the interpreter (a frozen module): what runs is not the file, and nothing stops there"
            % path
        )
    frame = sys._getframe()
    while frame is not None:
        if os.path.realpath(frame.f_code.co_filename) == real:
            raise ValueError(
                "%s is not debugged, and a function of it is on the stack: what already runs cannot be followed"
                " (--user-code with this path makes the file user code from the start)" % path
            )
        frame = frame.f_back
    named.add(real)
    same = {name for name in files if not name.startswith("<") and os.path.realpath(name) == real}
    for name in same:
        del files[name]
    for code in kept:
        if code.co_filename in same and tracer.infos.get(id(code)) is False:
            del tracer.infos[id(code)]
    return True


def is_frozen(real):
    """Returns whether the functions of a file are frozen into the interpreter, so that
    they do not know their file."""
    folder = os.path.join(os.path.realpath(library.folder), "")
    if not real.startswith(folder):
        return False
    parts = os.path.splitext(real[len(folder) :])[0].split(os.sep)
    if parts[-1] == "__init__":
        parts.pop()
    origin = "<frozen " + ".".join(parts) + ">"
    for module in list(sys.modules.values()):
        if isinstance(module, type(sys)):
            for value in list(object.__getattribute__(module, "__dict__").values()):
                if type(value) is type(is_frozen) and value.__code__.co_filename == origin:
                    return True
    return False


def is_users(path):
    if named and os.path.realpath(path) in named:
        return True
    excluded, included = matching(exclude, path), matching(include, path)
    if excluded:
        return False
    if included:
        return True
    for root in roots:
        if not path.startswith(root):
            continue
        rest = path[len(root) :].split(os.sep)
        if any(part in FOREIGN for part in rest):
            return False
        if library.holds(path) and not library.holds(root):
            return False
        folder = root
        for part in rest[:-1]:
            folder = os.path.join(folder, part)
            if os.path.exists(os.path.join(folder, "pyvenv.cfg")):
                return False
        return True
    return False


def file_of(name):
    if name in own:
        return own[name][0]
    if name.startswith("<"):
        return None
    path = os.path.abspath(name)
    if path in by_path:
        return by_path[path]
    if not is_users(path):
        return None
    try:
        source = source_of(path)
    except OSError:
        return None
    return File(path, source)


def source_of(path):
    for prefix, reading in archives.items():
        if path.startswith(prefix):
            return reading(path[len(prefix) :])
    fd = os.open(path, os.O_RDONLY)
    try:
        source = b""
        while True:
            piece = os.read(fd, 1 << 20)
            if not piece:
                return source
            source += piece
    finally:
        os.close(fd)


def classify(code):
    """Returns the Info of a code object of user code, or False."""
    global numbered
    name = code.co_filename
    if name in files:
        file = files[name]
    else:
        file = files[name] = file_of(name)
    if file is None and name not in own:
        file = of_text(code)
    if file is not None and name in own and id(code) not in own[name][1]:
        file = None  # exec of a string inside a program given as a string
    if file is None:
        kept.append(code)
        tracer.infos[id(code)] = False
        return False
    if file.index is None:
        file.define()
    # It gets its number when it is written, because writing may fail when the stack is
    # almost full.
    before = tracer.earlier.pop(id(code), None)
    info = Info(code, file, numbered, lastline(code) if before is None else before.last, before)
    numbered += 1
    if file.codes is None and code.co_name == "<module>":
        file.codes = set(codes_in(code))
    info.foreign = file.codes is not None and code not in file.codes
    tracer.infos[id(code)] = info
    return info


def module_info(file):
    """Returns an Info for the body of a module whose code object is not known."""
    global numbered
    info = Info(compile("", file.path, "exec", dont_inherit=True), file, numbered, 1)
    numbered += 1
    return info


def renew():
    """Makes the next recording define files and code objects again. What is known of
    their lines is kept."""
    global again, numbered, defined
    again = True
    numbered = defined = 0
    for file in by_path.values():
        file.index = None
    for address, info in list(tracer.infos.items()):
        if info:
            tracer.earlier[address] = info
            del tracer.infos[address]


again = False  # files may be defined again
numbered = 0
defined = 0  # number of files so far
of_text = None  # returns the File of code that was compiled from a string; set by texts


def codes_in(code):
    """Yields a code object and all code objects inside it."""
    yield code
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            yield from codes_in(const)


def register(code, text):
    """Registers the code objects of a program that is not a file as user code."""
    ids = set()
    todo = [code]
    while todo:
        c = todo.pop()
        ids.add(id(c))
        kept.append(c)
        todo.extend(const for const in c.co_consts if hasattr(const, "co_code"))
    own[code.co_filename] = (File(code.co_filename, text.encode("utf-8", "replace")), ids)


tracer.classify = classify
namespaces.module_info = module_info
forms_library.files = files


def reading(code):
    """Returns what a __repr__ reads: "own", "reach" or "any", and the names of the
    attributes."""
    file = files.get(code.co_filename)
    lines = None if file is None else file.effects()
    return ("any", None) if lines is None else lines.reads(code.co_firstlineno)


def is_traced(code):
    """Returns whether calls of a code object are events."""
    name = code.co_filename
    if name not in files:
        return file_of(name) is not None
    return files[name] is not None or bool(tracer.infos.get(id(code)))


def replan():
    """Discards the plans of all lines, because more is known about what lines may
    change."""
    for info in [*tracer.infos.values(), *tracer.earlier.values()]:
        if info:
            info.plans.clear()


telling.reading = reading
callees.user = is_traced
store.on_news = replan
