"""The trace function that records the events of a program.

An event is a call, line, return or exception of the program's own code, with the locals of its
frame as text. The rules are those of npdb's tracer. The same things are not events: the
module's own call, lines that the file does not contain, and the StopIteration that ends a
delegation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType

from . import frames
from .giving_up import CALLER, CRASH, DELEGATION, EDIT, EVENTS, LOCALS, MEMORY, RECURSION, TRACING, GiveUp
from .values import render

CALL, LINE, RETURN, YIELD, UNWIND, EXCEPTION = range(6)

FILE = "program.py"  # the file name with which programs are compiled
CO_OPTIMIZED, CO_GENERATORS = 1, 0x20 | 0x80 | 0x200  # generator, coroutine, async generator
DEFINED = (type, type(render), type(len), ModuleType)  # values of these types are not shown in modules and class bodies


@dataclass
class Recording:
    """The events of one run, as parallel lists.

    fatal: the exception event at which a debugger stops if nothing caught the exception
    that ended the program, else -1.
    """

    kind: list = field(default_factory=list)
    line: list = field(default_factory=list)
    activation: list = field(default_factory=list)
    depth: list = field(default_factory=list)
    names: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    value: list = field(default_factory=list)
    info: list = field(default_factory=list)  # for each activation, the Info of its code
    code: int = 0
    exception: str | None = None
    fatal: int = -1


class Info:
    """Facts about one code object of the program."""

    __slots__ = ("name", "names", "fast", "generator", "inlines", "readable", "code", "bytecode")

    def __init__(self, code):
        self.code = code
        self.name = code.co_name
        self.fast = bool(code.co_flags & CO_OPTIMIZED)
        self.generator = bool(code.co_flags & CO_GENERATORS)
        self.bytecode = None
        self.names = tuple(dict.fromkeys(code.co_varnames + code.co_cellvars + code.co_freevars))
        self.inlines = not self.fast and frames.inlines(code)
        self.readable = not self.fast or frames.readable(code)

    def left_by(self, frame, value, raised):
        """Returns how an activation is left at a return event: RETURN, YIELD or UNWIND. Python's
        trace function gets the event "return" in all three cases. raised is the instruction of
        the latest exception since the last line event."""
        at = frame.f_lasti
        if value is not None:
            if not self.generator:
                return RETURN
        elif at == raised:  # generator.throw also raises at the yield
            return UNWIND
        if self.bytecode is None:
            self.bytecode = self.code.co_code
        if frames.returns(self.bytecode, at):
            return RETURN
        if self.generator and frames.yields(self.bytecode, at):
            return YIELD
        return UNWIND if value is None else RETURN


class Activation:
    __slots__ = ("number", "info", "latest", "raised", "address", "namespace")

    def __init__(self, number, info, frame):
        self.number = number
        self.info = info
        self.address = id(frame)
        self.latest = self.raised = -1
        self.namespace = None


class Tracer:
    """The trace function, and what it knows about the run.

    edit is None or (event, name, value): a variable to set at that event, before the
    program continues."""

    def __init__(self, lines, limit, silent, edit=None):
        self.lines = lines  # number of lines in the file
        self.found = Recording()
        self.limit = limit
        self.edit = edit
        self.edit_at = edit[0] if edit else -1
        self.silent = silent  # the first activation is the module, whose call is not a state
        self.infos = {}  # id of a code object -> Info, or None for code outside the program
        self.kept = []  # code objects that are kept alive, so that their ids are not reused
        self.frames = {}  # id of a frame -> its Activation
        self.stack = []
        self.gave_up = False

    def enter(self, frame, event, arg):
        """The global trace function. It is called for each new frame, and each time a
        generator's frame is resumed."""
        code = frame.f_code
        if code.co_filename != FILE:
            return None
        local = frame.f_trace
        if local is None:
            info = self.infos.get(id(code))
            if info is None:
                self.kept.append(code)
                info = self.infos[id(code)] = Info(code)
                if not info.readable:
                    self.gave_up = True
                    raise GiveUp(LOCALS)
                if frames.deadly(code):
                    self.gave_up = True
                    raise GiveUp(CRASH)
            local = frame.f_trace = self.local(frame, info)
        return local(frame, event, arg)

    def local(self, frame, info):
        """Returns the trace function for one activation, to which the activation's frame refers."""
        found, stack = self.found, self.stack
        me = Activation(len(found.info), info, frame)
        found.info.append(info)
        self.frames[id(frame)] = me
        silent = self.silent and me.number == 0
        begun = False
        last = self.lines

        def local(frame, event, arg):
            nonlocal begun
            line = frame.f_lineno
            there = line is not None and 1 <= line <= last
            try:
                if event == "line":
                    me.raised = -1
                    if there:
                        self.event(frame, me, LINE, line, None)
                elif event == "call":
                    me.raised = -1
                    if begun and info.generator and self.delegated(frame):
                        raise GiveUp(DELEGATION)
                    stack.append(me)
                    if not info.fast:
                        me.namespace = frames.namespace(frame)
                    if there and not (silent and not begun):
                        self.event(frame, me, CALL, line, None)
                    begun = True
                elif event == "return":
                    left = info.left_by(frame, arg, me.raised)
                    me.raised = -1
                    if there:
                        self.event(frame, me, left, line, None if left == UNWIND else render(arg))
                    if stack and stack[-1] is me:
                        stack.pop()
                elif event == "exception":
                    if info.generator and arg[0] is StopIteration and arg[2] is None:
                        return frame.f_trace
                    if issubclass(arg[0], (RecursionError, MemoryError)):
                        # There is no recording, because it depends on the recorder when the limit
                        # is reached.
                        raise GiveUp(RECURSION if issubclass(arg[0], RecursionError) else MEMORY)
                    me.raised = frame.f_lasti
                    if there:
                        self.event(frame, me, EXCEPTION, line, render(raised_value(arg)))
            except BaseException:  # the interpreter turns tracing off after this, and the program may continue
                self.gave_up = True
                raise
            return frame.f_trace  # frame.f_trace instead of local, which would create a reference cycle

        return local

    def event(self, frame, me, kind, line, value):
        found = self.found
        n = len(found.kind)
        stack = self.stack
        if n >= self.limit:
            raise GiveUp(EVENTS)
        if not stack or stack[-1] is not me:
            raise GiveUp(TRACING)
        if len(stack) > 1 and stack[-2].latest < 0:
            raise GiveUp(CALLER)
        me.latest = n
        if n == self.edit_at:
            self.change(frame, me)
        info = me.info
        if info.fast:
            held = frame.f_locals
            names = info.names
            if len(held) != len(names):
                names = tuple([name for name in names if name in held])
            texts = [render(held[name]) for name in names]
        else:
            names, texts = scope(frames.names_of_body(frame, info, me.namespace))
        found.kind.append(kind)
        found.line.append(line)
        found.activation.append(me.number)
        found.depth.append(len(stack) - 1)
        found.names.append(names)
        found.texts.append(texts)
        found.value.append(value)

    def change(self, frame, me):
        """Sets the variable of the edit to its new value. Raises GiveUp if that is impossible."""
        _, name, value = self.edit
        info = me.info
        if info.fast:
            done = name in info.names and frames.set_local(frame, name, value)
        else:
            shown, _ = scope(me.namespace)
            done = name in shown and not (info.inlines and name in info.names)
            if done:
                me.namespace[name] = value
        if not done:
            raise GiveUp(EDIT)
        self.edit_at = -1

    def delegated(self, frame):
        """Returns whether throw() has directly run the innermost generator in a chain of yield
        from. The generators that wait for it are then on the interpreter's stack without an
        event."""
        back = frame.f_back
        top = self.stack[-1] if self.stack else None
        if top is not None and top.address == id(back):
            return False
        one = self.frames.get(id(back)) if back.f_code.co_filename == FILE else None
        return one is not None and one.info.generator

    def fatal(self, exception):
        """Returns the event of an uncaught exception at which its traceback is deepest in the
        program, or -1 if there is none."""
        innermost = line = None
        tb = exception.__traceback__
        while tb is not None:
            if tb.tb_frame.f_code.co_filename == FILE:
                innermost, line = tb.tb_frame, tb.tb_lineno
            tb = tb.tb_next
        one = self.frames.get(id(innermost))
        latest = -1
        if one is not None:
            found = self.found
            for i in range(len(found.kind) - 1, -1, -1):
                if found.activation[i] == one.number and found.kind[i] == EXCEPTION:
                    if found.line[i] == line:
                        return i
                    if latest < 0:
                        latest = i
        return latest


def scope(namespace):
    """Returns the names of a module or class body and their values as text. It omits dunders,
    imported modules, functions and classes."""
    names, texts = [], []
    for name, value in list(namespace.items()):
        if issubclass(type(value), DEFINED):
            continue
        if type(name) is str and not (name.startswith("__") and name.endswith("__")):
            names.append(name)
            texts.append(render(value))
    return tuple(names), texts


def raised_value(arg):
    kind, value, _ = arg
    if isinstance(value, BaseException):
        return value
    if value is None:
        return kind()
    return kind(*value) if isinstance(value, tuple) else kind(value)
