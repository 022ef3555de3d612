"""Makes child processes of the program join npdb, each with a recording of its own.

A forked child loads another tracer and joins at once. A Python that the program starts
finds npdb's sitecustomize.py by the variable PYTHONPATH, which only the environment of
child processes has: os.environ does not show it.
"""

import os
import sys

import posix
from _npdb import arming, breaks, channel, imports, library, moves, tracer, unrecorded, usercode
from _npdb.bound import program_sys

path = folder = ""  # npdb's socket, and the folder of sitecustomize.py
VARIABLE = "NPDB_CHILDREN"


def watch(option):
    """Makes the children of this process join npdb."""
    global path, folder
    path, folder = option.split("\n")
    for name, value in added(os.environ).items():
        posix.putenv(os.fsencode(name), os.fsencode(value))
    imports.on_import("subprocess", patch)


def added(environment):
    """Returns the variables that a Python needs to join, for an environment of names and
    values."""
    before = environment.get("PYTHONPATH", "")
    return {VARIABLE: path, "PYTHONPATH": folder + (os.pathsep + before if before else "")}


def patch(module):
    """Gives a process the variables too if the program sets the environment."""
    at = module if hasattr(module, "_fork_exec") else getattr(module, "_posixsubprocess", None)
    name = "_fork_exec" if at is module else "fork_exec"
    original = getattr(at, name, None)
    if original is None:
        return

    def fork_exec(*args):
        if channel.open_here and len(args) > 5 and args[5] is not None:
            args = args[:5] + (with_ours(args[5]),) + args[6:]
        return original(*args)

    if at is module:
        module._fork_exec = fork_exec
        return
    copy = type(sys)(at.__name__)
    copy.__dict__.update(at.__dict__, fork_exec=fork_exec)
    module._posixsubprocess = copy


def with_ours(listed):
    """Adds the variables to an environment in the form of execve."""
    names = dict(one.split(b"=", 1) for one in listed if b"=" in one[1:])
    text = {"PYTHONPATH": os.fsdecode(names.get(b"PYTHONPATH", b""))}
    names.update((os.fsencode(name), os.fsencode(value)) for name, value in added(text).items())
    return [name + b"=" + value for name, value in names.items()]


def forked():
    """Makes a forked child join. It runs in the child, after this tracer was removed."""
    frame = sys._getframe(1)
    try:
        text = moves.load("joining").join(path, "fork", usercode.roots, library.take("_socket"))
    except OSError:
        text = None  # npdb has ended
    if text is None:
        return
    names = {"__name__": "npdb"}
    exec(compile(text, "<npdb loader>", "exec"), names)
    names["load"]("children").begin(frame)


def begin(frame=None):
    """Begins to record this process, at the next event. frame is the innermost frame of a
    forked child."""
    import atexit

    attached = moves.load("attached")
    attached.begin()
    channel.outlives = False
    program_sys.breakpointhook = program_sys.__breakpointhook__ = breaks.breakpoint_hook
    imports.on_import("pdb", breaks.patch)
    atexit.register(finish, os.getpid())
    attached.listen([(1, sys.stdout), (2, sys.stderr)])
    tracer.check = moves.anywhere
    found = unrecorded.stack_of(frame)
    if found:
        unrecorded.ever = True
        arming.resynchronise(found, True)


def finish(pid):
    """Ends the recording when the process exits."""
    if os.getpid() != pid or not channel.open_here:
        return
    attached = moves.load("attached")
    raised = getattr(sys, "last_value", None)
    if isinstance(raised, BaseException):
        attached.failed(raised)
    attached.end()
    channel.open_here = False
    channel.write = len
