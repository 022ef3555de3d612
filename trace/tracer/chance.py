"""Notes what the program takes from chance: clocks, entropy, the seeds of random. A later
run can be given the notes, and then takes the same values.

The functions of time and os are replaced by objects that call them. An object of class
Noted binds to no instance, pickles by name, and looks like the function otherwise, so
that a program that keeps one in a class or passes it on works as before.
"""

import sys

from _npdb import callees, channel, imports, outside, render
from _npdb.bound import original_import

marshal = original_import("marshal")
MOST = 2048  # notes that are kept before they are sent

notes = []  # name and value of each, as pairs, that npdb does not have yet
count = 0  # notes of this run, the given ones included
given = []  # the notes of the earlier run, the next one last
repeating = False  # this run takes the values of an earlier one
pid = None  # the earlier run's process id
functions = {}  # name -> the object that replaces the function


class Noted:
    """Replaces a function of a module."""

    def __init__(self, real, name):
        self.real = real
        self.name = name
        self.__module__, self.__name__, self.__qualname__ = real.__module__, real.__name__, real.__qualname__
        self.__doc__, self.__self__ = real.__doc__, real.__self__

    def __repr__(self):
        return "<built-in function %s>" % self.__name__

    def __reduce__(self):
        return self.__name__


class Clock(Noted):
    """A function whose value is noted."""

    def __call__(self, *args, **kwargs):
        if given:
            return taken(self.name)
        value = self.real(*args, **kwargs)
        note(self.name, value)
        return value


class Calendar(Noted):
    """A function that reads the clock if it is given no time."""

    def __call__(self, *args):
        before = 1 if self.name == "strftime" else 0
        if len(args) == before or args == (None,) and self.name not in ("asctime", "strftime"):
            args = args[:before] + (self.now(),)
        return self.real(*args)

    def now(self):
        seconds = functions["time"]()
        return functions["localtime"].real(seconds) if self.name in ("asctime", "strftime") else seconds


class Sleep(Noted):
    """time.sleep: a run that repeats another does not wait."""

    def __call__(self, *args, **kwargs):
        if repeating and not kwargs and len(args) == 1 and type(args[0]) in (int, float) and args[0] >= 0:
            return None
        return self.real(*args, **kwargs)


class Process(Noted):
    """os.getpid, and os.kill of the process itself."""

    def __call__(self, *args, **kwargs):
        if pid is None:
            return self.real(*args, **kwargs)
        if self.name == "getpid":
            return pid
        if args and args[0] == pid:
            args = (functions["getpid"].real(),) + args[1:]
        return self.real(*args, **kwargs)


class Starter(Noted):
    """_thread.start_new_thread, which is no audit event before Python 3.12."""

    def __call__(self, *args, **kwargs):
        outside.threads()
        return self.real(*args, **kwargs)


CLOCKS = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns",
    "thread_time", "thread_time_ns", "clock_gettime", "clock_gettime_ns",
)  # fmt: skip
CALENDARS = ("localtime", "gmtime", "ctime", "asctime", "strftime")


def note(name, value):
    global count
    notes.append((name, value))  # at once: other threads note things too
    count += 1
    if len(notes) >= MOST:
        send()


def taken(name):
    """Returns the value that the earlier run took."""
    noted, value = given.pop()
    if noted != name:
        outside.differs("it asked for %s where the first run asked for %s" % (name, noted))
    note(name, value)
    return value


def settle():
    """Ends the repetition: from now on the run is like any other, and takes values of its own."""
    global repeating
    repeating = False
    given.clear()
    outside.guarding = False


def send():
    """Sends the notes that npdb does not have, and the reasons why the run cannot be
    repeated."""
    found = notes[:]
    del notes[: len(found)]
    blob = marshal.dumps(found)
    channel.send(b"Z", str(count), blob, *outside.news())


def install(options):
    """Replaces the functions. options["chance"] has the notes of an earlier run."""
    global pid, repeating
    outside.install(options)
    render.DEFINED += (Noted,)
    callees.wrappers.update((Clock, Calendar, Sleep, Process, Starter))
    for text in filter(None, options["chance"].split(",")):
        given.extend(marshal.loads(bytes.fromhex(text)))
    given.reverse()
    if options["pid"]:
        pid, repeating = int(options["pid"]), True
    time, posix = sys.modules.get("time") or original_import("time"), sys.modules.get("posix")
    for kind, names in ((Clock, CLOCKS), (Calendar, CALENDARS), (Sleep, ("sleep",))):
        for name in names:
            replace(kind, name, time)
    for kind, names in ((Clock, ("urandom", "getrandom")), (Process, ("getpid", "kill"))):
        for name in names:
            replace(kind, name, sys.modules["os"], posix)
    if sys.version_info < (3, 12):
        replace(Starter, "start_new_thread", sys.modules.get("_thread") or original_import("_thread"))
        if "threading" in sys.modules:
            sys.modules["threading"]._start_new_thread = functions["start_new_thread"]
    imports.on_import("random", seeds)


def replace(kind, name, *modules):
    real = getattr(modules[0], name, None)
    if real is not None:
        functions[name] = made = kind(real, name)
        for module in modules:
            if module is not None:
                setattr(module, name, made)


def seeds(module):
    """Makes Random() and seed() of the module take a noted seed where they would take one
    from the system."""
    original = module.Random.seed
    if hasattr(module, "_urandom"):
        module._urandom = functions["urandom"]

    def seed(self, a=None, version=2):
        if a is None and given:
            a = taken("seed")
        elif a is None:
            a = int.from_bytes(functions["urandom"].real(32), "little")
            note("seed", a)
        return original(self, a, version)

    seed.__doc__, seed.__module__, seed.__qualname__ = original.__doc__, original.__module__, original.__qualname__
    seed.__wrapped__ = original
    module.Random.seed = seed
    if getattr(module, "_inst", None) is not None:
        module.seed = module._inst.seed
        module._inst.seed()
