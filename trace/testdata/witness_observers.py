"""The two observers of the witness: bdb on a walk, and a bare trace function.

Both see user code only and render it alike; see witness.py for their answers.
"""

import bdb
import copyreg
import dis
import os
import random
import re
import sys
import types

sys.path.append(os.path.join(os.path.dirname(__file__), "../../lab/dataset/check/rerun"))
import blocks  # noqa: E402: what the checks of datasets read basic blocks with

sys.path.pop()

if sys.version_info >= (3, 13):
    # What re registers is not for the program to see. (Before, typing imports it.)
    copyreg.dispatch_table.pop(re.Pattern, None)

SUSPENDS = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR
FUNCTION = 1  # CO_OPTIMIZED
RETURNS = {dis.opmap[n] for n in ("RETURN_VALUE", "RETURN_CONST") if n in dis.opmap}
YIELDS = {dis.opmap[n] for n in ("YIELD_VALUE",) if n in dis.opmap}
YIELD_FROM = dis.opmap.get("YIELD_FROM")  # up to 3.10; it suspends one instruction early
RESUME = dis.opmap.get("RESUME")  # from 3.11


class Program:
    """A program on disk: which code is the user's, and which lines exist."""

    def __init__(self, path, user):
        self.path = os.path.abspath(path)
        self.root = os.path.dirname(self.path) + os.sep
        self.user = frozenset(user)
        self.known = {}
        self.lines = {}
        self.slots = {}

    def owns(self, code):
        name = code.co_filename
        if name not in self.known:
            self.known[name] = name.startswith(self.root) or name in self.user
        return self.known[name]

    def has_line(self, code, line):
        name = code.co_filename
        if name not in self.lines:
            with open(name, "rb") as f:
                text = f.read()
            ends = len(re.findall(rb"\r\n|\r|\n", text))
            self.lines[name] = ends + (not text.endswith((b"\r", b"\n")) and text != b"")
        return line is not None and 1 <= line <= self.lines[name]

    def slot(self, code, line):
        """The place of a line in the basic blocks of its file, or None."""
        name = code.co_filename
        if name not in self.slots:
            with open(name, "rb") as f:
                self.slots[name] = blocks.slots_of(f.read())
        return self.slots[name].get(line)

    def shown(self, code):
        name = code.co_filename
        return name[len(self.root):] if name.startswith(self.root) else name

    def depth(self, frame):
        """How many activations of user code lie below, and the outermost frame found."""
        depth = -1
        while True:
            depth += self.owns(frame.f_code)
            if frame.f_back is None:
                return depth, frame
            frame = frame.f_back

    def load(self, argv):
        """Makes the script __main__; its code, and the names to run it with."""
        main = types.ModuleType("__main__")
        main.__file__ = self.path
        main.__builtins__ = __builtins__
        sys.modules["__main__"] = main
        sys.argv = [self.path] + argv
        sys.path[0] = self.root[:-1]
        with open(self.path, "rb") as f:
            return compile(f.read(), self.path, "exec"), main.__dict__


class Observer:
    """What the two modes have in common: a state as JSON, and its kind."""

    def __init__(self, program, render, names_of, emit, job):
        self.program = program
        self.render = render
        self.names_of = names_of  # a frame's f_locals, read without a trace
        self.emit = emit
        self.show_locals = job.get("locals", True)
        self.raised = {}  # id of a frame -> f_lasti of its latest exception event
        self.spaces = {}  # id of a class body's frame -> its namespace
        self.bottom = program.depth(sys._getframe())[1]
        self.below = {}  # id of a frame whose f_back is lost -> depth of what called it
        self.latest = 0  # depth at the latest event, that of the caller after a return

    @staticmethod
    def delegation_ends(frame, event, arg):
        """Whether an event is the StopIteration, raised by nobody, with which
        ends what a generator or coroutine delegates to: bdb passes over it."""
        return (
            event == "exception" and frame.f_code.co_flags & SUSPENDS and arg[0] is StopIteration and arg[2] is None
        )

    def note(self, frame, event):
        """Remembers where an exception was last seen, before the event is reported."""
        if event == "exception":
            self.raised[id(frame)] = frame.f_lasti
        elif event != "return":
            self.raised.pop(id(frame), None)
        if not frame.f_code.co_flags & FUNCTION and self.program.owns(frame.f_code):
            space = self.names_of(frame)
            if isinstance(space, dict) and event != "return":
                self.spaces[id(frame)] = space
            elif event == "return":
                self.spaces.pop(id(frame), None)

    def depth(self, frame, event):
        depth, outermost = self.program.depth(frame)
        if outermost is not self.bottom:
            # On 3.9, throw() into a delegating generator forgets who threw.
            if event == "call":
                self.below[id(outermost)] = self.latest + 1
            depth += self.below[id(outermost)]
        self.latest = depth - (event == "return")
        return depth

    def locals(self, frame):
        names = self.names_of(frame)
        found = self.render.frame_locals(frame, names)
        if frame.f_code.co_flags & FUNCTION or isinstance(names, dict) or id(frame) not in self.spaces:
            return found
        # From 3.13 on, f_locals of a class body or module holds only the names
        # of a comprehension while that runs inside it (PEP 709).
        names = {name for name, _, _ in found}
        outer = self.spaces[id(frame)].items()
        render = self.render
        return [(n, render.render(v), render.hidden(n, v)) for n, v in outer if n not in names] + found

    def kind(self, frame):
        """How a return event leaves: CPython does not say, the bytecode does."""
        code, at = frame.f_code.co_code, frame.f_lasti
        if self.raised.pop(id(frame), None) == at:
            return "unwind"
        if at >= 0 and code[at] in RETURNS:
            return "return"
        if at >= 0 and code[at] in YIELDS:
            return "yield"
        # From 3.13 on, f_lasti is at the RESUME that follows the yield.
        if at >= 2 and code[at] == RESUME and code[at - 2] in YIELDS:
            return "yield"
        if YIELD_FROM is not None and YIELD_FROM in code[at + 2 : at + 3]:
            return "yield"
        return "unwind"

    def state(self, frame, event, arg):
        code = frame.f_code
        kind = value = None
        if event == "return":
            kind = self.kind(frame)
            if kind != "unwind":
                value = self.render.render(arg)
        elif event == "exception":
            value = self.render.render(arg[1])
        found = []
        if self.show_locals:
            found = [[n, plain(t), h] for n, t, h in self.locals(frame)]
        return {
            "event": event,
            "kind": kind,
            "file": self.program.shown(code),
            "line": frame.f_lineno,
            "function": code.co_name,
            "depth": self.depth(frame, event),
            "locals": found,
            "value": None if value is None else plain(value),
            "slot": self.program.slot(code, frame.f_lineno),
        }


