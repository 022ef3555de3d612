"""The trace function: events and changed locals as records, and whether a move
has landed.

Each activation has a closure of its own, kept by its frame as f_trace: a
generator's frame keeps it across yields, and nothing keeps the frame. What is
remembered of values is text, and the value itself only of atoms, so that no
object of the program lives longer than it would (on Python 3.12 and older the
interpreter's own snapshot of a function's locals outlives a line: see
call_trampoline in sysmodule.c).
"""

import sys

from _npdb import channel
from _npdb import render as values
from _npdb.channel import encode, put
from _npdb.bindings import gone, raised_value, reordered
from _npdb.codes import (
    AMEND, CALL, END, EXCEPTION, LEAVE, LINE, NO_VALUE, PARTIAL, RESUME, RETURN, RETURNED, UNWOUND, YIELDED,
    ON_CALL, ON_EXCEPTION, ON_LINE, ON_RETURN, ON_UNWIND, varint,
)

Proxy = type((lambda: sys._getframe().f_locals)())
if Proxy is dict:
    Proxy = None  # before PEP 667
UNSEEN = object()
MUTABLE = object()  # stands for a value that is compared by its text

ATOMS = values.ATOMS
SIZED = frozenset((str, bytes))
LONG = 4096
ATOMIC_TEXT = values.atom
text_of = values.render

FINAL = frozenset((ON_RETURN, ON_UNWIND))
PLACES = frozenset((ON_LINE, ON_EXCEPTION))

stack = []  # (activation, Info) from the outermost in
activations = 0
check = None  # the test of the move under way
stop = None  # called as stop(frame) when it has landed; set by moves
hit = None  # called as hit(stop, frame) on a line with a breakpoint
silent_call = 0  # the activation whose call is no state: the program's module
original_settrace = sys.settrace
original_gettrace = sys.gettrace


def function(info):
    """The trace function of one activation of a function."""
    act = -1
    me = None
    last = {}
    texts = {}
    seen = last.get
    prefix = info.prefix
    heads = info.heads
    stops = info.file.stops
    lines = info.file.lines
    generator = info.generator
    raised = -1
    below = 0
    snapshot = None

    def local(frame, event, arg):
        nonlocal me, act, raised, below, snapshot
        global activations
        out = b""
        try:
            found = snapshot or frame.f_locals
            for name, value in found.items():
                if value is seen(name, UNSEEN):
                    continue
                kind = type(value)
                if kind in ATOMS:
                    if kind in SIZED and len(value) > LONG:
                        text = ATOMIC_TEXT(value)
                    else:
                        try:
                            text = repr(value)
                        except ValueError:
                            text = ATOMIC_TEXT(value)
                    slot = prefix.get(name)
                    if slot is None:
                        continue
                    last[name] = value
                    out += slot + text.encode() + END
                else:
                    text = text_of(value)
                    if seen(name) is MUTABLE and texts[name] == text:
                        continue
                    slot = prefix.get(name)
                    if slot is None:
                        continue
                    last[name] = MUTABLE
                    texts[name] = text
                    out += slot + encode(text) + END
            if len(last) != len(found):
                out += gone(last, texts, found, prefix)
        except (RecursionError, MemoryError, RuntimeError):
            # No room to look at the values: say so, and show them all next time.
            last.clear()
            texts.clear()
            out = PARTIAL
        if event == "line":
            line = frame.f_lineno
            head = heads.get(line)
            if head is None:
                head = info.head(line)
            raised = -1
            try:
                channel.write(out + head)
            except ValueError:
                overflow(out + head)
            if head:
                if check is not None and check(ON_LINE, act, line):
                    stop(frame)
                elif line in stops and hit(stops[line], frame):
                    stop(frame)
        elif event == "call":
            room()
            raised = -1
            if me is None:
                if SNAPSHOTS:
                    snapshot = found
                out = info.enter + out
            else:
                below = delegating(frame)
                out = RESUME + varint(act) + out
            line = frame.f_lineno
            head = info.calls.get(line)
            if head is None:
                head = info.call(line)
            try:
                channel.write(out + head)
            except ValueError:
                overflow(out + head)
            if me is None:
                act = activations
                activations += 1
                me = (act, info)
            stack.append(me)
            if head and check is not None and check(ON_CALL, act, line):
                stop(frame)
        elif event == "return":
            if arg is None or generator:
                left = info.left_by(frame, arg, raised)
                raised = -1
            else:
                left = ON_RETURN
            line = frame.f_lineno
            if line is None or not 1 <= line <= lines:
                put(out + LEAVE)
            else:
                if left == ON_UNWIND:
                    out += RETURN + varint(line) + UNWOUND + NO_VALUE
                else:
                    text = text_of(arg)
                    out += RETURN + varint(line) + (RETURNED if left == ON_RETURN else YIELDED) + encode(text) + END
                try:
                    channel.write(out)
                except ValueError:
                    overflow(out)
                if check is not None and check(left, act, line):
                    stop(frame)
            if stack and stack[-1] is me:
                stack.pop()
            while below:
                put(LEAVE)
                stack.pop()
                below -= 1
        elif event == "exception":
            raised = frame.f_lasti
            event_at(frame, info, out, EXCEPTION, encode(text_of(raised_value(arg))) + END, ON_EXCEPTION, act)
        elif event == "amend":
            put(out + AMEND)
        return frame.f_trace

    return local


