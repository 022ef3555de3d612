"""The trace function: events as records, and whether a move has landed.

Each activation has a closure of its own, kept by its frame as f_trace: a
generator's frame keeps it across yields, and nothing keeps the frame. What the
line of an activation has changed is settled at the next event (settling), with
the effect that its source says it has.
"""

import sys

from _npdb import activations, channel, settling, store
from _npdb.activations import Activation, activation_of, ours, stack
from _npdb.binding import borrowers
from _npdb.changes import amend, at_end, beginning, calling, changes, plan, returned, unwinding
from _npdb.channel import put
from _npdb.codes import (
    CALL, END, EXCEPTION, LEAVE, LINE, NO_VALUE, PARTIAL, RESUME, RETURN, RETURNED, UNWOUND, YIELDED,
    ON_CALL, ON_EXCEPTION, ON_LINE, ON_RETURN, ON_UNWIND, varint,
)
from _npdb.effects import EVERYTHING
from _npdb.raised import raising

FINAL = frozenset((ON_RETURN, ON_UNWIND))
PLACES = frozenset((ON_LINE, ON_EXCEPTION))

NONE = b"None" + END

check = None  # the test of the move under way
stop = None  # called as stop(frame) when it has landed; set by moves
hit = None  # called as hit(stop, frame) on a line with a breakpoint
silent_call = 0  # the activation whose call is no state: the program's module
original_settrace = sys.settrace
original_gettrace = sys.gettrace


def function(info):
    """The trace function of one activation of a function."""
    me = None
    plans = info.plans
    raised = -1
    below = 0

    def local(frame, event, arg):
        nonlocal me, raised, below
        if event == "line":
            if not stack or stack[-1] is not me:
                astray(frame)
            line = frame.f_lineno
            found = plans.get(line)
            if found is None:
                found = plan(info, line)
            record, following = found
            effect = me.effect
            if effect is not None:
                before = None
                if effect.quick is not None and not (store.broken or store.restless or borrowers):
                    before = effect.quick(frame, me, effect)
                if before is None:
                    before = changes(frame, me)
                    if line not in plans:  # what was met makes more of what lines do
                        following = plan(info, line)[1]
                record = before + record
            elif store.broken or store.restless:
                record = changes(frame, me) + record
            me.effect = following
            raised = -1
            try:
                channel.write(record)
            except ValueError:
                overflow(record)
            if found[0]:
                if check is not None and check(ON_LINE, me.number, line):
                    stop(frame)
                elif line in info.stops and hit(info.stops[line], frame):
                    stop(frame)
        elif event == "call":
            room()
            raised = -1
            if me is not None and (not info.generator or stack and stack[-1] is me):
                put(changes(frame, me, False))  # a jump to where its code begins: it runs already
                return frame.f_trace
            before = calling(frame)
            if me is None:
                one = Activation(info, frame)
                record = before + info.enter + beginning(frame, one)
            else:
                one = me
                below = delegating(frame)
                record = before + RESUME + varint(one.number) + beginning(frame, one, True)
            line = frame.f_lineno
            head = info.calls.get(line)
            if head is None:
                head = info.call(line)
            record += head
            try:
                channel.write(record)
            except ValueError:
                overflow(record)
            if me is None:
                me = one
                activations.begun += 1
            stack.append(me)
            if head and check is not None and check(ON_CALL, me.number, line):
                stop(frame)
        elif event == "return":
            if not stack or stack[-1] is not me:
                astray(frame)
            if arg is None or info.generator:
                left = info.left_by(frame, arg, raised)
                raised = -1
            else:
                left = ON_RETURN
            line = frame.f_lineno
            head = info.returns[line] if line in info.returns else info.leave(line)
            if head is None:
                put(changes(frame, me, False) + LEAVE)
            else:
                record = at_end(frame, me)
                if left == ON_UNWIND:
                    record += head + UNWOUND + NO_VALUE
                elif arg is None:
                    record += head + (RETURNED if left == ON_RETURN else YIELDED) + NONE
                else:
                    objects, field = returned(me, arg)
                    record += objects + head + (RETURNED if left == ON_RETURN else YIELDED) + field
                try:
                    channel.write(record)
                except ValueError:
                    overflow(record)
                if check is not None and check(left, me.number, line):
                    stop(frame)
            if stack and stack[-1] is me:
                stack.pop()
            while below:
                put(LEAVE)
                stack.pop()
                below -= 1
        elif event == "exception" and info.generator and arg[0] is StopIteration and arg[2] is None:
            # What a generator or coroutine delegates to has ended: no event.
            put(changes(frame, me, False))
        elif event == "exception":
            if not stack or stack[-1] is not me:
                astray(frame)
            raised = frame.f_lasti
            event_at(frame, me, EXCEPTION, raising(arg), ON_EXCEPTION)
            unwinding(me)
        elif event == "amend":
            amend(frame, me)
        return frame.f_trace

    return local


