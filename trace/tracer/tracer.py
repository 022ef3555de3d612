"""The trace function: writes events as records, and checks whether a move has landed.

Each activation has its own closure, which its frame stores as f_trace. A generator's
frame keeps it across yields, and nothing keeps the frame alive. What the line of an
activation has changed is settled at the next event (settling), according to the effect
of its source.
"""

import sys

from _npdb import activations, channel, namespaces, store
from _npdb.activations import Activation, activation_of, cell, ours, stack
from _npdb.binding import borrowers
from _npdb.changes import amend, at_end, beginning, calling, changes, plan, returned, unwinding
from _npdb.channel import put
from _npdb.codes import (
    CALL, END, EXCEPTION, LEAVE, LINE, NO_VALUE, PARTIAL, RESUME, RETURN, RETURNED, UNWOUND, YIELDED,
    ON_CALL, ON_EXCEPTION, ON_LINE, ON_RETURN, ON_UNWIND, varint,
)
from _npdb.effects import EVERYTHING
from _npdb.namespaces import modules
from _npdb.raised import raising

get_limit = sys.getrecursionlimit
set_limit = sys.setrecursionlimit
LOWERED = sys.version_info >= (3, 11)  # whether the limit can be lowered while the stack is almost as deep
EXTRA = 200  # additional frames for npdb
FINAL = frozenset((ON_RETURN, ON_UNWIND))
PLACES = frozenset((ON_LINE, ON_EXCEPTION))

NONE = b"None" + END

check = None  # the test of the current move
stop = None  # called as stop(frame) when the move has landed; set by moves
hit = None  # called as hit(stop, frame) on a line with a breakpoint
silent_call = 0  # the activation whose call is not a state: the program's module
original_settrace = sys.settrace
original_gettrace = sys.gettrace


def function(info):
    """Returns the trace function of one activation of a function."""
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
            record, following, there = found
            effect = me.effect
            if effect is not None:
                before = None
                if effect.quick is not None and not (store.broken or store.restless or borrowers):
                    before = effect.quick(frame, me, effect)
                if before is None:
                    before = changes(frame, me)
                    if line not in plans:  # classes seen since then give lines more effects
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
            if there:
                if check is not None and check(ON_LINE, me.number, line):
                    stop(frame)
                elif line in info.stops and hit(info.stops[line], frame):
                    stop(frame)
        elif event == "call":
            room()
            raised = -1
            if me is not None and (not info.generator or stack and stack[-1] is me):
                put(changes(frame, me, False))  # a jump to the first line of its code, which already runs
                return frame.f_trace
            before = calling(frame)
            if me is None:
                if info.globals not in modules or info.globals != id(frame.f_globals):
                    put(before)
                    before = b""
                    namespaces.attach(frame, info)
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
            # The iterator that a generator or coroutine delegates to has ended: not an
            # event.
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
    """Returns the trace function of one activation of a module or a class body."""
    me = None

    def local(frame, event, arg):
        nonlocal me
        if event != "call" and (not stack or stack[-1] is not me):
            astray(frame)
        if event == "line":
            event_at(frame, me, LINE, b"", ON_LINE)
        elif event == "call":
            if me is not None:
                put(changes(frame, me, False))  # a jump to the first line of its code
                return frame.f_trace
            room()
            put(calling(frame))
            if info.code.co_name != "<module>":
                namespaces.attach(frame, info)
            put(info.enter)
            me = Activation(info, frame)
            activations.begun += 1
            stack.append(me)
            namespaces.enter(frame, me)
            me.effect = EVERYTHING
            event_at(frame, me, CALL, b"", ON_CALL)
        elif event == "return":
            left = info.left_by(frame, arg, -1)
            if info.code.co_name != "<module>":
                me.effect = EVERYTHING  # the end of a class binds names of its own
            put(changes(frame, me))
            objects, field = returned(me, arg)
            tail = UNWOUND + NO_VALUE if left == ON_UNWIND else RETURNED + field
            if not event_at(frame, me, RETURN, tail, left, objects):
                put(LEAVE)
            namespaces.leave(frame, me)
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
    """Writes an event with its changes, and the objects that its tail refers to.
    Returns False if it is not a state."""
    line = frame.f_lineno
    silent = line is None or not 1 <= line <= me.info.file.lines or me.number == silent_call and what == ON_CALL
    record = objects + changes(frame, me, not silent)
    if silent:
        if what == ON_LINE:
            me.effect = EVERYTHING  # the effect of a line that the file does not have is unknown
            record += me.info.stand(line)
        put(record)
        return False
    record += tag + varint(line) + tail
    if what == ON_LINE:
        header = me.info.code.co_name != "<module>" and line == me.info.code.co_firstlineno
        me.effect = EVERYTHING if header else plan(me.info, line)[1]  # the line of a class statement also binds __doc__ and similar names
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
    """Adjusts the stack to the interpreter's after an unreported event: a profile
    function that raises can end a call without an event, or let it continue after a
    return."""
    resynchronise(user_frames(frame))


