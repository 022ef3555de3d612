"""Runs a program again under a recorder of its own, over sys.settrace.

A program runs in a forked child with limits on time and memory, which returns its events as
plain data. At each event, the recorder reads the stack from the interpreter's frames and asks
the interpreter for a function's names one by one (PyFrame_GetVar, from 3.12 on), so that
reading does not change the program: up to 3.12, f_locals keeps objects alive, so that `del` in
the program would not delete them.
"""

from __future__ import annotations

import ast
import builtins
import ctypes
import functools
import gc
import os
import resource
import sys
import types
from dataclasses import dataclass, field
from opcode import opmap

from rerun.blocks import slots_of
from rerun.forked import CannotRun, forked
from rerun.values import Shown

FILE = "program.py"
SECONDS = 20  # the time limit of a program
MEMORY = 2 << 30  # bytes
EVENTS = 100_000
DEFINED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
GENERATES = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR
OPTIMIZED = 1
RETURNING = [opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opmap]
YIELD_VALUE, RESUME, YIELD_FROM = (opmap.get(name, -1) for name in ("YIELD_VALUE", "RESUME", "YIELD_FROM"))
NAMED = sys.version_info >= (3, 12)  # a frame can be asked for a single name
LIVE = sys.version_info >= (3, 13)  # f_locals reads the frame's names directly instead of copying them

if NAMED:
    ask_frame = ctypes.pythonapi.PyFrame_GetVar
    ask_frame.argtypes, ask_frame.restype = [ctypes.py_object, ctypes.py_object], ctypes.py_object
if not LIVE:
    write_back = ctypes.pythonapi.PyFrame_LocalsToFast
    write_back.argtypes, write_back.restype = [ctypes.py_object, ctypes.c_int], None


@dataclass
class Event:
    kind: str  # call, line, return, yield, unwind, exception
    line: int
    names: dict  # name -> text
    value: str | None
    stack: list  # (function, line or None, activation), outermost first

    @property
    def depth(self):
        return len(self.stack) - 1

    @property
    def activation(self):
        return self.stack[-1][2]


@dataclass
class Run:
    """A run of a program. generators holds the activations of generators. fatal is the event at
    which a debugger stops for an exception that nothing caught, or None."""

    events: list
    generators: set
    code: int = 0
    exception: str | None = None
    fatal: int | None = None
    slots: dict = field(default_factory=dict)  # of the source's lines in its basic blocks

    @functools.cached_property
    def begins(self):
        """Returns the indexes of the call events that begin an activation instead of resuming one."""
        found = {}
        for i, event in enumerate(self.events):
            found.setdefault(event.activation, i)
        return {i for i in found.values() if self.events[i].kind == "call"}


@dataclass
class Edit:
    """An edit: before the program continues after event at, a name of the event's frame
    gets a new value."""

    at: int
    name: str
    literal: str


class Sink:
    """Discards what a program prints, and counts how often it prints."""

    encoding, errors, closed, newlines, name, mode = "utf-8", "strict", False, None, "<stdout>", "w"

    def __init__(self):
        self.writes = 0

    def write(self, text):
        self.writes += 1
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def readable(self):
        return False

    def writable(self):
        return True


class Activation:
    """One run of one function. The function's frame refers to it through its trace function."""

    def __init__(self, recorder, frame):
        code = frame.f_code
        self.recorder = recorder
        self.number = recorder.activations
        recorder.activations += 1
        self.generates = bool(code.co_flags & GENERATES)
        if self.generates:
            recorder.run.generators.add(self.number)
        self.function = bool(code.co_flags & OPTIMIZED)
        self.names = dict.fromkeys(code.co_varnames + code.co_cellvars + code.co_freevars)
        self.namespace = None
        if not self.function:
            self.namespace = frame.f_globals if code is recorder.module else frame.f_locals
        self.resumed = False
        self.raised_at = None  # the instruction of the latest exception since the last line event

    def trace(self, frame, event, arg):
        try:
            self.happens(frame, event, arg)
        except BaseException as e:
            self.recorder.failure = e
            raise
        return self.trace

    def happens(self, frame, event, arg):
        recorder = self.recorder
        kind, value = event, None
        if event == "call":
            self.raised_at = None
            first, self.resumed = not self.resumed, True
            if first and frame.f_code is recorder.module:
                return  # the call of the module itself is not a state
        elif event == "line":
            self.raised_at = None
        elif event == "return":
            kind = self.left(frame, arg)
            if kind != "unwind":
                value = recorder.shown.text(arg)
        elif event == "exception":
            if self.generates and arg[0] is StopIteration and arg[2] is None:
                return  # the end of a `yield from`
            self.raised_at = frame.f_lasti
            value = recorder.shown.text(arg[1] if isinstance(arg[1], BaseException) else arg[0](arg[1]))
        else:
            return
        if frame.f_lineno is not None and 1 <= frame.f_lineno <= recorder.lines:
            recorder.event(self, frame, kind, value)

    def left(self, frame, arg):
        """Returns how a frame is left: "return", "yield" or "unwind". Python's trace
        function gets the event "return" in all three cases."""
        if arg is None and self.raised_at == frame.f_lasti:
            return "unwind"  # no handler caught it; throw() raises at a yield
        code, at = frame.f_code.co_code, frame.f_lasti
        if code[at] in RETURNING:
            return "return"
        suspends = (
            code[at] == YIELD_VALUE
            or code[at] == RESUME and code[at - 2] == YIELD_VALUE  # from 3.13 on
            or code[at + 2 : at + 3] == bytes([max(YIELD_FROM, 0)]) and YIELD_FROM > 0  # up to 3.10
        )
        return "yield" if suspends else "unwind"

    def locals(self, frame):
        """Returns the locals as name -> text."""
        text = self.recorder.shown.text
        found = {} if self.function else dict(self.namespace)
        if NAMED:
            for name in self.names:
                try:
                    found[name] = ask_frame(frame, name)
                except NameError:
                    pass  # the name is not bound
        elif self.function:
            held = frame.f_locals
            found = {name: held[name] for name in self.names if name in held}
        if self.function:
            return {name: text(value) for name, value in found.items()}
        return {
            name: text(value)
            for name, value in found.items()
            if type(name) is str
            and not (name.startswith("__") and name.endswith("__"))
            and not issubclass(type(value), DEFINED)
        }

    def set(self, frame, edit):
        value = ast.literal_eval(edit.literal)
        if self.function:
            frame.f_locals[edit.name] = value
            if not LIVE:
                write_back(frame, 0)
        else:
            self.namespace[edit.name] = value


