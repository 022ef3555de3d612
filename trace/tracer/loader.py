"""The program that npdb starts: it receives the tracer's modules from npdb and starts
the tracer.

npdb writes one line before this text, which defines given: the descriptors of the
shared memory, events, commands, credits and of this text, the number of chunks and
their size, and a file for compiled code. Without a memory (-1) npdb only wants the
compiled code: see compiled.go. The arguments are the program's, as python would have
them, so that process listings show the program.

A process that runs already gets this text without a descriptor of it (-1), and runs it
by exec: see attached.py.
"""

import sys

if given[4] >= 0 and not getattr(sys.flags, "safe_path", sys.flags.isolated):
    del sys.path[0]  # a module in the folder of this text must not replace a library module

import builtins
import gc
import marshal
import os

collecting = gc.isenabled()
gc.disable()  # nothing that is loaded here becomes garbage


def gone():
    """Handles the end of npdb."""
    if given[4] < 0 <= given[0]:
        raise EOFError("npdb has ended")
    os._exit(1)


def field(n):
    data = b""
    while len(data) < n:
        got = os.read(commands, n - len(data))
        if not got:
            gone()
        data += got
    return data


def data():
    return field(int.from_bytes(field(4), "little"))


def message():
    body = data()
    found = []
    at = 0
    while at < len(body):
        n = int.from_bytes(body[at : at + 4], "little")
        found.append(body[at + 4 : at + 4 + n].decode("utf-8", "surrogateescape"))
        at += 4 + n
    return found


def compiled(name, source):
    return marshal.dumps(compile(source, "<npdb %s>" % name, "exec", dont_inherit=True))


def kept(path):
    """Returns the compiled code from an earlier run of the same interpreter, for each
    module separately, because not all are loaded. Code that somebody else may have
    written is not run."""
    try:
        with open(path, "rb") as f:
            about = os.fstat(f.fileno())
            if about.st_uid != os.geteuid() or about.st_mode & 0o022:
                return None
            return marshal.loads(f.read())  # load would read the file in small pieces
    except Exception:
        return None


def keep(path, codes):
    own = "%s.%d" % (path, os.getpid())
    try:
        with open(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "wb") as f:
            marshal.dump(codes, f)
        os.rename(own, path)
    except OSError:
        pass


if sys.version_info < (3, 9):
    os.write(given[1], b"O")
    os._exit(1)
memory, events, commands, credits, text, count, size, cache = given
cache = os.fsdecode(cache)
if text >= 0:
    os.close(text)
    sys.path_importer_cache.pop(__file__, None)
    if hasattr(sys, "orig_argv"):
        sys.orig_argv.remove(__file__)
    del __file__
    globals().pop("__cached__", None)  # up to 3.14
import _frozen_importlib_external

magic = _frozen_importlib_external.MAGIC_NUMBER
if cache:
    cache += "-" + magic.hex()
codes = kept(cache) if cache else None
os.write(events, b"C" + magic if codes is None else b"K")
if codes is None:
    handed = data()
    if handed:
        codes = marshal.loads(handed)
    else:
        found = message()
        codes = {name: compiled(name, source) for name, source in zip(found[::2], found[1::2])}
        if cache:
            keep(cache, codes)
if memory < 0:
    with open(events, "wb") as f:
        f.write(magic + marshal.dumps(codes))
    os._exit(0)
package = type(sys)("_npdb")
package.__path__ = []
sys.modules["_npdb"] = package
bound = type(sys)("_npdb.bound")
bound.__dict__["__builtins__"] = dict(builtins.__dict__)
exec(marshal.loads(codes["bound"]), bound.__dict__)
package.bound, bound.package, bound.codes, bound.loaded["bound"] = bound, package, codes, bound
load = bound.load
load("library")
load("descriptors")
channel = load("channel")
found = message()
count_args = int(found[0])
options = dict(zip(found[1 + count_args :: 2], found[2 + count_args :: 2]))
options["args"] = found[1 : 1 + count_args]
options["load"] = load
options["collecting"] = collecting
if options["repeat"]:
    bound.without_audits()
channel.setup(memory, events, commands, credits, count, size)
for name in (
    "render", "quiet", "forms_library", "forms_arrays", "forms_reading", "forms_shapes", "forms", "scopes", "codes", "raised",
    "known", "source", "places", "following", "callees", "calls", "statements", "lines", "reads", "effects", "entries", "patience",
    "contents", "store", "telling", "heaps", "changing", "activations", "binding", "namespaces", "answers", "escaped", "settling", "quick", "changes", "tracer",
    "auditing", "usercode", "threads", "imports", "texts", "archive", "builtin_input", "arming", "streams", "landing", "unrecorded", "signals", "moves", "elsewhere", "breaks",
    "ending", "bottom",
):
    load(name)
channel.send(b"H", sys.version.split()[0], sys.implementation.name, sys.executable or "", sys.prefix)
if text >= 0:
    load("launch").run(options)
else:
    load("attached").prepare(options)