def delegating(frame):
    """throw() runs the innermost generator of a chain of yield from at once. The
    generators that wait for it are on the interpreter's stack without an event
    (_gen_throw in genobject.c). Pushes them on npdb's stack, and returns their number."""
    back = frame.f_back
    top = stack[-1] if stack else None
    if top is not None and top.address == id(back):
        return 0  # the usual case
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
    """Raises an exception if the stack has no room for the later events of the frame.
    Then the frame is not traced, and nothing of it is written."""


def overflow(record):
    """Writes a record that does not fit into the chunk."""
    if turn is not None:
        turn()
    if forget_objects is not None:
        forget_objects()
    with_room(True)
    if channel.spill(record):
        paused()
    with_room(False)


def paused():
    """Handles npdb's limit: the next event is a stop."""
    global check
    channel.header[channel.PAUSE] = 0
    check = limit_reached


def trace(frame, event, arg):
    """The global trace function. The interpreter calls it for each new frame, and each
    time a generator is resumed."""
    code = frame.f_code
    depth = -1
    try:
        info = infos.get(id(code))
        if info is None:
            limit = get_limit()
            if LOWERED:
                set_limit(limit + EXTRA)  # so that the first call can be as deep as later ones
            try:
                info = classify(code)
            finally:
                if LOWERED:
                    set_limit(limit)
        if info is False:
            return None
        local = frame.f_trace
        depth = len(stack)
        if local is None or not ours(local) or earlier and is_of_earlier(local, info):
            local = function(info) if info.fast else scope(info)
            frame.f_trace = local
        local(frame, event, arg)
    except (RecursionError, MemoryError) as e:
        if depth < 0:
            if e.__class__ is RecursionError:
                e.args = IN_PLAIN_WORDS
            raise
        if len(stack) == depth:
            frame.f_trace = None
            try:
                channel.write(PARTIAL)
            except ValueError:
                pass
            return None
    return frame.f_trace


def is_of_earlier(local, info):
    """Returns whether a generator that is resumed began in an earlier recording."""
    me = cell(local, "me").cell_contents
    return me is not None and me.info is not info


# The arguments of the RecursionError that the interpreter raises when a Python function
# finds the stack full. They are a constant, because no stack may be left for a call.
IN_PLAIN_WORDS = ("maximum recursion depth exceeded",)
activations.trace_functions.update(
    (const, const.co_freevars.index("me"))
    for outer in (function, scope)
    for const in outer.__code__.co_consts
    if hasattr(const, "co_code")
)
infos = {}  # id of a code object -> Info, or False for library code
earlier = {}  # id of a code object -> its Info in an earlier recording of this process; see attached
classify = None  # set by usercode
limit_reached = None  # set by moves
turn = None  # called when a chunk is full; set by auditing
forget_objects = None  # called then, too; set by forgetting
with_room = None  # set by moves: raises or lowers the recursion limit
resynchronise = user_frames = None  # set by arming
