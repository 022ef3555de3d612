"""Runs a program under a trace function and returns its recording."""

import ast
import builtins
import io
import sys
from types import ModuleType

from . import sharing
from .frames import EXACT
from .giving_up import EDIT, INPUT, INTERRUPT, NO_CALL, NO_STATE, SYNTAX, TRACING, GiveUp
from .tracing import FILE, Tracer
from .values import printed, render

EVENTS = 400


class Output(io.TextIOWrapper):
    """Discards what a program prints."""

    def write(self, text):
        printed[0] += 1
        return len(text)

    def writelines(self, lines):
        printed[0] += 1
        for _ in lines:
            pass


class Input(io.TextIOWrapper):
    """An empty standard input. If a program reads it, GiveUp is raised. The file descriptor is
    empty too."""

    def refuse(self, *_):
        raise GiveUp(INPUT)

    read = readline = readlines = __next__ = refuse


class Streams:
    """The standard streams of a program, opened from three descriptors."""

    def __init__(self, stdin, stdout, stderr):
        self.stdin = Input(open(stdin, "rb", closefd=False), "utf-8")
        self.stdout, self.stderr = (Output(open(one, "wb", closefd=False), "utf-8") for one in (stdout, stderr))

    def place(self):
        sys.stdout, sys.stderr, sys.stdin = self.stdout, self.stderr, self.stdin


def perform(program, limit=EVENTS, edit=None):
    """Runs a program in this process and returns its recording. Raises GiveUp if the program
    cannot be recorded. edit is (event, name, text of a literal): a variable that is set during
    the run."""
    if not EXACT:
        raise RuntimeError("programs are recorded by CPython 3.9 to 3.14: the events of other versions are not known")
    try:
        code = compile(program.source, FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise GiveUp(SYNTAX) from None
    sharing.admit(code, program.entry)
    if edit is not None:
        if edit[0] < 0:
            raise GiveUp(EDIT)
        edit = edit[0], edit[1], literal(edit[2])
    entry = program.entry
    main = "__main__" if entry is None else FILE.partition(".")[0]
    module = ModuleType(main)
    module.__dict__.update(__builtins__=builtins, __file__=FILE)
    lines = program.source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    sys.modules[main] = module
    tracer = Tracer(len(lines), limit, entry is None, edit)
    try:
        return run(tracer, code, module.__dict__, entry)
    finally:
        sys.settrace(None)
        tracer.frames.clear()


def literal(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise GiveUp(EDIT) from None


def run(tracer, code, names, entry):
    found = tracer.found
    function, positional, named = exec, (code, names), {}
    if entry is not None:
        function, positional, named = prepared(code, names, entry)
    try:
        sys.settrace(tracer.enter)
        try:
            function(*positional, **named)
        finally:
            lost = sys.gettrace() != tracer.enter
            sys.settrace(None)
    except GiveUp:
        raise
    except SystemExit as e:
        found.code = exit_code(e.code)
    except KeyboardInterrupt:
        raise GiveUp(INTERRUPT) from None
    except BaseException as e:
        found.code = 1
        found.exception = render(e)
        found.fatal = tracer.fatal(e)
    if tracer.gave_up or tracer.stack or lost:
        raise GiveUp(TRACING)
    if not found.kind:
        raise GiveUp(NO_STATE)
    if tracer.edit_at >= 0:
        raise GiveUp(EDIT)
    return found


def exit_code(code):
    """Returns the exit status of sys.exit(code)."""
    if code is None:
        return 0
    if not isinstance(code, int):
        return 1
    return code & 255 if -1 << 63 <= code < 1 << 63 else 255


def prepared(code, names, entry):
    """Returns the function and the arguments of an entry, after the module has run."""
    try:
        exec(code, names)
        return call_of(entry, names)
    except (Exception, SystemExit):
        raise GiveUp(NO_CALL) from None
    except KeyboardInterrupt:
        raise GiveUp(INTERRUPT) from None


def call_of(entry, names):
    tree = ast.parse(entry.strip(), "<entry>", "eval").body
    if not isinstance(tree, ast.Call):
        raise GiveUp(NO_CALL)
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


def ignore(what):
    """Ignores the errors of generators that are closed after their program."""
