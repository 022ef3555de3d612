"""What a program may not do while it is recorded, noticed where it does it.

The reasons are for whoever reads why a program gave no recording: containment does not
depend on them. What is left are programs whose recording is the same each time, but for
what cannot be noticed here, such as datetime.now().
"""

import os
import random
import sys
import time

from .giving_up import CHANCE, CLOCK, FILES, NATIVE, NETWORK, PROCESSES, THREADS, TRACING, GiveUp
from .tracing import FILE

# Audit events (PEP 578) by how they begin.
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
HARMLESS = frozenset(("os.putenv", "os.unsetenv"))
IMPORTING = ("<frozen importlib", "<frozen zipimport")  # files of whoever reads to import
OURS = os.path.join(os.path.dirname(__file__), "")
STARTING = frozenset(  # functions, which have no audit event everywhere
    ("start_new", "start_new_thread", "start_joinable_thread", "_start_new_thread", "_start_joinable_thread")
)
CLOCKS = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns",
    "thread_time", "thread_time_ns", "localtime", "gmtime", "ctime",
)


away = False  # what the generators try is looked at by them: it may turn tracing off, which has an audit event


def watch():
    """Gives the program up at its first effect, from here to the end of the process."""
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
            setattr(time, name, asked(name, now))
    os.urandom = refusing(os.urandom, CHANCE)
    random.Random.seed = seeding(random.Random.seed)
    random.seed = random._inst.seed
    for module in filter(None, map(sys.modules.get, ("_thread", "threading"))):
        for name in STARTING.intersection(vars(module)):
            setattr(module, name, refusing(getattr(module, name), THREADS))
    sys.addaudithook(hook)


def asked(name, now):
    """A clock that the program itself may not read; what it imported may."""
    given = 1 if name in ("localtime", "gmtime", "ctime") else 0

    def clock(*args):
        if away or len(args) == given and given or sys._getframe(1).f_code.co_filename != FILE:
            return now(*args)
        raise GiveUp(CLOCK)

    clock.__name__ = clock.__qualname__ = name
    clock.__module__ = "time"
    return clock


def seeding(original):
    """random.Random.seed, less the one by chance."""

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
