"""The witness: what CPython itself reports of a program, as JSON lines.

It runs programs the way npdb does (the script as __main__, user code only)
under two observers that share no code with npdb's tracer but the rendering of
values:

  walk  a bdb.Bdb that steps at random, or along a given string of s, n and r:
        where does the standard library's debugger stop?
  flat  a bare sys.settrace function that reports every event.

Usage: witness.py DIRECTORY_OF_RENDER, with jobs on standard input, one JSON
object a line:

  {"program": path, "mode": "walk" | "flat", "seed": 1, "moves": 20,
   "script": "ssnr", "cautious": true, "user": ["module", ...],
   "stdin": "text", "locals": true, "limit": 5000}

Each job runs in a forked child, so that one interpreter serves many programs.
Standard output gets the answers, in the order of the jobs:

  {"user": [path, ...]}                 the source files of the job's modules
  {"action": null | "s", "event": ..., "kind": ..., "file": ..., "line": ...,
   "function": ..., "depth": ..., "locals": [[name, text, hidden], ...],
   "value": ...}                        one a stop
  {"end": true, "code": 0, "exception": null, "action": "s"}
                                        the program is over
  {"stopped": true}                     the moves or the limit are used up
  {"job": 0, "status": 0}               the child's wait status; the job is done

Events of flat mode also carry "act", the number of the activation, "suspends"
for generators and coroutines, and "lasti".
"""

import bdb
import dis
import importlib.util
import json
import os
import pdb
import random
import re
import sys
import types

SUSPENDS = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR
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

    def run(self, argv):
        """Executes the script as __main__ under the trace function in force."""
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

    def __init__(self, program, render, emit, job):
        self.program = program
        self.render = render
        self.emit = emit
        self.show_locals = job.get("locals", True)
        self.raised = {}  # id of a frame -> f_lasti of its latest exception event
        self.spaces = {}  # id of a class body's frame -> its namespace
        self.bottom = program.depth(sys._getframe())[1]
        self.below = {}  # id of a frame whose f_back is lost -> depth of what called it
        self.latest = 0  # depth at the latest event, that of the caller after a return

    def note(self, frame, event):
        """Remembers where an exception was last seen, before the event is reported."""
        if event == "exception":
            self.raised[id(frame)] = frame.f_lasti
        elif event != "return":
            self.raised.pop(id(frame), None)
        if not frame.f_code.co_flags & 1 and self.program.owns(frame.f_code):
            space = frame.f_locals
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
        found = self.render.frame_locals(frame)
        if isinstance(frame.f_locals, dict) or id(frame) not in self.spaces:
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
        observer.emit(state)
        self.limit -= 1
        if self.limit == 0:
            observer.emit({"stopped": True})
            os._exit(0)
        return self.trace

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


def ending(run):
    """Runs the program to its end; its exit status and what was not caught."""
    try:
        run()
    except SystemExit as e:
        if e.code is None:
            return 0, None
        return (e.code & 0xFF if isinstance(e.code, int) else 1), None
    except BaseException as e:
        return 1, e
    return 0, None


def child(job, files, out, render):
    """Runs one job; never returns."""

    def emit(answer):
        data = json.dumps(answer).encode() + b"\n"
        while data:
            data = data[os.write(out, data):]

    def keep_tracing(original, answer):
        # A program's own sys.settrace would end the observation.
        def instead(*args):
            if program.owns(sys._getframe(1).f_code):
                return answer
            return original(*args)

        return instead

    # Children of the program run free: nothing of them is traced.
    settrace = sys.settrace
    os.register_at_fork(after_in_child=lambda: settrace(None))
    # breakpoint() and pdb.set_trace() ask for a debugger, which is here already.
    sys.breakpointhook = pdb.set_trace = lambda *args, **keywords: None
    program = Program(job["program"], files)
    sys.settrace = keep_tracing(sys.settrace, None)
    sys.gettrace = keep_tracing(sys.gettrace, None)
    os.chdir(program.root)
    code, names = program.run(job.get("args", []))
    observer = Observer(program, render, emit, job)
    if job["mode"] == "walk":
        runner = Walker(observer, job)
    else:
        runner = Flat(observer, job)
    status, raised = ending(lambda: runner.run(code, names))
    emit(
        {
            "end": True,
            "code": status,
            "exception": None if raised is None else plain(render.render(raised)),
            "action": runner.action,
        }
    )
    os._exit(0)


def redirect(text):
    """Gives the child the program's input, and nowhere to write to."""
    read, write = os.pipe()
    os.write(write, text.encode())
    os.close(write)
    os.dup2(read, 0)
    os.close(read)
    null = os.open(os.devnull, os.O_WRONLY)
    for fd in (1, 2):
        os.dup2(null, fd)
    os.close(null)
    encoding = {"encoding": "utf-8", "errors": "backslashreplace"}
    sys.stdin = open(0, encoding="utf-8")
    sys.stdout = open(1, "w", **encoding)
    sys.stderr = open(2, "w", **encoding)


def main():
    sys.path.insert(1, sys.argv[1])
    import render

    out = os.dup(1)
    os.set_inheritable(out, False)
    jobs = [json.loads(line) for line in sys.stdin]
    for number, job in enumerate(jobs):
        files = [importlib.util.find_spec(name).origin for name in job.get("user", ())]
        os.write(out, json.dumps({"user": files}).encode() + b"\n")
        pid = os.fork()
        if pid == 0:
            try:
                redirect(job.get("stdin", ""))
                child(job, files, out, render)
            except BaseException as e:
                message = json.dumps({"error": "%s: %s" % (type(e).__name__, e)})
                os.write(out, message.encode() + b"\n")
            finally:
                os._exit(9)
        status = os.waitpid(pid, 0)[1]
        os.write(out, json.dumps({"job": number, "status": status}).encode() + b"\n")


if __name__ == "__main__":
    main()
