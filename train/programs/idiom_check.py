"""Tries a candidate: is it short, does it end, does an exception leave it?"""

import sys

EVENTS = 126
UNRUN = ("def ", "else:", "try:", "import ", "from ", "#", '"')


class Stop(BaseException):
    """Too many events or too large a value."""


def outcome(source, entry):
    """Runs a candidate: (events, name of an exception that left it, whether it is dull), or None if it will not do.

    Dull is a result that says little (empty, None, an argument as it came in), or a body of which much did not run.
    """
    try:
        code = compile(source, "<idiom>", "exec")
        call = compile(entry, "<entry>", "eval") if entry else None
    except (SyntaxError, ValueError):
        return None
    space = {"__name__": "prog", "print": lambda *values, **options: None}
    count = 0
    lines = set()
    result = 0

    def trace(frame, event, value):
        nonlocal count
        if frame.f_code.co_filename != "<idiom>":
            return None
        count += 1
        if event == "line":
            lines.add(frame.f_lineno)
        if count > EVENTS:
            raise Stop
        if frame.f_code.co_name != "<module>":
            for one in frame.f_locals.values():
                if too_large(one):
                    raise Stop
        return trace

    failed = ""
    previous, hook = sys.gettrace(), sys.unraisablehook
    sys.unraisablehook = lambda unraisable: None  # a Stop within a generator that is being closed
    try:
        if call:
            exec(code, space)
            sys.settrace(trace)
            result = eval(call, space)
            sys.settrace(previous)
            if len(repr(result)) > 200:
                return None
        else:
            sys.settrace(trace)
            exec(code, space)
            sys.settrace(previous)
            if any(len(repr(one)) > 200 for name, one in space.items() if name[:2] != "__" and isinstance(one, (str, int, list, dict, tuple))):
                return None
    except Stop:
        return None
    except Exception as error:
        failed = type(error).__name__
    finally:
        sys.settrace(previous)
        sys.unraisablehook = hook
    if entry:
        dull = result is None or isinstance(result, (str, list, dict, tuple, set)) and (not result or f"({result!r}" in entry)
    else:
        dull = False
    text = sum(1 for line in source.split("\n") if line.strip() and not line.lstrip().startswith(UNRUN))
    return count, failed, dull or len(lines) < 0.75 * text


def too_large(value):
    kind = type(value)
    if kind is int:
        return not -10 ** 12 < value < 10 ** 12
    if kind is str:
        return len(value) > 120
    if kind is list or kind is dict:
        return len(value) > 40 or (len(value) > 12 and len(repr(value)) > 200)
    return False
