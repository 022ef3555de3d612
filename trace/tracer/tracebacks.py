"""The exception at the current stop: its chain, and the frames of its traceback below
the displayed one."""

import os
import sys

from _npdb import activations, codes, moves, scopes, tracer
from _npdb import render as values
from _npdb.raised import cause_of, context_of, suppresses_context, traceback_of


def happening():
    """Returns the event and its argument of the trace function that stopped, which is
    below npdb on the stack, or (None, None) for another kind of stop."""
    frame = sys._getframe() if moves.standing is not None else None
    while frame is not None and frame.f_code not in activations.trace_functions:
        frame = frame.f_back
    if frame is None:
        return None, None
    found = frame.f_locals
    return found["event"], found["arg"]


def raised():
    """Returns the inspected exception and its traceback, or (None, None)."""
    if moves.chosen is not None:
        return moves.chosen, traceback_of(moves.chosen)
    event, arg = happening()
    if event == "exception":
        return arg[1], arg[2]
    return None, None


def happened():
    """Returns $_exception or $_retval: the exception that was raised, or the value that
    is returned, at the stop."""
    exception = raised()[0]
    if exception is not None:
        return {"_exception": exception}
    event, arg = happening()
    return {"_retval": arg} if event == "return" else {}


def below():
    """Returns the frames of the traceback below the innermost displayed one, innermost
    last, with the lines at which they raised."""
    found = []
    tb = raised()[1]
    while tb is not None:
        if moves.frames and tb.tb_frame is moves.frames[0] and not moves.looking:
            found = []
        else:
            found.append((tb.tb_frame, tb.tb_lineno))
        tb = tb.tb_next
    return found


def frame_at(up):
    """Returns the frame that is up frames above the innermost displayed one, or below
    it if up is negative."""
    if up < 0:
        return below()[-up - 1][0]
    if moves.chosen is not None and not moves.looking and up >= len(moves.frames):
        raise LookupError("this frame is gone: no exception of the chain holds it any more")
    return moves.frames[min(up, len(moves.frames) - 1)] if moves.frames else None


def tell_below(frame, text):
    """Returns for each frame below: path, line, function, its current line, and the
    number of its activation if it belongs to the user."""
    fields = []
    for one, line in below():
        code = one.f_code
        known = tracer.infos.get(id(code))
        path = known.file.path if known else os.path.abspath(code.co_filename)
        now = one.f_lineno or line
        fields += (path, str(line), code.co_name, str(now), activation(one) if known else "")
    return "\0".join(fields), False, False


def activation(frame):
    local = frame.f_trace
    me = activations.cell(local, "me").cell_contents if local is not None and activations.ours(local) else None
    return "" if me is None else str(me.number)


def tell_locals(frame, text):
    """Returns name, value, and whether it is hidden, of each local."""
    fields = []
    for name, value, hidden in values.frame_locals(frame) if frame is not None else ():
        fields += (name, value, "1" if hidden else "")
    return "\0".join(fields), False, False


def tell_args(frame, text):
    code = frame.f_code
    lines = []
    known = scopes.of(frame)
    for name in code.co_varnames[: codes.arguments(code)]:
        said = values.render(known[name]) if name in known else "*** undefined ***"
        lines.append("%s = %s" % (name, said))
    return "\n".join(lines), False, False


def chain():
    """Returns the chain of the uncaught exception, oldest first."""
    found = []
    e = moves.post_mortem
    while e is not None and not any(e is one for one in found):  # "in" would call __eq__
        found.insert(0, e)
        if cause_of(e) is not None:
            e = cause_of(e)
        elif context_of(e) is not None and not suppresses_context(e):
            e = context_of(e)
        else:
            e = None
    return found


def exceptions(frame, text):
    found = chain()
    if not text.strip():
        lines = []
        for n, e in enumerate(found):
            mark = ">" if e is moves.chosen else " "
            number = str(n) if traceback_of(e) is not None else "-"
            lines.append("%s %3s %s" % (mark, number, values.render(e)))
        return "\n".join(lines), False, False
    n = int(text)
    if not 0 <= n < len(found):
        raise IndexError("No exception with that number")
    if traceback_of(found[n]) is None:
        raise ValueError("This exception does not have a traceback, cannot jump to it")
    moves.live.typed.variables.clear()  # $_exception has changed
    if moves.looking:
        moves.chosen = found[n]
        return "", False, False
    return moves.look_at(found[n]) or "", False, False
