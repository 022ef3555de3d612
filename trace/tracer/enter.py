"""Connects a process that npdb did not start: introduces it to npdb and loads the tracer.

npdb sends this text over a socket, with the descriptors of the shared memory, events, commands
and credits. The process runs it by exec, with the names connection (the socket) and fds. Then
the module _npdb.visiting can begin a session. Nothing is imported here that the interpreter
has not loaded at its start.
"""

import os
import sys


def data(n):
    found = b""
    while len(found) < n:
        got = connection.recv(n - len(found))
        if not got:
            raise EOFError("npdb has ended")
        found += got
    return found


def obstacle():
    """Returns why npdb cannot debug this process, or ""."""
    if sys.implementation.name != "cpython":
        return "npdb debugs CPython only, and this is " + sys.implementation.name
    check = getattr(sys.modules.get("_npdb.visiting"), "check", None)
    if check is not None:
        check()
    # A second npdb may come while the tracer of the first is being loaded.
    if "_npdb" in sys.modules or sys.modules.setdefault("_npdb.enter", mark) is not mark:
        return "npdb records or debugs this process already"
    tracer = sys.gettrace()
    if tracer is not None:
        named = tracer if hasattr(tracer, "__qualname__") else type(tracer)
        return "another tracer is active in the process (%s.%s), and Python has one at a time" % (named.__module__, named.__qualname__)
    return ""


def introduction():
    """Returns what npdb wants to know: the process and its descriptors, its executable, its folder,
    the file of its program, and what stands in the way."""
    for fd in fds:
        os.set_inheritable(fd, False)
    try:
        here = os.getcwd()
    except OSError:
        here = os.sep
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    main = os.path.abspath(main) if isinstance(main, str) and not main.startswith("<") else ""
    words = [os.getpid(), *fds, sys.executable or "", here, main, obstacle()]
    return "\0".join(map(str, words)).encode("utf-8", "surrogateescape")


mark = type(sys)("_npdb.enter")  # in sys.modules from here to the end of the session
try:
    text = introduction()
    connection.sendall(len(text).to_bytes(8, "little") + text)
    text = data(int.from_bytes(data(8), "little"))
    exec(compile(text, "<npdb loader>", "exec"), {"__name__": "_npdb.loader", "__builtins__": __builtins__})
    sys.modules["_npdb.attached"].load("visiting").heard = data(int.from_bytes(data(8), "little")).decode()
    connection.close()
except BaseException:
    if sys.modules.get("_npdb.enter") is mark:
        del sys.modules["_npdb.enter"]
    raise
