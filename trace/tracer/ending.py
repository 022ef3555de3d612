"""The end of the program: how the interpreter handles an uncaught exception, and the
post-mortem stop."""

import sys

from _npdb import activations, arming, channel, moves, settling, tracer, unrecorded, usercode
from _npdb import render as values
from _npdb.bound import program_sys
from _npdb.raised import traceback_of

passed_over = ""  # the message if nothing of the program was user code


def ended(exception):
    """Handles the end of the program's code, by an exception or None. Returns the exit
    code."""
    arming.set_limit(arming.program_limit + arming.EXTRA)  # the program's may be too low for npdb
    try:
        return handle(exception)
    finally:
        arming.with_room(False)


def handle(exception):
    """Tells npdb of the end, shows the exception and stops at it. Returns the exit code."""
    if channel.recorded != channel.main:
        return moves.load("chosen").main_ended(exception)
    lost = tracer.original_gettrace() is None or unrecorded.running
    if channel.open_here:
        arming.disarm()
        tracer.check = None
    if exception is None:
        done(None)
        return None
    if issubclass(type(exception), SystemExit):
        done(None)
        return show(exception) if sys.flags.inspect else exception.code
    if channel.open_here and (lost or unrecorded.hides(exception)):
        moves.unreported.record_death(exception)
    code = show(exception)
    if channel.open_here:
        stop_at(exception)
        done(exception)
    return code


def done(exception):
    settling.let_go()
    if not channel.open_here:
        return
    if moves.noted is not None:
        moves.noted()
        if moves.load("outside").thorough:
            channel.send(b"Y", moves.load("likeness").whole())
    if passed_over and activations.begun == 0 and not unrecorded.ever:
        channel.send(b"N", passed_over)
    for glob in usercode.unmatched() if activations.begun else ():
        channel.send(b"N", "no file that ran matches %s of --user-code or --library-code" % glob)
    channel.send(b"E", "" if exception is None else values.render(exception))


def stop_at(exception):
    """Stops post-mortem: the traceback was shown, and its frames can be inspected."""
    moves.post_mortem = exception
    act = moves.look_at(exception)
    if act is not None:
        moves.reason = "post_mortem"
        moves.serve(moves.frames, act)
    moves.post_mortem = moves.chosen = None


def show(e):
    """Shows an exception as PyErr_PrintEx does (pythonrun.c). Returns the exit code."""
    program_sys.last_type, program_sys.last_value, program_sys.last_traceback = type(e), e, traceback_of(e)
    if sys.version_info >= (3, 12):
        program_sys.last_exc = e
    try:
        sys.excepthook(type(e), e, traceback_of(e))
    except BaseException as again:
        if issubclass(type(again), SystemExit) and not sys.flags.inspect:
            return again.code
        again.__traceback__ = traceback_of(again).tb_next
        say("Error in sys.excepthook:\n")
        sys.__excepthook__(type(again), again, traceback_of(again))
        say("\nOriginal exception was:\n")
        sys.__excepthook__(type(e), e, traceback_of(e))
    return 130 if issubclass(type(e), KeyboardInterrupt) else 1


def say(text):
    try:
        sys.stderr.write(text)
    except Exception:
        pass
