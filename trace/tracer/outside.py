"""Notes why a run cannot be repeated exactly: threads, processes, sockets, signals, lasting
writes and what the program reads outside its files, as the interpreter's audit events
report them; and code whose results depend on addresses or on garbage collection.
"""

import os
import stat
import sys

from _npdb import channel, moves, quiet, render, scopes, signals, tracer
from _npdb.bound import program_sys
from _npdb.codes import OPMAP

thorough = False  # a past may be made of this run, not only a branch
guarding = False  # this run repeats another, in which nothing of this happened
allowed = ()  # kinds of reasons that the user has allowed to happen again
reasons = {}  # kind -> what happened first
files = {}  # path -> modification time and size, of the files that were opened for reading
examined = 0  # code objects of tracer.infos that were examined
clock = None  # the first name that may be a clock of datetime
sets = None  # the first function that makes a set
told = {}  # the reasons that npdb has
sent = 0  # the files that npdb has

THREAD, PROCESS, SOCKET, SIGNAL, WRITE, READ, CLOCK, ADDRESS, COLLECTOR = (
    "thread", "process", "socket", "signal", "write", "read", "clock", "address", "collector",
)  # fmt: skip

EVENTS = {
    THREAD: ("_thread.start_new_thread", "_thread.start_joinable_thread"),
    PROCESS: (
        "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "pty.spawn", "subprocess.Popen",
        "ctypes.dlopen", "webbrowser.open",
    ),
    SOCKET: (
        "socket.__new__", "socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname", "socket.gethostname", "urllib.Request",
        "ftplib.connect", "http.client.connect", "smtplib.connect", "sqlite3.connect",
    ),
    SIGNAL: ("os.kill", "os.killpg", "signal.pthread_kill"),
    WRITE: (
        "os.chflags", "os.chmod", "os.chown", "os.link", "os.lockf", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.setxattr",
        "os.removexattr", "os.symlink", "os.truncate", "os.utime", "shutil.copyfile", "shutil.move", "shutil.rmtree", "fcntl.flock",
    ),
}  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
NOWHERE = frozenset((os.devnull, "/dev/tty", "/dev/stdout", "/dev/stderr"))
DEVICES = ("/dev/", "/proc/", "/sys/", "/run/")

# Names that user code reads, and what they make the run depend on.
NAMES = {
    "get_ident": (ADDRESS, "get_ident() gives an address"),
    "uuid1": (CLOCK, "uuid1() reads a clock that npdb cannot note"), "getnode": (CLOCK, "getnode() reads the machine's address"),
    "getrusage": (CLOCK, "getrusage() measures the process"), "tracemalloc": (CLOCK, "tracemalloc measures the memory"),
    "times": (CLOCK, "os.times() measures the process"), "getloadavg": (CLOCK, "getloadavg() measures the machine"),
    "multiprocessing": (PROCESS, "it uses multiprocessing"),
    "__del__": (COLLECTOR, "a class has __del__"), "weakref": (COLLECTOR, "it uses weak references"), "gc": (COLLECTOR, "it uses the garbage collector"),
    "getrefcount": (COLLECTOR, "getrefcount() counts references"),
}  # fmt: skip
CLOCKS = frozenset(("now", "utcnow", "today"))
SETS = frozenset(("set", "frozenset", "hash"))  # builtins by which the order of hashes matters
EXTENDED, LOADING = OPMAP["EXTENDED_ARG"], frozenset((OPMAP["LOAD_NAME"], OPMAP["LOAD_GLOBAL"]))
SHIFT = 1 if sys.version_info >= (3, 11) else 0  # of the argument of LOAD_GLOBAL
MAKING_SETS = frozenset(OPMAP[name] for name in ("BUILD_SET", "SET_ADD", "SET_UPDATE") if name in OPMAP)


def note(kind, what):
    if guarding and kind not in allowed:
        differs("it came to %s, which the first run did not" % what)
    reasons.setdefault(kind, what)


def differs(why):
    """Ends a run that no longer repeats the first one, before it can have an effect."""
    channel.send(b"Z", "", b"", "differs\0" + why)
    os._exit(1)


def audited(event, args):
    handler = HANDLERS.get(event)
    if handler is not None and channel.open_here:
        handler(event, args)


def happened(kind):
    def handler(event, args):
        if event == "ctypes.dlopen" and args[0] is None:
            return  # import ctypes
        if event == "sqlite3.connect" and args[0] in (":memory:", b":memory:") or kind == WRITE and compiled(args[0]):
            return
        note(kind, "%s (%s)" % (WORDS[kind], event))

    return handler


WORDS = {
    THREAD: "it started a thread", PROCESS: "it started a process or a foreign library", SOCKET: "it used a socket or a database",
    SIGNAL: "it used signals", WRITE: "it changed files",
}  # fmt: skip


