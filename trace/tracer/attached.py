"""Records parts of a process that ran before npdb came: tests, for example.

The process runs the loader itself. Then begin() and end() may be called in turn, in its
main thread. Each part is a recording of its own: it defines the files, code objects and
objects that it mentions. The tracer only keeps what it knows of source files.
"""

import gc
import os
import sys

import _thread
from _npdb import (
    activations, arming, auditing, binding, callees, channel, contents, entries, moves, patience, settling, signals, store, telling,
    tracer, unrecorded, usercode,
)
from _npdb import render as values
from _npdb.bound import program_sys
from _npdb.codes import HOLE
from _npdb.known import QUIET

launch = load = None  # load loads a module of the tracer
children = None  # the module that makes child processes join npdb, if they do
begun = False  # begin was called, and end was not
installed = False  # the program is recorded
raised = None  # the exception that the recording ends with
handler = None  # of npdb's signal, before the recording
signal_number = audit = 0
heard = []  # files whose write was replaced
main_thread = _thread.get_ident()


def prepare(options):
    """Prepares recordings. It is the last call of the loader."""
    global signal_number, audit, launch, load, children
    moves.load = load = options["load"]
    launch = load("launch")
    launch.configure(options)
    usercode.roots += [os.path.join(os.path.abspath(root), "") for root in options["roots"].split("\n") if root]
    signal_number, audit = int(options["signal"]), int(options["audit"])
    channel.outlives = True
    channel.on_loss = release
    tracer.silent_call = -1
    os.register_at_fork(after_in_child=child)
    if options["children"]:
        children = load("children")
        children.watch(options["children"])
    if options["collecting"]:
        gc.enable()


def begin():
    """Begins a recording with the next function that is called."""
    connect()
    arming.arm()


def connect():
    """Prepares a recording, which begins when the trace function is installed."""
    global begun, installed, handler
    renew()
    begun = installed = True
    handler = signals.original_getsignal(signal_number)
    moves.prepare(signal_number)
    auditing.begin(audit)
    patch()


def end():
    """Ends the recording, and reports where the exception given to failed was raised."""
    global begun, raised
    exception, raised = raised, None
    if not begun:
        return
    begun = False
    unseen = tracer.original_gettrace() is None or unrecorded.running
    release()
    if not channel.open_here:
        return
    innermost = None
    if exception is not None:
        if unseen or unrecorded.hides(exception):
            moves.unreported.record_death(exception)
        innermost = moves.look_at(exception)
        moves.frames, moves.chosen = (), None
    said = "" if exception is None else values.render(exception)
    settling.let_go()
    channel.send(b"V", innermost or "", said)


def failed(exception):
    """Sets the exception with which the recording ends, unless an earlier one is set."""
    global raised
    if raised is None:
        raised = exception


def renew():
    """Forgets everything about the last recording except source files."""
    usercode.renew()
    activations.stack.clear()
    activations.begun = 0
    settling.let_go()
    for one in (entries.out, contents.numbered_forms, binding.borrowers, telling.asking, telling.readers, auditing.unsteady):
        one.clear()
    entries.numbers = entries.told = 0
    entries.newest = -1
    store.written = 0, 0
    store.epoch += 1
    store.broken = callees.anything = False
    store.restless = auditing.restless = QUIET
    patience.began = patience.clock()
    patience.spent, patience.since, patience.tired = 0.0, None, False
    unrecorded.ever = False
    unrecorded.goals = {}


def release():
    """Removes everything that the recording has installed in the program."""
    global installed
    if not installed:
        return
    installed = False
    launch.leave_alone()
    if auditing.armed:
        auditing.disarm()
    listen(())
    program_sys.getrecursionlimit, program_sys.setrecursionlimit = arming.get_limit, arming.set_limit
    arming.program_limit -= OVERHEAD
    arming.with_room(False)
    signals.uninstall()
    if handler is not None:
        signals.original_signal(signal_number, handler)


def child():
    """Runs in a child after fork: it runs without npdb."""
    if channel.open_here:
        channel.abandon()
        release()
        if children is not None:
            children.forked()


def listen(files, hearing=None):
    """Records what the main thread writes to files, given as (stream number, file), by their write
    methods. Ends that for the files of the last call. hearing makes the new methods."""
    while heard:
        heard.pop().__dict__.pop("write", None)
    for number, file in files:
        names = getattr(file, "__dict__", None)
        if type(names) is dict and "write" not in names and type(file).__setattr__ is object.__setattr__:
            names["write"] = (hearing or copying)(number, file.write)
            heard.append(file)


def copying(number, write):
    def writing(text):
        count = write(text)
        if installed and channel.open_here and _thread.get_ident() == main_thread and type(text) is str:
            channel.output(number, channel.encode(text))
        return count

    return writing


# The number of frames that the trace function adds, see launch.overhead_of.
OVERHEAD = 3 if sys.version_info >= (3, 12) else 14


def patch():
    """Makes the program see its own trace function and recursion limit."""
    values.guard.update(enter=launch.enter_repr, leave=launch.leave_repr)
    program_sys.settrace, program_sys.gettrace = settrace, gettrace
    arming.program_limit = arming.get_limit() + OVERHEAD
    arming.with_room(False)
    program_sys.getrecursionlimit, program_sys.setrecursionlimit = getrecursionlimit, setrecursionlimit


TRACED = "the program called sys.settrace, as debuggers and coverage do: nothing after that is recorded"


def settrace(function):
    """Replaces sys.settrace. A debugger or a coverage tool of the program gets its trace
    function; what follows is not recorded."""
    if function is None:
        return
    channel.send(b"N", TRACED)
    unrecorded.ever = True
    release()
    channel.put(HOLE + b"\0")
    activations.stack.clear()
    program_sys.settrace(function)


def gettrace():
    """Replaces sys.gettrace: the program has set no trace function."""


getrecursionlimit, setrecursionlimit = arming.limits(OVERHEAD, 0)
