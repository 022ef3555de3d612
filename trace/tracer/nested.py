"""debug: runs a statement as code of the program, with events."""

import sys

from _npdb import channel, moves, streams, tracer, unrecorded
from _npdb.arming import with_room


def debug(up, text):
    """Runs a statement in the frame that is up frames above the live edge, and stops in
    the functions that it calls. Moves go through them until the statement ends. Then
    the program is again at the line where it was, which is a new event."""
    event, _ = moves.live.tracebacks.happening()
    if event != "line":
        channel.send(b"N", "*** debug: only where the program stands at a line: step to one first")
        return
    standing, frames = moves.standing, moves.frames
    channel.send(b"N", "ENTERING RECURSIVE DEBUGGER")
    said = ""
    entered(None, ())
    try:
        found = frames[min(max(up, 0), len(frames) - 1)]
        if not sys.call_tracing(moves.live.typed.execute, (found, text + "\n", moves.live.display)):
            said = "*** SyntaxError: the statement is not complete"
    except BaseException as e:
        said = "*** %s: %s" % (type(e).__name__, e)
    if unrecorded.running:
        unrecorded.over(standing)
    left(standing, frames)
    moves.again(standing)
    channel.send(b"N", (said + "\nLEAVING RECURSIVE DEBUGGER").lstrip("\n"))


def entered(standing, frames):
    """Lets the program run to the next event of user code."""
    moves.flush()
    moves.standing, moves.frames, moves.serving = standing, frames, False
    streams.asking = False
    tracer.check = moves.anywhere
    with_room(False)


def left(standing, frames):
    with_room(True)
    tracer.check = None
    moves.standing, moves.frames, moves.serving = standing, frames, True
    streams.asking = True
