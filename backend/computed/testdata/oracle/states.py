"""Runs programs, and runs them again with one local changed at one event.

Reads programs as JSON lines with id and files, a list of names and texts of which the first is the script,
and writes one JSON line for each: its events, and for some of them a changed local with the events that then
follow. Usage: states.py SEED PICKS < programs
"""

import ast
import ctypes
import io
import json
import os
import random
import resource
import signal
import sys
import tempfile
import types

from calls import Late, canonical, changed, late

MOST, FOLLOW = 300, 60


class Enough(BaseException):
    pass


def visible(name, value):
    return not (name.startswith("__") and name.endswith("__")) and not isinstance(
        value, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type))


def literal(text):
    try:
        ast.literal_eval(text)
    except Exception:
        return text == "set()"
    return "\n" not in text and len(text) < 2000


class Program:
    """The files of a program in a folder."""

    def __init__(self, folder, files):
        self.folder = folder + os.sep
        self.lines = {name: text.count("\n") for name, text in files if text}
        for name, text in files:
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        self.code = compile(files[0][1], os.path.join(folder, files[0][0]), "exec")

    def file(self, frame):
        """Returns the name of a frame's file, or None if the file is not the program's."""
        path = frame.f_code.co_filename
        return path[len(self.folder):] if path.startswith(self.folder) else None

    def run(self):
        modules = set(sys.modules)
        sys.path.insert(0, self.folder)
        try:
            exec(self.code, {"__name__": "__main__"})
        finally:
            sys.path.remove(self.folder)
            for name in set(sys.modules) - modules:
                if (getattr(sys.modules[name], "__file__", None) or self.folder).startswith(self.folder):
                    del sys.modules[name]
            sys.path_importer_cache.clear()


class Run:
    """One run of a program, up to most events. change(frame) is called at the event number at."""

    def __init__(self, program, most, at=-1, change=None):
        self.program, self.most, self.at, self.change = program, most, at, change
        self.events, self.frames, self.ended = [], {}, False

    def number(self, frame):
        return self.frames.setdefault(frame, len(self.frames))

    def outer(self, frame, event, arg):
        file = self.program.file(frame)
        if file is None:
            return None
        if frame.f_code is self.program.code:
            return self.trace  # the script's own call is no state
        if file not in self.program.lines:
            return None  # an event on a line that the file does not have is no state
        return self.trace(frame, event, arg)

    def trace(self, frame, event, arg):
        if frame.f_lineno < 1 or event == "exception" and arg[0] in (StopIteration, GeneratorExit) and arg[2] is None:
            return self.trace
        stack, f = [], frame
        while f is not None:
            if self.program.file(f) is not None:
                stack.insert(0, f)
            f = f.f_back
        value = arg[1] if event == "exception" else arg
        told = event in ("exception", "return")
        module = frame.f_code.co_name == "<module>"
        space = {**frame.f_globals, **frame.f_locals} if module else frame.f_locals  # f_locals of 3.14 omits names
        names = {n: v for n, v in space.items() if visible(n, v) or not module}
        texts = {n: repr(v) for n, v in names.items()}
        self.events.append(dict(
            event=event, file=self.program.file(frame), line=frame.f_lineno, function=frame.f_code.co_name, value=repr(value) if told else None,
            canonical=canonical(value if event == "return" else repr(value)) if told else "",
            locals={n: t for n, t in texts.items() if literal(t)}, others=[n for n, t in texts.items() if not literal(t)],
            names={n: canonical(v) for n, v in names.items()}, stack=[[f.f_code.co_name, f.f_lineno, self.program.file(f)] for f in stack],
            activation=self.number(frame), outermost=self.number(stack[0]),
            suspends=bool(frame.f_code.co_flags & 0x2a0), raising=event == "exception"))
        if len(self.events) - 1 == self.at:
            self.change(frame)
        if len(self.events) >= self.most:
            raise Enough
        return self.trace

    def run(self):
        out, sys.stdout = sys.stdout, io.StringIO()
        signal.setitimer(signal.ITIMER_REAL, 2)
        try:
            sys.settrace(self.outer)
            try:
                self.program.run()
            finally:
                sys.settrace(None)
            self.ended = True
        except (Late, Enough):
            pass
        except BaseException:
            self.ended = True
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.stdout = out
        return self


def rebind(name, value):
    def change(frame):
        if frame.f_code.co_name == "<module>":
            frame.f_globals[name] = value
            return
        frame.f_locals[name] = value
        if sys.version_info < (3, 13):
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return change


def program(told, folder, picks, rand):
    try:
        code = Program(folder, told["files"])
    except SyntaxError:
        return None
    first = Run(code, MOST).run()
    events = first.events
    changes = []
    for at in rand.sample(range(len(events)), min(picks, len(events))):
        e = events[at]
        if e["event"] not in ("call", "line") or not e["locals"] or e["function"].startswith("<") and e["function"] != "<module>":
            continue
        name = rand.choice(list(e["locals"]))
        value = changed(ast.literal_eval(e["locals"][name]) if e["locals"][name] != "set()" else set(), rand)
        text = repr(value)
        if not literal(text) or text == e["locals"][name]:
            continue
        again = Run(code, at + 1 + FOLLOW, at, rebind(name, value)).run()
        after = again.events
        if len(after) <= at or [x["stack"] for x in after[:at]] != [x["stack"] for x in events[:at]]:
            continue
        changes.append(dict(at=at, name=name, value=text, after=after[at + 1:], ended=again.ended))
    return dict(id=told["id"], files=told["files"], events=events, ended=first.ended, changes=changes)


def main():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    signal.signal(signal.SIGALRM, late)
    rand = random.Random(int(sys.argv[1]))
    for line in sys.stdin:
        with tempfile.TemporaryDirectory() as folder:
            found = program(json.loads(line), os.path.realpath(folder), int(sys.argv[2]), rand)
        if found:
            print(json.dumps(found))


main()