class Recorder:
    def __init__(self, lines, module, edits):
        self.lines, self.module, self.edits = lines, module, edits
        self.activations = 0
        self.run = Run([], set())
        self.failure = None
        self.out = Sink()
        self.shown = Shown(lambda: self.out.writes)

    def enter(self, frame, event, arg):
        """The global trace function (sys.settrace). It decides which calls are traced."""
        if frame.f_code.co_filename != FILE:
            return None
        if frame.f_trace is None:
            frame.f_trace = Activation(self, frame).trace
        return frame.f_trace(frame, event, arg)

    def event(self, activation, frame, kind, value):
        events = self.run.events
        if len(events) == EVENTS:
            raise CannotRun("too many events")
        for edit in self.edits:
            if edit.at == len(events):
                activation.set(frame, edit)
        events.append(Event(kind, frame.f_lineno, activation.locals(frame), value, stack_of(frame)))

    def died_of(self, error):
        """Records that an exception that nothing caught ended the run."""
        run = self.run
        run.code, run.exception = 1, self.shown.text(error)
        innermost = None
        tb = error.__traceback__
        while tb is not None:
            if activation_of(tb.tb_frame) is not None:
                innermost = activation_of(tb.tb_frame).number, tb.tb_lineno
            tb = tb.tb_next
        if innermost is None:
            return
        raised = [i for i, e in enumerate(run.events) if e.kind == "exception" and e.activation == innermost[0]]
        there = [i for i in raised if run.events[i].line == innermost[1]]
        run.fatal = (there or raised or [None])[-1]


def activation_of(frame):
    owner = getattr(frame.f_trace, "__self__", None)
    return owner if type(owner) is Activation else None


def stack_of(frame):
    found = []
    while frame is not None:
        activation = activation_of(frame)
        if activation is not None:
            found.append((frame.f_code.co_name, frame.f_lineno, activation.number))
        frame = frame.f_back
    return found[::-1]


def recorded(source, entry, edits):
    """Runs a program in this process and returns the Run. The process must not be used afterwards,
    because the program may have changed it."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    code = compile(source, FILE, "exec", dont_inherit=True)
    recorder = Recorder(len(lines) - (lines[-1] == ""), None if entry else code, edits)
    recorder.run.slots = slots_of(source)
    name = "program" if entry else "__main__"
    module = types.ModuleType(name)
    vars(module).update(__builtins__=builtins, __file__=FILE)
    sys.modules[name] = module
    sys.stdout = sys.stderr = recorder.out
    sys.stdin = open(os.devnull)
    sys.unraisablehook = lambda _: None
    gc.disable()
    function, arguments, keywords = exec, (code, vars(module)), {}
    if entry:
        exec(code, vars(module))
        call = ast.parse(entry.strip(), "<entry>", "eval").body
        if not isinstance(call, ast.Call):
            raise CannotRun("the entry is no call")
        split = ast.parse("F, (lambda *a, **k: (a, k))()", "<entry>", "eval")
        split.body.elts[0] = call.func
        split.body.elts[1].args, split.body.elts[1].keywords = call.args, call.keywords
        function, (arguments, keywords) = eval(compile(split, "<entry>", "eval"), dict(vars(module)))
    try:
        sys.settrace(recorder.enter)
        try:
            function(*arguments, **keywords)
        finally:
            sys.settrace(None)
    except SystemExit as e:
        if e.code is not None:
            recorder.run.code = e.code & 255 if isinstance(e.code, int) else 1
    except BaseException as e:
        if recorder.failure is None:
            recorder.died_of(e)
    if recorder.failure is not None:
        raise recorder.failure
    return recorder.run


def run(source, entry, edits=()):
    """Runs a program in a child of this process and returns the Run. Raises CannotRun with the
    reason if there is none."""
    return forked(lambda: child(source, entry, edits), SECONDS)


def child(source, entry, edits):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    del sys.path[0]  # the program must not import the check's modules
    return recorded(source, entry, edits)
