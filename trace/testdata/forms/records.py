"""Writes values as the tracer's records, and the texts that they have, for npdb to
put together: to standard output, for each pair of limits the records and the texts
behind their number, each behind its length in four bytes.

    records.py TRACER                   the values of values.py
    records.py TRACER CHARS ITEMS ...   containers and objects at the limits of a value
"""

import random
import struct
import sys

from composing import forms, render
from values import values

END, REF = b"\xff", b"\xfc"
LINE, ENTER, FORM, WHOLE, TEXT, SET = b"\x01", b"\x08", b"\x19", b"\x1a", b"\x1f", b"\x02"


def varint(n):
    data = b""
    while n > 127:
        data += bytes((n & 127 | 128,))
        n >>= 7
    return data + bytes((n,))


def definition(tag, *fields):
    body = b""
    for field in fields:
        data = field.encode("utf-8", "backslashreplace")
        body += struct.pack("<I", len(data)) + data
    return tag + struct.pack("<I", len(body)) + body


def encode(text):
    return text.encode("utf-8", "backslashreplace") + END


class Writer:
    def __init__(self):
        self.out = [
            definition(b"\x0c", "/p/a.py", "x\n", "/p/a.py"),
            definition(b"\x0d", "0", "<module>", "<module>", "1", "1", "00", "0"),
            definition(b"\x0e", "0", "x"),
            ENTER + varint(0),
        ]
        self.forms = {}

    def state(self, value):
        """One value, whose objects are told anew: an event with it."""
        self.count = getattr(self, "count", 0)
        self.numbers = {}
        self.kept = []
        record = SET + varint(0) + self.value(value)
        for x in self.kept:  # which grows
            self.object(x)
        self.out.append(record + LINE + varint(1))

    def value(self, x, key=False):
        if type(x) in render.ATOMS or key and atomic(x):
            return encode(render.walk(x, type(x), 0, 0, {}))
        number = self.numbers.get(id(x))
        if number is None:
            number = self.numbers[id(x)] = self.count
            self.count += 1
            self.kept.append(x)
        return REF + varint(number)

    def object(self, x):
        kind = forms.of(type(x))
        form = kind.form(x)
        if form not in self.forms:
            self.forms[form] = len(self.forms)
            self.out.append(definition(FORM, *form))
        most = render.limits["items"]
        what = kind.what
        if what == forms.DICT:
            keys, values = (list(part) for part in (kind.items(x) if not kind.exact else (x.keys(), x.values())))
            n = len(keys)
            told = [self.value(k, True) + self.value(v) for k, v in list(zip(keys, values))[:most]]
        elif what == forms.ATTRIBUTES:
            members = kind.members(x)
            n = len(members)
            told = [encode(k) + self.value(v) for k, v in list(members.items())[:most]]
        elif what == forms.TEXT:
            n, told = 0, []
        else:
            items = list(x) if kind.exact else kind.items(x)
            n = len(items)
            told = [self.value(v) for v in items[:most]]
        number = varint(self.numbers[id(x)])
        self.out.append(WHOLE + number + varint(self.forms[form]) + varint(n) + varint(len(told)) + b"".join(told))
        if what == forms.TEXT or kind.asks is not None:
            said = kind.text(x)
            if said is not None:
                self.out.append(TEXT + number + encode(said))


def atomic(key):
    return type(key) in render.ATOMS or type(key) is tuple and all(map(atomic, key))


class Node:
    def __init__(self, **names):
        self.__dict__.update(names)


def at_limits(count=600):
    """Nested values of all that render.walk goes into by itself."""
    rand = random.Random(5)
    strings = ["", "a", "it's", 'say "x"', "\n\t\\", "\x00\x7f", "äöü", "日本", "\U0001f600", "e\u0301", "\udc80", "x" * 30, "…" * 12]

    def atom():
        pick = rand.randrange(8)
        if pick < 3:
            return rand.choice(strings)
        if pick == 3:
            return rand.choice(strings).encode("utf-8", "replace")
        return rand.choice([0, -1, 10**25, 1.5, float("inf"), float("-inf"), 2j, 1 - 1j, True, None, ..., NotImplemented, range(3), 10**5000])

    def make(depth, above):
        pick = rand.randrange(12)
        n = rand.choice((0, 1, 1, 2, 3, 5, 9))
        if depth <= 0 or pick < 3:
            return atom()
        if pick == 3 and above:
            return rand.choice(above)
        inside = [make(depth - rand.randrange(1, 3), above) for _ in range(n)] if rand.randrange(2) else [atom() for _ in range(n)]
        if pick < 6:
            made = []
            above = above + [made]
            made.extend(inside)
            if not rand.randrange(4):
                made.append(rand.choice(above))
            return made
        if pick == 6:
            return tuple(inside)
        if pick == 7:
            return rand.choice((set, frozenset))(x for x in inside if type(x) in render.ATOMS and type(x) is not str)
        if pick < 10:
            made = {rand.choice((k, (k, str(k)), ((k,), 1.5), frozenset((k,)))): x for k, x in enumerate(inside)}
            if not rand.randrange(4):
                made["me"] = made
            return made
        made = Node(**{"n%d" % k: x for k, x in enumerate(inside)})
        if not rand.randrange(4):
            made.me = rand.choice(above + [made])
        return made

    for _ in range(count):
        yield make(rand.randrange(1, 7), [])
    for leaf in ([], [1], ["x"], Node(), (), {}, [[]]):
        for levels in (95, 99, 100, 101, 105):
            deep = leaf
            for k in range(levels):
                deep = [deep] if k % 3 else (deep, k) if k % 2 else {k: deep}
            yield deep


def write(values):
    writer = Writer()
    texts = []
    whole = render.cut
    for value in values:
        texts.append(render.render(value))
        render.cut = lambda text: text  # of what an object says within another nothing is cut
        writer.state(value)
        render.cut = whole
        if texts[-1] != render.render(value):
            raise AssertionError("a value has another text each time")
    fields = [b"".join(writer.out)] + [text.encode("utf-8", "backslashreplace") for text in texts]
    out = sys.stdout.buffer
    out.write(struct.pack("<I", len(texts)))
    for data in fields:
        out.write(struct.pack("<I", len(data)) + data)


limits = list(map(int, sys.argv[2:]))
if not limits:
    write(values())
while limits:
    render.limits.update(chars=limits.pop(0), items=limits.pop(0))
    write(at_limits())
