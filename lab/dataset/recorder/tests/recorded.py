"""Recordings like those of npdb dataset. Each program runs in a process of its own."""

import gc
import os
import pickle
import sys
from types import SimpleNamespace

from maker import giving_up
from maker.recording import EVENTS, Streams, ignore, perform

KEPT = ("kind", "line", "activation", "depth", "names", "texts", "value", "code", "exception", "fatal")


def recorded(program, limit=EVENTS):
    """Returns a recording and the function of each event, or the reason why there is
    none."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            child(program, limit, write)
        finally:
            os._exit(1)
    os.close(write)
    with open(read, "rb") as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    found = pickle.loads(said)
    return found if isinstance(found, str) else SimpleNamespace(**found)


def child(program, limit, out):
    def say(what):
        with open(out, "wb") as pipe:
            pickle.dump(what, pipe)
        os._exit(0)

    giving_up.leave = say
    Streams(0, 1, 2).place()
    sys.unraisablehook = ignore
    gc.disable()
    found = perform(program, limit)
    function = [found.info[activation].name for activation in found.activation]
    say({"function": function, **{name: getattr(found, name) for name in KEPT}})