def compiled(path):
    """Returns whether a path is that of compiled code, or of a file that becomes it."""
    try:
        name = os.fsdecode(path)
    except TypeError:
        return False
    return "__pycache__" in name and (".pyc" in name or name.endswith("__pycache__"))


def threads():
    note(THREAD, WORDS[THREAD])


def opened(event, args):
    path, mode, flags = args
    if isinstance(path, int):
        return
    try:
        name = os.path.abspath(os.fsdecode(path))
    except (TypeError, ValueError):
        return
    if flags & WRITING or mode and any(c in mode for c in "wax+"):
        if name not in NOWHERE and not compiled(name):
            note(WRITE, "it opened %s for writing" % name)
    elif name == "/dev/urandom" and mode is None:
        pass  # the interpreter opens it for os.urandom where there is no getrandom(2)
    elif name.startswith(DEVICES) and name not in NOWHERE:
        note(READ, "it read %s" % name)
    elif name not in files:
        try:
            about = os.stat(name)
        except OSError:
            return
        if stat.S_ISREG(about.st_mode):
            files[name] = about.st_mtime_ns, about.st_size
        elif not stat.S_ISDIR(about.st_mode):
            note(READ, "it read %s, which is no file" % name)


HANDLERS = {event: happened(kind) for kind, events in EVENTS.items() for event in events}
HANDLERS["open"] = opened


def examine():
    """Examines the code that ran since the last time."""
    global examined
    infos = list(tracer.infos.values())
    for info in infos[examined:]:
        if info:
            names_of(info.code)
    examined = len(infos)
    if clock is not None and "datetime" in sys.modules:
        note(CLOCK, "%s() of datetime reads a clock that npdb cannot note" % clock)
    if thorough and sets is not None and ADDRESS not in reasons:
        plain = plain_class() or functions_in_rows()
        if plain is not None:
            note(ADDRESS, "%s uses sets or hashes, and %s have them by address" % (sets, plain))


def names_of(code):
    global clock, sets
    for name in code.co_names:
        if name in NAMES:
            note(*NAMES[name])
        elif name in CLOCKS:
            clock = name
    if "id" in code.co_names and "id" in loaded(code):
        note(ADDRESS, "id() gives an address")
    if sets is None and (any(op in MAKING_SETS for op in code.co_code[::2]) or not SETS.isdisjoint(code.co_names) and SETS & loaded(code)):
        sets = code.co_name


def loaded(code):
    """Returns the names that code reads as globals or builtins."""
    found = set()
    arg = 0
    for op, low in zip(code.co_code[::2], code.co_code[1::2]):
        arg = arg << 8 | low
        if op == EXTENDED:
            continue
        if op in LOADING:
            n = arg >> SHIFT if op == OPMAP["LOAD_GLOBAL"] else arg
            if n < len(code.co_names):
                found.add(code.co_names[n])
        arg = 0
    return found


def plain_class():
    """Returns the name of a class of the program whose instances are hashed by address."""
    todo = [object]
    seen = set()
    for cls in todo:  # todo grows during the loop
        for one in type.__subclasses__(cls):
            if id(one) in seen:  # a metaclass may have a __hash__ of its own
                continue
            seen.add(id(one))
            todo.append(one)
            if render.lookup(one, "__hash__") is object.__hash__ and quiet.users_class(one) and not issubclass(one, BaseException):
                return "instances of %s" % render.name_of(one)
    return None


def functions_in_rows():
    """Returns "functions" or "classes" if a name of the program refers to a container of them,
    which a set may have been made of."""
    for names in [scopes.of(frame) for frame in moves.frames] + [
        render.own_dict(module, type(module)) for module in list(sys.modules.values()) if type(module) is type(sys) and users(module)
    ]:
        for value in list(names.values()):
            if type(value) in ROWS and any(issubclass(type(x), BY_ADDRESS) for x in list(value)[:1000]):
                return "functions and classes"
    return None


def users(module):
    return quiet.users_module(render.own_dict(module, type(module)).get("__name__"))


ROWS = (list, tuple, set, frozenset, dict)
BY_ADDRESS = (type, type(lambda: 0), type((lambda: 0).__get__(0)))


def news():
    """Returns the reasons and files that npdb does not have."""
    global sent
    if not guarding:
        examine()
        if signals.used:
            note(SIGNAL, "it handles signals")
    found = ["%s\0%s" % item for item in reasons.items() if item[0] not in told]
    told.update(reasons)
    for path, (time, size) in list(files.items())[sent:]:
        found.append("file\0%s\0%d\0%d" % (path, time, size))
    sent = len(files)
    return found


def install(options):
    global thorough, guarding, allowed
    thorough = options["repeat"] == "past"
    guarding, allowed = bool(options["pid"]), options["allowed"].split(",")
    program_sys.addaudithook(audited)
