"""Lists the bytecode of a frame, or of a recorded code object. Runs no code of the program."""

import sys

from _npdb import library, moves, tracer
from _npdb.raised import traceback_of

MOST = 2000  # maximum number of instructions in an answer
LONG = 200  # maximum number of characters of an argument's meaning

JUMPS = ("hasjrel", "hasjabs", "hasjump")


def tell(frame, text):
    """Answers a request for bytecode. text holds the line (0 for all lines) and, for a code
    object that is not the frame's, its path without links, its name and its first line.
    If the frame's line has no instructions, like the line of a def before Python 3.11,
    the answer has those on the line of the current instruction instead. The answer holds
    the function, the number of instructions found, and the fields of each: offset, line,
    name, argument, the argument's meaning, whether a jump leads to it, and whether it is
    the frame's current one."""
    line, path, name, first = text.split("\x1f")
    code, current = (frame.f_code, place(frame)) if not path else (recorded(path, name, int(first)), -1)
    if code is None:
        raise LookupError("the program no longer has the code of %s" % name)
    listed = list(instructions(code, current))
    found = [one for one in listed if line in ("0", one[1])]
    if not found and frame is not None and line == str(frame.f_lineno):
        found = [one for one in listed if one[1] in [at[1] for at in listed if at[6]]]
    told = ["\x1f".join(one) for one in found[:MOST]]
    return "\x1e".join(["%s\x1f%d" % (code.co_name, len(found))] + told), False, False


def place(frame):
    """Returns the offset of a frame's current instruction. If an exception has left the
    frame, that is the instruction at which the exception occurred."""
    tb = traceback_of(moves.chosen) if moves.chosen is not None else None
    while tb is not None:
        if tb.tb_frame is frame:
            return tb.tb_lasti
        tb = tb.tb_next
    return max(frame.f_lasti, 0)


def recorded(path, name, first):
    for info in [*tracer.infos.values(), *tracer.earlier.values()]:
        if info and info.file.real == path and info.code.co_name == name and info.code.co_firstlineno == first:
            return info.code
    return None


def instructions(code, current):
    dis = library.take("dis")
    jumps = {op for kind in JUMPS for op in getattr(dis, kind, ())}
    starts = lines(code, dis)
    line = 0
    listed = list(dis.get_instructions(code))
    # In Python 3.11, current may be an offset behind the instruction, in the cache of a call.
    current = max((one.offset for one in listed if one.offset <= current), default=-1)
    for one in listed:
        while starts and starts[-1][0] <= one.offset:
            line = starts.pop()[1] or 0
        meaning = "to %d" % one.argval if one.opcode in jumps else meant(one)
        yield (
            str(one.offset), str(line), one.opname, "" if one.arg is None else str(one.arg), meaning,
            "1" if one.is_jump_target else "", "1" if one.offset == current else "",
        )


def lines(code, dis):
    """Returns pairs of an offset at which a line begins and the line, in descending order."""
    if sys.version_info < (3, 10):
        return list(dis.findlinestarts(code))[::-1]
    return [(start, line) for start, _, line in code.co_lines()][::-1]


def meant(one):
    if hasattr(one.argval, "co_code"):
        return "code of %s" % one.argval.co_name
    said = one.argrepr or ""
    said = said.encode("utf-8", "backslashreplace").decode("utf-8")
    said = "".join(c if c.isprintable() else "\\x%02x" % ord(c) for c in said)
    return said if len(said) <= LONG else said[:LONG] + "… +%d chars" % (len(said) - LONG)