def scope(info):
    """The trace function of one activation of a module or a class body."""
    me = None

    def local(frame, event, arg):
        nonlocal me
        if event != "call" and (not stack or stack[-1] is not me):
            astray(frame)
        if event == "line":
            event_at(frame, me, LINE, b"", ON_LINE)
        elif event == "call":
            if me is not None:
                put(changes(frame, me, False))  # a jump to where its code begins
                return frame.f_trace
            room()
            put(calling(frame) + info.enter)
            me = Activation(info, frame)
            activations.begun += 1
            stack.append(me)
            settling.enter_scope(frame, me)
            me.effect = EVERYTHING
            event_at(frame, me, CALL, b"", ON_CALL)
        elif event == "return":
            left = info.left_by(frame, arg, -1)
            if info.code.co_name != "<module>":
                me.effect = EVERYTHING  # a class's end binds names of its own
            put(changes(frame, me))
            objects, field = returned(me, arg)
            tail = UNWOUND + NO_VALUE if left == ON_UNWIND else RETURNED + field
            if not event_at(frame, me, RETURN, tail, left, objects):
                put(LEAVE)
            settling.leave_scope(frame, me)
            if stack and stack[-1] is me:
                stack.pop()
        elif event == "exception":
            event_at(frame, me, EXCEPTION, raising(arg), ON_EXCEPTION)
            unwinding(me)
        elif event == "amend":
            amend(frame, me)
        return frame.f_trace

    return local


def event_at(frame, me, tag, tail, what, objects=b""):
    """Writes an event with its changes, and the objects that its tail names; False
    where it is no state."""
    line = frame.f_lineno
    silent = line is None or not 1 <= line <= me.info.file.lines or me.number == silent_call and what == ON_CALL
    record = objects + changes(frame, me, not silent)
    if silent:
        if what == ON_LINE:
            me.effect = EVERYTHING  # of a line that the file lacks nothing is known
        put(record)
        return False
    record += tag + varint(line) + tail
    if what == ON_LINE:
        header = me.info.code.co_name != "<module>" and line == me.info.code.co_firstlineno
        me.effect = EVERYTHING if header else plan(me.info, line)[1]  # a class's line binds __doc__ and its like
    try:
        channel.write(record)
    except ValueError:
        overflow(record)
    stops = me.info.file.stops
    if check is not None and check(what, me.number, line):
        stop(frame)
    elif what == ON_LINE and line in stops and hit(stops[line], frame):
        stop(frame)
    return True


def astray(frame):
    """Brings the stack in step with the interpreter's where an event was not told: a
    profile function that raises ends a call without one, or goes on after a return."""
    resynchronise(user_frames(frame))


def delegating(frame):
    """throw() runs the innermost generator of a chain of yield from at once:
    the ones that wait for it lie on the interpreter's stack without an event
    (_gen_throw in genobject.c). Puts them on ours; returns how many."""
    back = frame.f_back
    top = stack[-1] if stack else None
    if top is not None and top.address == id(back):
        return 0  # as nearly always
    waiting = []
    while back is not None:
        me = activation_of(back)
        if me is None or me is top or not me.info.generator:
            break
        waiting.append(me)
        back = back.f_back
    for me in reversed(waiting):
        put(RESUME + varint(me.number))
        stack.append(me)
    return len(waiting)


def room():
    """Fails where the stack has no room for what later events of the frame
    will need: then the frame is not traced, and nothing of it written."""


def overflow(record):
    """Writes a record that the chunk has no room for."""
    if turn is not None:
        turn()
    with_room(True)
    if channel.spill(record):
        paused()
    with_room(False)


def paused():
    """npdb's limit was reached: the next event is a stop."""
    global check
    channel.header[channel.PAUSE] = 0
    check = limit_reached


def in_plain_words(e):
    """A RecursionError as it reads where a function of Python found no room."""
    if e.args and str(e.args[0]).startswith(NO_ROOM):
        e.args = (NO_ROOM,)


def trace(frame, event, arg):
    """The global trace function: called for each new frame, and each time a
    generator's is resumed."""
    code = frame.f_code
    depth = -1
    try:
        info = infos.get(id(code))
        if info is None:
            info = classify(code)
        if info is False:
            return None
        local = frame.f_trace
        depth = len(stack)
        if local is None or not ours(local):
            local = function(info) if info.fast else scope(info)
            frame.f_trace = local
        local(frame, event, arg)
    except (RecursionError, MemoryError) as e:
        if depth < 0:
            in_plain_words(e)
            raise
        if len(stack) == depth:
            frame.f_trace = None
            try:
                channel.write(PARTIAL)
            except ValueError:
                pass
            return None
    return frame.f_trace


NO_ROOM = "maximum recursion depth exceeded"
activations.trace_functions.update(
    (const, const.co_freevars.index("me"))
    for outer in (function, scope)
    for const in outer.__code__.co_consts
    if hasattr(const, "co_code")
)
infos = {}  # id of a code object -> Info, or False for library code
classify = None  # set by usercode
limit_reached = None  # set by moves
turn = None  # called when a chunk is full; set by auditing
with_room = None  # set by moves: makes room on the stack, or takes it back
resynchronise = user_frames = None  # set by arming
