"""Which code is the user's: what lives under the program's directory, without
environments, site-packages and the standard library that may lie there."""

import os

from _npdb import channel, tracer
from _npdb.codes import FILE, Info

FOREIGN = ("site-packages", "dist-packages", "__pypackages__", "node_modules")

roots = []  # directories whose code is the user's
include = []  # patterns that add files
exclude = []  # patterns that take files away
library = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
files = {}  # co_filename -> File or None
by_path = {}  # path -> File
stops = {}  # path -> {line: a breakpoint}, also of files not seen yet
own = {}  # co_filename of a program that is no file -> ids of its code objects
kept = []  # code objects of libraries, so that their ids are not used again


class File:
    __slots__ = ("index", "path", "lines", "stops")

    def __init__(self, path, source):
        self.index = len(by_path)
        self.path = path
        text = decoded(source)
        folded = text.replace("\r\n", "\n").replace("\r", "\n")
        self.lines = folded.count("\n") + (1 if folded and not folded.endswith("\n") else 0)
        self.stops = stops.setdefault(path, {})
        channel.definition(FILE, path, text)
        by_path[path] = self


def decoded(source):
    """Source bytes as text: PEP 263, as the interpreter reads them."""
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
        import dis

        for _, line in dis.findlinestarts(code):
            if line is not None and line > last:
                last = line
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            last = max(last, lastline(const))
    return last


def patterns(globs):
    """Globs over whole paths: * and ? stay within a folder, ** does not."""
    if not globs:
        return []
    import re

    found = []
    for glob in globs:
        text = ""
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
        found.append(re.compile(text, re.DOTALL))
    return found


def is_users(path):
    if any(p.fullmatch(path) for p in exclude):
        return False
    if any(p.fullmatch(path) for p in include):
        return True
    for root in roots:
        if not path.startswith(root):
            continue
        rest = path[len(root) :].split(os.sep)
        if any(part in FOREIGN for part in rest):
            return False
        if path.startswith(library) and not root.startswith(library):
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
        fd = os.open(path, os.O_RDONLY)
        try:
            source = b""
            while True:
                piece = os.read(fd, 1 << 20)
                if not piece:
                    break
                source += piece
        finally:
            os.close(fd)
    except OSError:
        return None
    return File(path, source)


def classify(code):
    """The Info of a code object of user code, or False."""
    global numbered
    name = code.co_filename
    if name in files:
        file = files[name]
    else:
        file = files[name] = file_of(name)
    if file is not None and name in own and id(code) not in own[name][1]:
        file = None  # exec of a string inside a program given as a string
    if file is None:
        kept.append(code)
        tracer.infos[id(code)] = False
        return False
    # Numbered only once it is written: at the end of the stack that may fail.
    info = Info(code, file, numbered, lastline(code))
    numbered += 1
    tracer.infos[id(code)] = info
    return info


numbered = 0


def register(code, text):
    """A program that is no file: its code objects are the user's."""
    ids = set()
    todo = [code]
    while todo:
        c = todo.pop()
        ids.add(id(c))
        kept.append(c)
        todo.extend(const for const in c.co_consts if hasattr(const, "co_code"))
    own[code.co_filename] = (File(code.co_filename, text.encode("utf-8", "replace")), ids)


tracer.classify = classify
