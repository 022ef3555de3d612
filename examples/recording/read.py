"""Print the events of a recording file of npdb. Needs Python 3.14, for compression.zstd.

docs/recording.md describes the format. This program reads every record, but follows only
files, functions and events.
"""

import itertools
import struct
import sys
from compression import zstd

KINDS = {  # the fields of each kind of record: see docs/recording.md
    0x01: "n", 0x02: "nv", 0x03: "nt", 0x04: "n", 0x05: "n", 0x06: "nr", 0x07: "nt", 0x08: "n", 0x09: "n", 0x0A: "",
    0x0B: "cb", 0x0C: "b", 0x0D: "b", 0x0E: "b", 0x0F: "*n", 0x10: "*n", 0x11: "n", 0x12: "", 0x13: "b", 0x14: "b",
    0x15: "", 0x16: "t", 0x17: "nnv", 0x18: "nn", 0x19: "b", 0x1A: "nnn*w", 0x1B: "nnv", 0x1C: "nnn*v", 0x1D: "nvv",
    0x1E: "nv", 0x1F: "nt", 0x20: "", 0x21: "*nn", 0x22: "nnt", 0x23: "nb", 0x24: "", 0x25: "nn", 0x26: "n*n", 0x27: "*n",
    0x28: "n",
}
EVENTS = {0x01: "line", 0x05: "call", 0x06: "return", 0x07: "exception"}


class Records:
    """The records of a file, in turn."""

    def __init__(self):
        self.widths = []  # of each form: 2 if its values come in pairs
        self.parts = b""  # of records that are too long for one piece

    def number(self):
        value = shift = 0
        while True:
            self.at += 1
            value |= (self.data[self.at - 1] & 127) << shift
            shift += 7
            if self.data[self.at - 1] < 128:
                return value

    def take(self, size):
        self.at += size
        return self.data[self.at - size : self.at]

    def field(self, kind):
        if kind == "n":
            return self.number()
        if kind == "c":
            return self.take(1)[0]
        if kind == "b":
            return self.take(struct.unpack("<I", self.take(4))[0])
        if kind == "r" and self.take(1)[0] == 3:  # the frame was left by an exception
            return self.take(1)
        if kind in "vr" and self.data[self.at] in (0xFC, 0xFD):
            self.at += 1
            return self.number()
        return self.take(self.data.index(0xFF, self.at) - self.at + 1)[:-1]

    def read(self, data):
        self.data, self.at = data, 0
        while self.at < len(self.data):
            kind = self.take(1)[0]
            once, _, many = KINDS[kind].partition("*")
            fields = [self.field(k) for k in once]
            if many == "w":  # the content of an object, whose form says how many values it has
                many = "v" * self.widths[fields[1]]
            for _ in range(self.number() if many else 0):
                fields += [self.field(k) for k in many]
            if kind == 0x19:
                form = next(texts(fields[0]))
                self.widths.append(1 if form in ("sequence", "set", "text", "bytes") else 2)
            elif kind in (0x13, 0x14):
                self.parts += fields[0]
            else:
                yield kind, fields
            if kind == 0x14:
                after, (whole, self.parts) = self.data[self.at :], (self.parts, b"")
                yield from self.read(whole)
                self.data, self.at = after, 0


def chunks(file):
    """The kind and the data of each chunk."""
    assert file.read(8) == b"\x89npdb\r\n\x1a", "not a recording"
    while head := file.read(9):
        kind, size, _ = struct.unpack("<cII", head)  # the third is the CRC-32C
        yield kind, zstd.decompress(file.read(size))


def texts(definition):
    """The fields of a definition, each with its length before it."""
    while definition:
        (size,) = struct.unpack_from("<I", definition)
        yield definition[4 : 4 + size].decode()
        definition = definition[4 + size :]


def events(file):
    """The event, function, file and line of each event."""
    records, files, codes, activations, stack = Records(), [], [], {}, []
    earlier, following = iter(()), itertools.count()  # the numbers of the next activations
    for kind, fields in (r for chunk, data in chunks(file) if chunk == b"R" for r in records.read(data)):
        if kind == 0x0C:
            files.append(next(texts(fields[0])))
        elif kind == 0x0D:
            number, name, *_ = texts(fields[0])
            codes.append((name, files[int(number)]))
        elif kind in (0x08, 0x11):
            number = next(earlier, None)
            activations[next(following) if number is None else number] = codes[fields[0]]
            stack += [codes[fields[0]]] if kind == 0x08 else []
        elif kind == 0x26:  # the recording begins in the middle of a run
            earlier, following = iter(fields[1:]), itertools.count(fields[0])
        elif kind == 0x09:
            stack.append(activations[fields[0]])
        elif kind in (0x10, 0x21):  # events are missing, and this is the stack after them
            stack = [activations[n] for n in fields[:: 1 if kind == 0x10 else 2]]
        elif kind in EVENTS:
            yield EVENTS[kind], *stack[-1], fields[0]
        if kind in (0x06, 0x0A):
            stack.pop()


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as recording:
        for event, function, path, line in events(recording):
            print(f"{path}:{line}: {event} in {function}")
