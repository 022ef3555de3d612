"""Finds the place where --from begins to record: FILE:LINE, MODULE:LINE, LINE, FUNCTION or
MODULE.FUNCTION as for a breakpoint, FILE:FUNCTION, or a pytest node id
FILE::CLASS::FUNCTION[…], whose parameters are ignored. The program has not run yet, so
it searches code objects and not live functions."""

import os

from _npdb import moves, unrecorded, usercode
from _npdb.launch import Failed


class Nowhere(Exception):
    """There is no such place; the argument says why."""


def begin_at(text, main):
    """Lets the program run unrecorded to the place that text names."""
    if text == ":test":
        moves.load("firsttest").stop_there()
    else:
        try:
            stop_at(text, main)
        except Nowhere as e:
            raise Failed("from_invalid", "--from %s: %s" % (text, e), "")
    unrecorded.wanted = True


def stop_at(text, main):
    """Puts a breakpoint at the place that text names; main is the program's code."""
    head, colon, name = parted(text)
    if colon or name.isdigit():
        path, code = file_of(head, main) if colon else (main.co_filename, main)
    if name.isdigit():
        number, function = int(name), ""
        if number not in lines_below(code):
            raise Nowhere("line %d of %s does not exist, is blank or holds nothing that runs" % (number, shown(path)))
    else:
        if colon:
            found = defined(code, name)
            if found is None:
                raise Nowhere("%s defines no function %s, and that is not a line number" % (shown(path), name or "without a name"))
        else:
            path, found = function_of(name, main)
        number, function = moves.load("named").body_line(found), found.co_name
    real = path if path.startswith("<") else os.path.realpath(path)
    if not path.startswith("<") and not usercode.is_users(os.path.abspath(path)):
        usercode.named.add(real)
    usercode.stops.setdefault(real, {}).setdefault(number, []).append(moves.Stop(0, function, "", 0))


def parted(text):
    """Splits a place into its file, "" if it has none, the separator, and a line or the
    qualified name of a function."""
    head, colons, names = text.strip().partition("::")
    if colons:
        return head, colons, names.partition("[")[0].replace("::", ".")
    head, colon, name = head.rpartition(":")
    return head.strip(), colon, name.strip()


def file_of(name, main):
    """The path and the code of a file or module."""
    if name == main.co_filename or os.path.basename(main.co_filename) in (name, name + ".py"):
        return main.co_filename, main
    folder = os.path.dirname(main.co_filename)
    for path in (name, os.path.join(folder, name), name + ".py", os.path.join(folder, name + ".py")):
        if os.path.isfile(path):
            path = os.path.abspath(path)
            if os.path.realpath(path) == os.path.realpath(main.co_filename):
                return main.co_filename, main
            return path, compiled(path)
    path = module_of(name)
    if path is None:
        raise Nowhere("no file or module %s is found" % name)
    return path, compiled(path)


def module_of(name):
    try:
        return moves.load("named").module(None, name)[0]
    except ValueError:
        return None


def compiled(path):
    try:
        with open(path, "rb") as f:
            return compile(f.read(), path, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError) as e:
        raise Nowhere("%s cannot be read: %s" % (shown(path), e))


def function_of(name, main):
    """The path and the code of a function: of the program's own file, else of a
    module's."""
    found = defined(main, name)
    if found is not None:
        return main.co_filename, found
    parts = name.split(".")
    for n in range(len(parts) - 1, 0, -1):
        path = module_of(".".join(parts[:n]))
        if path is not None:
            found = defined(compiled(path), ".".join(parts[n:]))
            if found is not None:
                return path, found
    raise Nowhere(
        "%s defines no function %s; one of another file is MODULE.FUNCTION, a line FILE:LINE" % (shown(main.co_filename), name)
    )


def defined(code, name):
    """The first function of a qualified name, or else with that end, in a code object."""
    ends = None
    for qualified, found in functions(code, ""):
        if qualified == name:
            return found
        if ends is None and qualified.endswith("." + name):
            ends = found
    return ends


def functions(code, prefix):
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            if const.co_flags & 1 and not const.co_name.startswith("<"):
                yield prefix + const.co_name, const
            yield from functions(const, prefix + const.co_name + ".")


def lines_below(code):
    found = set(unrecorded.own_lines(code))
    for const in code.co_consts:
        if hasattr(const, "co_code"):
            found |= lines_below(const)
    return found


def shown(path):
    relative = os.path.relpath(path) if not path.startswith("<") else path
    return path if relative.startswith("..") else relative
