"""What is asked of the live frame: expressions, statements, jumps."""

import sys

from _npdb import channel, moves, streams, tracer
from _npdb import render as values

interpreter = None  # the lines of an unfinished statement of interact
namespace = None  # interact's names


def answer(verb, fields):
    text = [field.decode("utf-8", "replace") for field in fields]
    up = int(text[0])
    body = text[1] if len(text) > 1 else ""
    try:
        moves.evaluating = True
        values.budget["large"] = values.LARGE
        found = moves.frames[min(up, len(moves.frames) - 1)] if moves.frames else None
        said, more, changed = VERBS[verb](found, body)
        moves.evaluating = False
        channel.send(b"A", "ok", said, "1" if more else "", "1" if changed else "")
    except BaseException as e:
        moves.evaluating = False
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
    """What is printed meanwhile belongs to the answer."""

    def __enter__(self):
        self.pieces = streams.capture = []
        return self

    def __exit__(self, *_):
        moves.flush()
        streams.capture = None

    def text(self):
        return b"".join(self.pieces).decode("utf-8", "backslashreplace")


def names(frame):
    if frame is None:
        main = sys.modules["__main__"].__dict__
        return main, main
    return frame.f_globals, frame.f_locals


def evaluate(frame, text):
    return moves.evaluate(compile(text.strip(), "<stdin>", "eval", dont_inherit=True), *names(frame))


def show(frame, text):
    with Capture() as printed:
        said = values.render(evaluate(frame, text))
    return printed.text() + said, False, False


def pretty(frame, text):
    import pprint

    with Capture() as printed:
        said = pprint.pformat(evaluate(frame, text))
    return printed.text() + said, False, False


def whatis(frame, text):
    value = evaluate(frame, text)
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
    import inspect

    value = evaluate(frame, text)
    lines, first = inspect.getsourcelines(value)
    return "".join("%3d  \t%s" % (first + n, line) for n, line in enumerate(lines)), False, False


def execute(frame, text):
    import codeop

    if "\n" not in text:
        text += "\n"  # a whole statement on one line runs at once
    code = codeop.compile_command(text, "<stdin>", "single")
    if code is None:
        return "", True, False
    with Capture() as printed:
        changed = run(frame, code, *names(frame))
    return printed.text(), False, changed


def run(frame, code, global_names, local_names):
    hook = sys.displayhook
    sys.displayhook = display
    try:
        exec(code, global_names, local_names)
    finally:
        sys.displayhook = hook
        write_back(frame)
    return amend(frame)


def display(value):
    if value is not None:
        print(values.render(value))


def write_back(frame):
    """Before 3.13 f_locals is a copy (PEP 667)."""
    if frame is None or sys.version_info >= (3, 13) or not frame.f_code.co_flags & 1:
        return
    try:
        import ctypes

        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    except ImportError:
        pass


def amend(frame):
    """Records what a statement changed in the state at the live edge."""
    if moves.post_mortem is not None or frame is None or not moves.frames or frame is not moves.frames[0]:
        return False
    local = frame.f_trace
    if local is None or not tracer.ours(local):
        return False
    local(frame, "amend", None)
    return True


def interact(frame, text):
    global interpreter, namespace
    import codeop

    if interpreter is None:
        interpreter = []
        outer, inner = names(frame)
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
            sys.displayhook = display
            try:
                exec(code, namespace)
            finally:
                sys.displayhook = hook
        except SystemExit:
            raise
        except BaseException as e:
            interpreter = []
            import traceback

            if isinstance(e, SyntaxError):
                sys.stderr.write("".join(traceback.format_exception_only(type(e), e)))
                return printed.text(), False, False
            tail = e.__traceback__.tb_next if e.__traceback__ is not None else None
            traceback.print_exception(type(e), e, tail)
    return printed.text(), False, False


def jump(frame, text):
    if moves.standing is None or frame is not moves.standing:
        raise ValueError("only the innermost frame can jump, and only where a move landed in it: step once first")
    frame.f_lineno = int(text)
    # The interpreter reports no event for the line that was jumped to.
    frame.f_trace(frame, "line", None)
    return str(frame.f_lineno), False, True


def complete(frame, text):
    outer, inner = names(frame)
    if "." in text:
        head, _, tail = text.rpartition(".")
        found = [head + "." + name for name in dir(evaluate(frame, head)) if name.startswith(tail)]
    else:
        import builtins

        found = [name for name in {**vars(builtins), **outer, **inner} if name.startswith(text)]
    return "\n".join(sorted(set(found))), False, False


def function(frame, text):
    value = evaluate(frame, text)
    value = getattr(value, "__func__", value)
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    code = getattr(value, "__code__", None)
    if code is None:
        raise TypeError("%s is no Python function" % text)
    import os

    return "%s\n%d" % (os.path.abspath(code.co_filename), body_line(code)), False, False


def body_line(code):
    """The first line of a function's body that has a line event."""
    import dis

    lines = sorted({line for _, line in dis.findlinestarts(code) if line and line > code.co_firstlineno})
    header = code.co_firstlineno
    for line in lines:
        if line > header:
            return line
    return header


def threads(frame, text):
    threading = sys.modules.get("threading")
    if threading is None:
        return "", False, False
    main = threading.main_thread()
    return "\n".join(t.name for t in threading.enumerate() if t is not main), False, False


def chain():
    """The exceptions behind the one that nothing caught, the oldest first."""
    found = []
    e = moves.post_mortem
    while e is not None and e not in found:
        found.insert(0, e)
        if e.__cause__ is not None:
            e = e.__cause__
        elif e.__context__ is not None and not e.__suppress_context__:
            e = e.__context__
        else:
            e = None
    return found


def exceptions(frame, text):
    found = chain()
    if not text.strip():
        chosen = moves.chosen
        lines = []
        for n, e in enumerate(found):
            mark = ">" if e is chosen else " "
            lines.append("%s %d %s" % (mark, n, values.render(e)))
        return "\n".join(lines), False, False
    n = int(text)
    if not 0 <= n < len(found):
        raise IndexError("there is no exception %d" % n)
    if found[n].__traceback__ is None:
        raise ValueError("exception %d has no traceback" % n)
    return moves.look_at(found[n]) or "", False, False


VERBS = {
    "p": show,
    "pp": pretty,
    "whatis": whatis,
    "source": source,
    "!": execute,
    "interact": interact,
    "jump": jump,
    "complete": complete,
    "function": function,
    "threads": threads,
    "exceptions": exceptions,
}
