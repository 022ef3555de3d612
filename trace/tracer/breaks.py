"""Handles the program's own breakpoint(), pdb.set_trace(), pdb.Pdb().set_trace() and
pdb.post_mortem()."""

import _thread
import os
import sys

from _npdb import arming, channel, elsewhere, moves, tracer, unrecorded
from _npdb.raised import traceback_of

original_hook = sys.breakpointhook
loading = False  # the module of --entry is loaded, unrecorded
passed = set()  # the places that did not stop meanwhile


def breakpoint_hook(*args, **kwargs):
    """breakpoint(): stops, unless the program's environment configures another hook
    (PEP 553)."""
    wanted = os.environ.get("PYTHONBREAKPOINT")
    if wanted and wanted != "pdb.set_trace":
        return original_hook(*args, **kwargs)
    stop_in(sys._getframe(1), *args, **kwargs)


def set_trace(*args, **kwargs):
    """pdb.set_trace(): stops at its caller in the program."""
    stop_in(sys._getframe(1), *args, **kwargs)


async def set_trace_async(*args, **kwargs):
    """await pdb.set_trace_async(), from 3.14 on: stops like set_trace."""
    stop_in(sys._getframe(1), *args, **kwargs)


def pdb_set_trace(self, frame=None, *, commands=None):
    """pdb.Pdb().set_trace(): stops like set_trace, and shows the given frame."""
    stop_in(sys._getframe(1), commands=commands, wanted=frame)


def stop_in(frame, *, header=None, commands=None, wanted=None):
    if not channel.open_here:
        return
    if _thread.get_ident() != channel.recorded:
        elsewhere.report(frame, "call")
        return
    if loading:
        place = "%s:%d" % (os.path.basename(frame.f_code.co_filename), frame.f_lineno)
        if place not in passed:
            passed.add(place)
            channel.send(b"N", "breakpoint() at %s did not stop: with --entry recording begins at the call, after the module" % place)
        return
    if moves.serving or not debugged_here():
        return
    if header is not None:
        channel.send(b"N", str(header))
    up = 0
    if wanted is not None:
        found = arming.user_frames(frame)
        up = found.index(wanted) if wanted in found else 0
    if up or commands:
        channel.send(b"C", str(up), *map(str, commands or ()))
    moves.stop_outside(frame, "program")


def interaction_of(original):
    """pdb.post_mortem() and pm(): stops and shows a traceback. A Pdb that the program
    uses in another way keeps pdb's own behaviour."""

    def interaction(self, frame, of):
        if frame is not None or not channel.open_here or moves.serving or not debugged_here():
            return original(self, frame, of)
        if not isinstance(of, BaseException):
            handled = sys.exc_info()[1]
            of = handled if handled is not None and traceback_of(handled) is of else Exception().with_traceback(of)
        moves.look(sys._getframe(1), of)

    return interaction


def debugged_here():
    """Returns whether this is the thread that npdb debugs, and it is debugged here."""
    if _thread.get_ident() != channel.recorded:
        return False
    return tracer.original_gettrace() is not None or unrecorded.running


def patch(module):
    """Replaces the functions of the program's pdb that stop."""
    module.set_trace = set_trace
    if hasattr(module, "set_trace_async"):
        module.set_trace_async = set_trace_async
    if isinstance(getattr(module, "Pdb", None), type):
        module.Pdb.set_trace = pdb_set_trace
        module.Pdb.interaction = interaction_of(module.Pdb.interaction)
