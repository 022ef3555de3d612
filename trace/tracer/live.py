"""Answers requests to the live frame: expressions, statements, jumps."""

import builtins
import os
import sys

from _npdb import activations, channel, library, moves, streams, usercode
from _npdb import render as values
from _npdb.bound import program_sys
from _npdb.codes import CO_GENERATORS

typed = moves.load("typed")
tracebacks = moves.load("tracebacks")
named = moves.load("named")


def grid(frame, text):
    return moves.load("grids").grid(frame, text)


def bytecode(frame, text):
    return moves.load("bytecode").tell(frame, text)


interpreter = None  # the lines of an unfinished statement of interact
namespace = None  # the names of interact


def answer(verb, fields):
    text = [field.decode("utf-8", "replace") for field in fields]
    up = int(text[0])
    body = text[1] if len(text) > 1 else ""
    try:
        moves.evaluating = True
        values.budget["large"] = values.LARGE
        found = tracebacks.frame_at(up)
        said, more, changed = VERBS[verb](found, body)
        moves.evaluating = False
        moves.calm()
        channel.send(b"A", "ok", said, "1" if more else "", "1" if changed else "")
    except BaseException as e:
        moves.evaluating = False
        moves.calm(type(e) is KeyboardInterrupt)
        kind, said = type(e).__name__, ""
        try:
            said = str(e)
        except Exception:
            pass
        if isinstance(e, SyntaxError):
            said = e.msg
        channel.send(b"A", "error", kind, said)
    finally:
        streams.capture = None


class Capture:
    """Captures output for the answer."""

    def __enter__(self):
        self.pieces = streams.capture = []
        return self

    def __exit__(self, *_):
        moves.flush()
        streams.capture = None

    def text(self):
        return b"".join(self.pieces).decode("utf-8", "backslashreplace")


def show(frame, text):
    with Capture() as printed:
        said = told(typed.evaluate(frame, text))
    return printed.text() + said, False, False


def told(value):
    """Returns the text of a value that the user asked for. If its __repr__ raises, the
    exception is the answer."""
    values.guard["raised"] = raised = []
    before, values.asking = values.asking, True
    try:
        said = values.render(value)
        if raised:
            raise raised[0]
        return said
    finally:
        values.guard["raised"] = None
        values.asking = before


def pretty(frame, text):
    pprint = library.beside("pprint")
    with Capture() as printed:
        said = pprint.pformat(typed.evaluate(frame, text))
    return printed.text() + said, False, False


def whatis(frame, text):
    value = typed.evaluate(frame, text)
    code = getattr(getattr(value, "__func__", None), "__code__", None)
    if code is not None:
        return "Method %s" % code.co_name, False, False
    code = getattr(value, "__code__", None)
    if code is not None:
        return "Function %s" % code.co_name, False, False
    if value.__class__ is type:
        return "Class %s.%s" % (value.__module__, value.__qualname__), False, False
    return str(type(value)), False, False


def source(frame, text):
    value = typed.evaluate(frame, text)
    theirs = getattr(sys.modules.get("linecache"), "cache", None)
    if isinstance(theirs, dict):  # source that the program generated and stored there
        library.take("linecache").cache.update(theirs)
    lines, first = library.take("inspect").getsourcelines(value)
    return "".join("%3d  \t%s" % (first + n, line) for n, line in enumerate(lines)), False, False


def execute(frame, text):
    if "\n" not in text:
        text += "\n"  # a complete statement on one line runs at once
    with Capture() as printed:
        if not typed.execute(frame, text, display):
            return "", True, False
        changed = amend(frame)
    return printed.text(), False, changed


def display(value):
    if value is not None:
        print(told(value))


def amend(frame):
    """Records what a statement changed in the state at the live edge."""
    if moves.post_mortem is not None or frame is None or not moves.frames or frame is not moves.frames[0]:
        return False
    local = frame.f_trace
    if local is None or not activations.ours(local):
        return False
    local(frame, "amend", None)
    return True


def interact(frame, text):
    global interpreter, namespace
    codeop = library.take("codeop")
    if interpreter is None:
        interpreter = []
        outer, inner = moves.names(frame)
        namespace = dict(outer)
        namespace.update(inner)
    if text == "\x04":
        interpreter = namespace = None
        return "", False, False
    interpreter.append(text)
    with Capture() as printed:
        try:
            code = codeop.compile_command("\n".join(interpreter), "<stdin>", "single")
            if code is None:
                return "", True, False
            interpreter = []
            hook = sys.displayhook
            program_sys.displayhook = display
            try:
                exec(code, namespace)
            finally:
                program_sys.displayhook = hook
        except SystemExit:
            raise
        except BaseException as e:
            interpreter = []
            traceback = library.take("traceback")
            if isinstance(e, SyntaxError):
                sys.stderr.write("".join(traceback.format_exception_only(type(e), e)))
                return printed.text(), False, False
            tail = e.__traceback__.tb_next if e.__traceback__ is not None else None
            traceback.print_exception(type(e), e, tail)
    return printed.text(), False, False


def jump(frame, text):
    if moves.standing is None or frame is not moves.standing:
        raise ValueError("only the innermost frame can jump, and only where a move landed in it: step once first")
    line, code = int(text), frame.f_code
    if line == code.co_firstlineno and code.co_flags & CO_GENERATORS and sys.version_info >= (3, 11):
        # From 3.13 on the interpreter would make a second generator and crash.
        raise ValueError("line %d makes the generator, which runs already: jump to a line of its body" % line)
    frame.f_lineno = line
    # The interpreter reports no event for the line after a jump.
    frame.f_trace(frame, "line", None)
    return str(frame.f_lineno), False, True


def complete(frame, text):
    outer, inner = moves.names(frame)
    if "." in text:
        head, _, tail = text.rpartition(".")
        if typed.unloaded((outer, inner), head.partition(".")[0]) is not None:
            return "", False, False
        found = [head + "." + name for name in dir(typed.evaluate(frame, head)) if name.startswith(tail)]
    else:
        found = [name for name in {**vars(builtins), **outer, **inner} if name.startswith(text)]
    return "\n".join(sorted(set(found))), False, False


def user_code(frame, text):
    """Makes a file user code. Returns "new" if it was not."""
    return "new" if usercode.admit(text) else "", False, False


def threads(frame, text):
    return moves.load("threads").tell(frame, text)


VERBS = {
    "p": show,
    "pp": pretty,
    "whatis": whatis,
    "source": source,
    "!": execute,
    "interact": interact,
    "jump": jump,
    "complete": complete,
    "function": named.function,
    "user_code": user_code,
    "module": named.module,
    "modules": named.modules,
    "imported": named.imported,
    "grid": grid,
    "dis": bytecode,
    "threads": threads,
    "exceptions": tracebacks.exceptions,
    "below": tracebacks.tell_below,
    "locals": tracebacks.tell_locals,
    "args": tracebacks.tell_args,
    "likeness": lambda frame, text: moves.load("likeness").answer(frame, text),
}