def scope(info):
    """The trace function of one activation of a module or a class body."""
    act = -1
    me = None
    last = {}
    texts = {}
    kinds = {}
    seen = last.get
    order = ()
    namespace = None
    stops = info.file.stops

    def local(frame, event, arg):
        nonlocal me, act, order, namespace
        global activations
        out = b""
        try:
            found = frame.f_locals
            if found.__class__ is Proxy:
                # 3.13, inside an inlined comprehension (PEP 709): only its own.
                found = {**(frame.f_globals if namespace is None else namespace), **found}
            else:
                namespace = found
            for name, value in list(found.items()):
                if value is seen(name, UNSEEN) or name == "__builtins__":
                    continue
                kind = type(value)
                if kind in ATOMS:
                    if name.__class__ is not str:
                        continue
                    last[name] = value
                    text = ATOMIC_TEXT(value)
                elif kinds.get(name) is kind and texts[name] == id(value):
                    continue
                elif values.hidden(name, value):
                    # Not held: its id and type stand for it.
                    last[name] = MUTABLE
                    texts[name] = id(value)
                    kinds[name] = kind
                    text = text_of(value)
                else:
                    text = text_of(value)
                    if seen(name) is MUTABLE and texts[name] == text:
                        continue
                    if name.__class__ is not str:
                        continue
                    last[name] = MUTABLE
                    texts[name] = text
                    kinds.pop(name, None)
                slot = info.prefix.get(name) or info.slot(name)
                if values.hidden(name, value):
                    slot = info.hiding[name]
                out += slot + encode(text) + END
            names = tuple(found)
            if names != order:
                out += reordered(last, texts, order, names, info)
                for name in list(kinds):
                    if name not in last:
                        del kinds[name]
                order = names
        except (RecursionError, MemoryError, RuntimeError):
            last.clear()
            texts.clear()
            order = ()
            out = PARTIAL
        except Exception:  # a namespace of a metaclass's making
            pass
        if event == "line":
            event_at(frame, info, out, LINE, b"", ON_LINE, act, stops.get(frame.f_lineno))
        elif event == "call":
            room()
            put(info.enter)
            act = activations
            activations += 1
            me = (act, info)
            stack.append(me)
            event_at(frame, info, out, CALL, b"", ON_CALL, act)
        elif event == "return":
            left = info.left_by(frame, arg, -1)
            tail = UNWOUND + NO_VALUE if left == ON_UNWIND else RETURNED + encode(text_of(arg)) + END
            if not event_at(frame, info, out, RETURN, tail, left, act):
                put(LEAVE)
            if stack and stack[-1] is me:
                stack.pop()
        elif event == "exception":
            event_at(frame, info, out, EXCEPTION, encode(text_of(raised_value(arg))) + END, ON_EXCEPTION, act)
        elif event == "amend":
            put(out + AMEND)
        return frame.f_trace

    return local


def event_at(frame, info, out, tag, tail, what, act, stop_here=None):
    """Writes an event with its changes; False where it is no state."""
    line = frame.f_lineno
    if line is None or not 1 <= line <= info.file.lines or act == silent_call and what == ON_CALL:
        if out:
            put(out)
        return False
    record = out + tag + varint(line) + tail
    try:
        channel.write(record)
    except ValueError:
        overflow(record)
    if check is not None and check(what, act, line):
        stop(frame)
    elif stop_here and hit(stop_here, frame):
        stop(frame)
    return True


# Up to 3.10 the interpreter brings a function's f_locals up to date before it
# calls a trace function (call_trampoline in sysmodule.c): asking again costs.
SNAPSHOTS = sys.version_info < (3, 11)


def delegating(frame):
    """throw() runs the innermost generator of a chain of yield from at once:
    the ones that wait for it lie on the interpreter's stack without an event
    (_gen_throw in genobject.c). Puts them on ours; returns how many."""
    back = frame.f_back
    if back is None or back.f_trace is None:
        return 0
    top = stack[-1] if stack else None
    waiting = []
    while back is not None and ours(back.f_trace):
        me = next(c.cell_contents for n, c in zip(back.f_trace.__code__.co_freevars, back.f_trace.__closure__) if n == "me")
        if me is None or me is top or not me[1].generator:
            break
        waiting.append(me)
        back = back.f_back
    for me in reversed(waiting):
        put(RESUME + varint(me[0]))
        stack.append(me)
    return len(waiting)


def room():
    """Fails where the stack has no room for what later events of the frame
    will need: then the frame is not traced, and nothing of it written."""


def overflow(record):
    """Writes a record that the chunk has no room for."""
    with_room(True)
    if channel.spill(record):
        paused()
    with_room(False)


def paused():
    """npdb's limit was reached: the next event is a stop."""
    global check
    channel.header[channel.PAUSE] = 0
    check = limit_reached


LOCAL_CODES = frozenset(
    const for outer in (function, scope) for const in outer.__code__.co_consts if hasattr(const, "co_code")
)


def ours(local):
    return getattr(local, "__code__", None) in LOCAL_CODES


def trace(frame, event, arg):
    """The global trace function: called for each new frame, and each time a
    generator's is resumed."""
    code = frame.f_code
    info = infos.get(id(code))
    if info is None:
        info = classify(code)
    if info is False:
        return None
    local = frame.f_trace
    depth = len(stack)
    try:
        if local is None or not ours(local):
            local = function(info) if info.fast else scope(info)
            frame.f_trace = local
        local(frame, event, arg)
    except (RecursionError, MemoryError):
        if len(stack) == depth:
            frame.f_trace = None
            try:
                channel.write(PARTIAL)
            except ValueError:
                pass
            return None
    return local


infos = {}  # id of a code object -> Info, or False for library code
classify = None  # set by usercode
limit_reached = None  # set by moves
with_room = None  # set by moves: makes room on the stack, or takes it back
