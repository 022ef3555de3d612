"""Detects side effects that a program must not have while it is recorded, when the program causes
them.

The reasons explain why a program has no recording; the containment does not depend on them. An
accepted program has the same recording each time, except for addresses and for effects that are
not detected here, such as datetime.now().
"""

import _random
import os
import posix
import random
import sys
import time

try:
    import _uuid
except ImportError:  # the interpreter was built without this module
    _uuid = None

from .giving_up import CHANCE, CLOCK, FILES, NATIVE, NETWORK, PROCESSES, THREADS, TRACING, GiveUp
from .tracing import FILE

# Prefixes of audit events (PEP 578), by reason.
REASONS = {
    "os.fork": PROCESSES,
    "os.forkpty": PROCESSES,
    "os.posix_spawn": PROCESSES,
    "os.exec": PROCESSES,
    "os.spawn": PROCESSES,
    "os.system": PROCESSES,
    "os.kill": PROCESSES,
    "os.killpg": PROCESSES,
    "subprocess.Popen": PROCESSES,
    "pty.spawn": PROCESSES,
    "signal.pthread_kill": PROCESSES,
    "socket.connect": NETWORK,
    "socket.bind": NETWORK,
    "socket.getaddrinfo": NETWORK,
    "socket.gethostbyname": NETWORK,
    "socket.gethostbyaddr": NETWORK,
    "socket.sendto": NETWORK,
    "socket.sendmsg": NETWORK,
    "urllib.Request": NETWORK,
    "sys.settrace": TRACING,
    "sys.setprofile": TRACING,
    "sys.monitoring.register_callback": TRACING,
    "ctypes.dlopen": NATIVE,
    "ctypes.call_function": NATIVE,
    "ctypes.cdata": NATIVE,
    "ctypes.string_at": NATIVE,
    "sqlite3.connect": FILES,
    "mmap.__new__": FILES,
}
OF_FILES = ("open", "os.", "shutil.", "tempfile.", "glob.", "pathlib.", "fcntl.")
OF_UUID = frozenset(("generate_time_safe", "UuidCreate"))
HARMLESS = frozenset(("os.putenv", "os.unsetenv"))
IMPORTING = ("<frozen importlib", "<frozen zipimport")  # modules that open files to import
OURS = os.path.join(os.path.dirname(__file__), "")
STARTING = frozenset(  # functions without an audit event on some systems
    ("start_new", "start_new_thread", "start_joinable_thread", "_start_new_thread", "_start_joinable_thread")
)
CLOCKS = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns",
    "thread_time", "thread_time_ns", "clock_gettime", "clock_gettime_ns", "localtime", "gmtime", "ctime", "asctime", "strftime",
)
GIVEN = {"localtime": 0, "gmtime": 0, "ctime": 0, "asctime": 0, "strftime": 1}  # the index of the time argument; without it the function reads the clock
WHO = (  # functions whose result depends on the process or its user
    "getpid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid",
    "getgroups", "getlogin",
)


away = False  # True while the generators try their programs: turning tracing off for that is an audit event


def watch():
    """From now on, raises GiveUp at the program's first forbidden side effect."""
    get = REASONS.get
    frame_of = sys._getframe

    def hook(event, args):
        if away:
            return
        reason = get(event)
        if reason is None:
            if not event.startswith(OF_FILES) or event in HARMLESS:
                return
            reason = FILES
        caller = frame_of(1).f_code.co_filename
        if not caller.startswith(OURS) and not (reason is FILES and caller.startswith(IMPORTING)):
            raise GiveUp(reason)

    for name in CLOCKS:
        now = getattr(time, name, None)
        if now is not None:
            setattr(time, name, asked("time", name, now, CLOCK))
    asking = [("times", asked("posix", "times", os.times, CLOCK))]
    asking += [(name, asked("posix", name, getattr(os, name), CHANCE)) for name in WHO if hasattr(os, name)]
    asking += [(name, refusing(getattr(os, name), CHANCE)) for name in ("urandom", "getrandom") if hasattr(os, name)]
    for name, function in asking:
        setattr(os, name, function)
        setattr(posix, name, function)
    random._urandom = os.urandom
    if _uuid is not None:
        for name in OF_UUID.intersection(vars(_uuid)):
            setattr(_uuid, name, refusing(getattr(_uuid, name), CHANCE))
    random.Random.__new__ = staticmethod(seeded(_random.Random.__new__))
    _random.Random = random.Random
    random.Random.seed = seeding(random.Random.seed)
    random.seed = random._inst.seed
    for module in filter(None, map(sys.modules.get, ("_thread", "threading"))):
        for name in STARTING.intersection(vars(module)):
            setattr(module, name, refusing(getattr(module, name), THREADS))
    sys.addaudithook(hook)


def asked(module, name, function, reason):
    """Returns a replacement for a function that reads a clock or something similar. It raises
    GiveUp if the program itself calls it. Modules that the program imports may call it."""
    given = GIVEN.get(name)

    def ask(*args):
        told = given is not None and len(args) > given and args[given] is not None
        if away or told or sys._getframe(1).f_code.co_filename != FILE:
            return function(*args)
        raise GiveUp(reason)

    ask.__name__ = ask.__qualname__ = name
    ask.__module__ = module
    return ask


def seeded(new):
    """Returns a replacement for the __new__ of random generators that always uses the seed 0,
    where the original uses a random seed. A class whose __init__ does not pass a seed would
    keep the random one."""

    def make(cls, *args, **named):
        return new(cls, 0)

    return make


def seeding(original):
    """Returns a replacement for random.Random.seed that raises GiveUp if there is no argument, as
    the seed would be random."""

    def seed(self, a=None, *args, **named):
        if a is None and not away:
            raise GiveUp(CHANCE)
        return original(self, a, *args, **named)

    return seed


def refusing(function, reason):
    def refuse(*args, **named):
        if away:
            return function(*args, **named)
        raise GiveUp(reason)

    return refuse
