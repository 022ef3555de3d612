"""A recording as bytes: tables of texts and of 32-bit little-endian numbers.

    texts       count, the length of each in bytes, then all of them in UTF-8, padded to 4
    codes       count, for each: name, qualified name, first line, last line, flags (1 function,
                2 generator), number of names that are arguments, count of names, names
    shapes      count, for each: code, count of names, names: those that have a value, in order
    activations count, for each: code
    events      count, for each: kind, line, activation, depth, value, shape, a value for each name
    exit        code, exception, fatal event
    program     source, entry, family

A text is written as its number, or as its number plus one if there may be none. The same is
true of the fatal event. unpack.go reads this format.
"""

import sys
from array import array
from types import CodeType

WORD = next(code for code in "IL" if array(code).itemsize == 4)


class Texts(dict):
    """Maps each text to its number, in the order of first use."""

    def __missing__(self, text):
        self[text] = number = len(self)
        return number


def pack(program, found):
    texts = Texts()
    numbers = {}  # id of an Info -> the number of its code
    codes, of_activation = [], []
    for info in found.info:
        number = numbers.get(id(info))
        if number is None:
            number = numbers[id(info)] = len(numbers)
            codes += code(texts, info)
        of_activation.append(number)
    shapes, shape_numbers, known = [], {}, {}
    events = []
    for kind, line, activation, depth, value, names, held in zip(
        found.kind, found.line, found.activation, found.depth, found.value, found.names, found.texts
    ):
        of = of_activation[activation]
        shape = known.get((of, id(names)))
        if shape is None:
            shape = shape_numbers.get((of, names))
            if shape is None:
                shape = shape_numbers[of, names] = len(shape_numbers)
                shapes += of, len(names), *[texts[name] for name in names]
            known[of, id(names)] = shape  # found keeps the names alive, so their id is not reused
        events += kind, line, activation, depth, 0 if value is None else texts[value] + 1, shape
        events += [texts[text] for text in held]
    end = [
        found.code, 0 if found.exception is None else texts[found.exception] + 1, found.fatal + 1,
        texts[program.source], 0 if program.entry is None else texts[program.entry] + 1, texts[program.family],
    ]
    body = [
        len(numbers), *codes, len(shape_numbers), *shapes, len(of_activation), *of_activation, len(found.kind), *events, *end,
    ]
    encoded = [text.encode("utf-8", "backslashreplace") for text in texts]
    letters = b"".join(encoded)
    return words([len(encoded), *map(len, encoded)]) + letters + bytes(-len(letters) % 4) + words(body)


def words(numbers):
    found = array(WORD, numbers)
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def code(texts, info):
    body = info.code
    flags = body.co_flags
    arguments = body.co_argcount + body.co_kwonlyargcount + bool(flags & 4) + bool(flags & 8)
    names = info.names if info.fast else ()
    return [
        texts[info.name],
        texts[getattr(body, "co_qualname", info.name)],
        body.co_firstlineno,
        last_line(body),
        info.fast | info.generator << 1,
        arguments,
        len(names),
        *[texts[name] for name in names],
    ]


def last_line(body):
    """Returns the last line of a code object and of the code objects in it."""
    last = body.co_firstlineno
    todo = [body]
    while todo:
        one = todo.pop()
        for line in lines(one):
            last = max(last, line)
        todo += [const for const in one.co_consts if isinstance(const, CodeType)]
    return last


def lines(body):
    if hasattr(body, "co_lines"):
        return [line for _, _, line in body.co_lines() if line]
    found, line = [], body.co_firstlineno  # Python 3.9
    for step in body.co_lnotab[1::2]:
        line += step - 256 if step > 127 else step
        found.append(line)
    return found
