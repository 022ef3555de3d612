"""Code objects of user code, and the records of the protocol.

A record is a byte for its kind and then its fields: numbers as LEB128, texts up to END,
definitions after their length. records.go reads them.
"""

from _npdb import channel, library, scopes

SET, SET_HIDDEN, UNSET = b"\x02", b"\x03", b"\x04"
LINE, CALL, RETURN, EXCEPTION = b"\x01", b"\x05", b"\x06", b"\x07"
ENTER, RESUME, LEAVE = b"\x08", b"\x09", b"\x0a"
FILE, CODE, NAME = b"\x0c", b"\x0d", b"\x0e"
ORDER, GAP, ADOPT, AMEND = b"\x0f", b"\x10", b"\x11", b"\x12"
PARTIAL = b"\x15"  # the locals of the next event could not be examined
SAID = b"\x16"  # the message of the last exception, if its repr does not contain it
HOLE = b"\x21"  # the program ran unrecorded since the last event: the stack, and the lines of its frames
SET_IN, UNSET_IN, SET_HIDDEN_IN, FORM, WHOLE = b"\x17", b"\x18", b"\x22", b"\x19", b"\x1a"
ITEM, SPLICE, ENTRY, DELETE, TEXT, EDIT = b"\x1b", b"\x1c", b"\x1d", b"\x1e", b"\x1f", b"\x20"
LONG_TEXT = b"\x23"  # a slot, and the text of an atom; fields refer to the text by the slot from now on
LONG = b"\xfd"  # marks a value whose text is in a slot: not a byte of UTF-8
STAND = b"\x28"  # the line of the innermost frame, which the file does not have: not an event
GLOBALS = b"\x25"  # the module that has the globals of a code object from now on
SHOWN = b"\x24"  # the records since EDIT belong to the last event, whose state was not edited
REF = b"\xfc"  # marks a value that is an object: not a byte of UTF-8
END = b"\xff"  # ends a text: not a byte of UTF-8
RETURNED, YIELDED, UNWOUND = b"\x01", b"\x02", b"\x03"
NO_VALUE = b"\xfe"

CO_OPTIMIZED = 1
CO_GENERATORS = 0x20 | 0x80 | 0x200  # generator, coroutine, async generator

# The kinds of events, for the tests of a move.
ON_CALL, ON_LINE, ON_RETURN, ON_YIELD, ON_UNWIND, ON_EXCEPTION = range(6)


def arguments(code):
    """Returns how many of a function's names are its arguments, including * and **."""
    flags = code.co_flags
    return code.co_argcount + code.co_kwonlyargcount + bool(flags & 4) + bool(flags & 8)


SINGLE = [bytes((n,)) for n in range(128)]


def varint(n):
    if n < 128:
        return SINGLE[n]
    data = b""
    while n > 127:
        data += bytes((n & 127 | 128,))
        n >>= 7
    return data + bytes((n,))


OPMAP = library.take("opcode").opmap
RETURNING = frozenset(OPMAP[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in OPMAP)
YIELD_VALUE, YIELD_FROM, RESUMED = (OPMAP.get(name, -1) for name in ("YIELD_VALUE", "YIELD_FROM", "RESUME"))


STORING = frozenset(op for name, op in OPMAP.items() if name.startswith(("STORE_", "DELETE_", "INPLACE_")))
BINARY_OP = OPMAP.get("BINARY_OP", -1)
IN_PLACE = 13  # NB_INPLACE_ADD of opcode.h: the arguments from here on are +=, -= …


class Info:
    """The tracer's data about one code object of user code."""

    __slots__ = (
        "code", "file", "index", "enter", "fast", "generator", "prefix", "hiding", "plans", "calls", "bytecode", "notices", "cells",
        "free", "foreign", "stops", "returns", "globals", "owner", "last",
    )

    def __init__(self, code, file, index, last_line, before=None):
        """before is the Info of the code object in an earlier recording."""
        self.code = code  # kept alive, so that its id is not used again
        self.file = file
        self.stops = file.stops
        self.index = index
        self.enter = ENTER + varint(index)
        self.fast = bool(code.co_flags & CO_OPTIMIZED)
        self.generator = bool(code.co_flags & CO_GENERATORS)
        self.prefix = {}
        self.hiding = {}
        self.last = last_line
        self.plans = before.plans if before else {}  # line -> the record of its line event, the effect of the line, and whether it is an event
        self.calls = before.calls if before else {}  # line -> the record of its call event
        self.returns = before.returns if before else {}  # line -> the beginning of the record of its return event, None if it is not an event
        self.bytecode = None
        self.cells = frozenset(code.co_cellvars + code.co_freevars)
        self.free = frozenset(code.co_freevars)
        self.globals = 0  # the id of the globals of the code that ran last, if they are recorded
        self.owner = -1  # the activation that has them, as npdb knows it
        self.foreign = False  # compiled from a different text than the file's
        self.notices = scopes.notices(code)
        names = ()
        if self.fast:
            names = tuple(dict.fromkeys(code.co_varnames + code.co_cellvars + code.co_freevars))
            for slot, name in enumerate(names):
                self.prefix[name] = SET + varint(slot)
        channel.definition(
            CODE,
            str(file.index),
            code.co_name,
            getattr(code, "co_qualname", code.co_name),
            str(code.co_firstlineno),
            str(last_line),
            "%d%d" % (self.fast, self.generator),
            str(arguments(code)),
            *names
        )

    def stand(self, line):
        """Returns the record of a line event if the file does not have the line."""
        return STAND + varint(max(line, 0))

    def call(self, line):
        """Returns the record of a call event. It is empty if the file does not have the
        line."""
        self.calls[line] = head = CALL + varint(line) if self.has(line) else b""
        return head

    def leave(self, line):
        """Returns the beginning of the record of a return event, or None if the file
        does not have the line."""
        self.returns[line] = head = RETURN + varint(line) if self.has(line) else None
        return head

    def has(self, line):
        return line is not None and 1 <= line <= self.file.lines

    def slot(self, name):
        """Returns the slot of a name of a module or class body."""
        slot = varint(len(self.prefix))
        channel.definition(NAME, str(self.index), name)
        self.hiding[name] = SET_HIDDEN + slot
        self.prefix[name] = SET + slot
        return SET + slot

    def opcode(self, at):
        if self.bytecode is None:
            self.bytecode = self.code.co_code
        return self.bytecode[at] if 0 <= at < len(self.bytecode) else -1

    def stores(self, at):
        """Returns whether an instruction binds a name or place, or changes an object in
        place."""
        op = self.opcode(at)
        return op in STORING or op == BINARY_OP and self.bytecode[at + 1] >= IN_PLACE

    def left_by(self, frame, value, raised):
        """Returns how a return event leaves: return, yield or unwind. raised is the
        instruction of the latest exception since the last line.

        f_lasti of a suspended generator: up to 3.10 it is at YIELD_VALUE, or one
        instruction before YIELD_FROM; in 3.11 and 3.12 at YIELD_VALUE; from 3.13 on at
        the RESUME after it."""
        at = frame.f_lasti
        if value is not None:
            if not self.generator:
                return ON_RETURN
        elif at == raised:  # also gen.throw, which raises at the yield
            return ON_UNWIND
        op = self.opcode(at)
        if op in RETURNING:
            return ON_RETURN
        if self.generator and (
            op == YIELD_VALUE
            or (op == RESUMED and self.opcode(at - 2) == YIELD_VALUE)
            or (YIELD_FROM >= 0 and self.opcode(at + 2) == YIELD_FROM)
        ):
            return ON_YIELD
        return ON_UNWIND if value is None else ON_RETURN
