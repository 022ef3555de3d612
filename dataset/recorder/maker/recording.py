"""Runs a program under a trace function and gives its recording."""

import ast
import builtins
import gc
import signal
import sys
from types import ModuleType

from .tracing import CALL, EXCEPTION, FILE, LINE, RETURN, UNWIND, YIELD, Recording, Tracer
from .values import GiveUp, printed, render

RECORDS = sys.version_info[:2] == (3, 12) and sys.implementation.name == "cpython"
SECONDS = 1.0


class Output:
    """Takes what a program prints."""

    encoding = "utf-8"
    errors = "strict"
    closed = False

    def write(self, text):
        printed[0] += 1
        return len(text)

    def writelines(self, lines):
        printed[0] += 1

    def flush(self):
        pass

    def isatty(self):
        return False

    def fileno(self):
        raise OSError("there is no descriptor")


class Input(Output):
    def readline(self, size=-1):
        return ""

    def read(self, size=-1):
        return ""

    def close(self):
        pass

    def __iter__(self):
        return iter(())


def record(program, limit=400):
    """The recording of a program; None if it does not compile, hangs, has more than
    limit events, or a value whose text is too long. Not to be called from threads."""
    if not RECORDS:
        raise RuntimeError("recordings are made by CPython 3.12: the events of other versions differ")
    try:
        code = compile(program.source, FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    entry = program.entry
    main = "__main__" if entry is None else "npdb_entry"
    module = ModuleType(main)
    module.__dict__.update(__builtins__=builtins, __file__=FILE)
    lines = program.source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    tracer = Tracer(lines, limit, entry is None)
    before = sys.stdout, sys.stderr, sys.stdin, sys.modules.get(main), sys.unraisablehook, sys.getrecursionlimit()
    sys.stdout, sys.stderr, sys.stdin = Output(), Output(), Input()
    sys.modules[main] = module
    sys.unraisablehook = ignore
    collecting = gc.isenabled()
    gc.disable()  # what it finalises, and when, would depend on the programs before
    handler = signal.signal(signal.SIGALRM, too_long)
    found = None
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, SECONDS, 0.05)  # again and again: a bare except swallows one
            found = run(tracer, code, module.__dict__, entry)
            module.__dict__.clear()
        finally:
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException as e:
        if isinstance(e, KeyboardInterrupt):
            raise
        found = None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)  # the alarm may have gone off in the finally above
        sys.settrace(None)
        signal.signal(signal.SIGALRM, handler)
        sys.stdout, sys.stderr, sys.stdin, old, sys.unraisablehook, depth = before
        sys.setrecursionlimit(depth)
        if old is None:
            sys.modules.pop(main, None)
        else:
            sys.modules[main] = old
        tracer.frames.clear()
        if collecting:
            gc.enable()
    return found


def too_long(signum, frame):
    raise GiveUp


def ignore(what):
    """Programs leave generators behind that complain when they are closed."""


def run(tracer, code, names, entry):
    found = tracer.found
    function, positional, named = exec, (code, names), {}
    if entry is not None:
        exec(code, names)
        function, positional, named = call_of(entry, names)
    try:
        sys.settrace(tracer.enter)
        try:
            function(*positional, **named)
        finally:
            sys.settrace(None)
    except GiveUp:
        return None
    except SystemExit as e:
        if e.code is not None:
            found.code = e.code & 255 if isinstance(e.code, int) else 1
    except KeyboardInterrupt:
        return None
    except BaseException as e:
        found.code = 1
        found.exception = render(e)
        found.fatal = tracer.fatal(e)
    if tracer.gave_up or tracer.stack:
        return None
    return found


def call_of(entry, names):
    """The function and the arguments of an entry, evaluated before it is traced."""
    tree = ast.parse(entry.strip(), "<entry>", "eval").body
    if not isinstance(tree, ast.Call):
        raise GiveUp
    load = ast.Load()
    pick = ast.Expression(
        ast.Tuple(
            [
                tree.func,
                ast.Call(ast.Name("_args", load), tree.args, []),
                ast.Call(ast.Name("_kwargs", load), [], tree.keywords),
            ],
            load,
        )
    )
    ast.fix_missing_locations(pick)
    return eval(
        compile(pick, "<entry>", "eval"), dict(names, _args=lambda *a: a, _kwargs=lambda **k: k)
    )


__all__ = ["CALL", "EXCEPTION", "LINE", "RECORDS", "RETURN", "UNWIND", "YIELD", "Recording", "record"]