def plain(text):
    """Text without surrogates: they are written as escapes, as npdb does."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


class Walker(bdb.Bdb):
    """The standard library's debugger on a walk of steps, nexts and returns."""

    def __init__(self, observer, job):
        super().__init__()
        self.observer = observer
        self.random = random.Random(job.get("seed", 0))
        self.script = job.get("script")
        self.cautious = job.get("cautious", True)
        self.left = job["moves"] if self.script is None else len(self.script)
        self.action = None

    def trace_dispatch(self, frame, event, arg):
        self.observer.note(frame, event)
        return super().trace_dispatch(frame, event, arg)

    def stop_here(self, frame):
        # What bdb's "skip" does by module name, npdb decides by file.
        return self.observer.program.owns(frame.f_code) and super().stop_here(frame)

    def user_call(self, frame, argument_list):
        self.stop(frame, "call", None)

    def user_line(self, frame):
        self.stop(frame, "line", None)

    def user_return(self, frame, return_value):
        self.stop(frame, "return", return_value)

    def user_exception(self, frame, exc_info):
        self.stop(frame, "exception", exc_info)

    def stop(self, frame, event, arg):
        if not self.observer.program.has_line(frame.f_code, frame.f_lineno):
            return  # no state; bdb goes on with the move it is at
        state = self.observer.state(frame, event, arg)
        state["action"] = self.action
        self.observer.emit(state)
        if self.left == 0:
            self.observer.emit({"stopped": True})
            os._exit(0)
        self.left -= 1
        self.action = self.choose(frame, event)
        if self.action == "s":
            self.set_step()
        elif self.action == "n":
            self.set_next(frame)
        else:
            self.set_return(frame)
        # From 3.13.6 on, bdb passes over further line events on the line where
        # the command was given (gh-136057); this makes it stop as it used to.
        self.cmdframe = None

    def choose(self, frame, event):
        if self.script is not None:
            return self.script[-1 - self.left]
        # Not too often past all of the module.
        action = self.random.choice("sssnnr" if frame.f_back is not self.botframe else "sssssn")
        if not self.cautious or action == "s":
            return action
        # Where bdb is known to differ from the table a cautious walk steps.
        if event != "return":
            return "s" if frame.f_code.co_flags & SUSPENDS else action
        if action == "n":
            return action
        caller = frame.f_back
        if frame.f_code.co_flags & SUSPENDS or caller is None:
            return "s"
        if caller is not self.botframe and not self.observer.program.owns(caller.f_code):
            return "s"
        return "s" if caller.f_code.co_flags & SUSPENDS else action


class Flat:
    """Every event of user code, from a trace function that does nothing else."""

    def __init__(self, observer, job):
        self.observer = observer
        self.limit = job.get("limit", 0)
        self.acts = {}  # id of a live frame -> number of its activation
        self.count = 0
        self.began = False
        self.action = None

    def trace(self, frame, event, arg):
        observer = self.observer
        if not observer.program.owns(frame.f_code):
            return None
        if observer.delegation_ends(frame, event, arg):
            return self.trace
        observer.note(frame, event)
        if id(frame) not in self.acts or event == "call" and self.first(frame):
            self.acts[id(frame)] = self.count
            self.count += 1
        act = self.acts[id(frame)]
        if not self.began:
            self.began = True  # the module's own call is no state
            return self.trace
        state = observer.state(frame, event, arg)
        if event == "return" and state["kind"] != "yield":
            del self.acts[id(frame)]
        if not observer.program.has_line(frame.f_code, frame.f_lineno):
            return self.trace
        state["act"] = act
        state["suspends"] = bool(frame.f_code.co_flags & SUSPENDS)
        state.update(self.beyond(frame))
        observer.emit(state)
        self.limit -= 1
        if self.limit == 0:
            observer.emit({"stopped": True})
            os._exit(0)
        return self.trace

    def beyond(self, frame):
        """What an event has beside its own state."""
        return {}

    @staticmethod
    def first(frame):
        """Whether a call event begins an activation rather than resumes one."""
        code, at = frame.f_code.co_code, frame.f_lasti
        if RESUME is None:
            return at < 0
        return at >= 0 and code[at] == RESUME and code[at + 1] & 3 == 0

    def run(self, code, names):
        sys.settrace(self.trace)
        try:
            exec(code, names)
        finally:
            sys.settrace(None)
