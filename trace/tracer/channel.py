"""The tracer's channels to npdb.

Records of events go into shared memory, in chunks that npdb drains while the
program runs on: what was written before a segfault or os._exit is not lost.
Messages (a stop, an answer) go through pipes. None of them is inherited.
"""

import _thread
import os
import sys

from _npdb import library
from _npdb.descriptors import identity, next_free, out_of_the_way

mmap = library.take("mmap")

HEADER = 65536  # bytes before the first chunk: a multiple of every page size
# Bytes of the header, each written by one side only but cleared by the other.
IN_REPR = 0  # a __repr__ of the program's is running
INTERRUPT = 1  # npdb asks the running program to stop
OFF = 2  # the interpreter turned tracing off
SERIAL = 3  # counts the __repr__s, so that npdb sees one that hangs
STOP_REPR = 4  # npdb gives up on the __repr__ that is running
PAUSE = 5  # a limit of the recording is reached
WAITING = 6  # a signal handler of the program's waits for the end of an event
NEWS = 7  # npdb was told of output that it has not taken yet
WRITTEN = 8  # eight bytes: the chunk, and how far it is written, at the last message or output
READING = 16  # the number of the wait for standard input that npdb was told of, 0 when it is over
LOST = 17  # the program closed the channels

PART, LAST, OUT = b"\x13", b"\x14", b"\x0b"

lock = _thread.RLock()
chunks = []
header = None
write = None  # of the current chunk
current = 0
credits = 0
size = 0
events_fd = commands_fd = credits_fd = -1
held = {}  # descriptor -> what it stands for
mapped = []  # descriptors of the mappings' own, up to Python 3.12
open_here = False  # whether this process still owns the channels
on_loss = None  # called when they are lost; set by launch


def setup(memory_fd, events, commands, credit, count, chunk_size):
    global header, write, size, credits, events_fd, commands_fd, credits_fd, open_here
    # Python 3.13 can do without a descriptor of each mapping's own.
    keep = {"trackfd": False} if sys.version_info >= (3, 13) else {}
    for n in range(count + 1):
        if not keep:
            mapped.append(next_free(memory_fd))
        at = HEADER + (n - 1) * chunk_size if n else 0
        chunks.append(mmap.mmap(memory_fd, chunk_size if n else HEADER, offset=at, **keep))
    header = chunks.pop(0)
    # Kept until nothing of the program is left: the end of a mapping closes its
    # descriptor, or what the program has in its place.
    os.register_at_fork(after_in_child=library.take("_functools").partial(len, [header] + chunks))
    held.update((fd, identity(memory_fd)) for fd in mapped)
    os.close(memory_fd)
    events_fd, commands_fd, credits_fd = out_of_the_way([events, commands, credit])
    held.update((fd, identity(fd)) for fd in (events_fd, commands_fd, credits_fd))
    size = chunk_size
    credits = count - 1
    write = chunks[0].write
    open_here = True


def ours(fd):
    """Whether a descriptor is what it was: the program may have closed it, and
    put one of its own there."""
    return identity(fd) == held[fd]


def abandon():
    """In a forked child: the channels are the parent's."""
    global open_here
    open_here = False
    for fd in (events_fd, commands_fd, credits_fd):
        if ours(fd):
            os.close(fd)
    if all(map(ours, mapped)):  # closing a mapping closes its descriptor
        for mapping in [header] + chunks:
            mapping.close()


def npdb_is_gone():
    os.kill(os.getpid(), 9)


def lost():
    """The program closed a channel: it goes on as if it ran alone."""
    global open_here, write
    open_here = False
    write = len  # which takes a record, and is written in C
    header[LOST] = 1
    on_loss()


def spill(record):
    """Writes a record that the current chunk has no room for. Returns whether
    npdb asked for a pause."""
    global write, current, credits
    with lock:
        if len(record) > size // 2:
            step = size // 4
            for start in range(0, len(record), step):
                piece = record[start : start + step]
                tag = LAST if start + step >= len(record) else PART
                spill_small(tag + len(piece).to_bytes(4, "little") + piece)
        else:
            spill_small(record)
    return header[PAUSE]


def spill_small(record):
    global write, current, credits
    try:
        write(record)
        return
    except ValueError:
        pass
    write = refuse
    send(b"F")
    while open_here and credits <= 0:
        credits += len(read(credits_fd, 64))
    if not open_here:
        return
    credits -= 1
    current = (current + 1) % len(chunks)
    chunks[current].seek(0)
    write = chunks[current].write
    write(record)


def put(record):
    """Writes a record from anywhere."""
    try:
        write(record)
    except ValueError:
        spill(record)


def publish():
    """Says how far the chunk is written: npdb may read up to there while
    threads of the program write on."""
    with lock:  # no other thread changes the chunk meanwhile
        header[WRITTEN : WRITTEN + 8] = (current << 32 | chunks[current].tell()).to_bytes(8, sys.byteorder)


def refuse(record):
    """Stands for the current chunk while it is changed."""
    raise ValueError


def output(stream, data):
    """What the program has printed is npdb's at once, also while a move runs."""
    put(OUT + bytes((stream,)) + len(data).to_bytes(4, "little") + data)
    publish()
    if not header[NEWS]:
        header[NEWS] = 1
        send(b"O")


def encode(text):
    return text.encode("utf-8", "backslashreplace")


def pack(fields):
    parts = []
    for field in fields:
        if isinstance(field, str):
            field = encode(field)
        parts.append(len(field).to_bytes(4, "little"))
        parts.append(field)
    return b"".join(parts)


def definition(tag, *fields):
    """A record with fields: a file, a code object, a name."""
    body = pack(fields)
    put(tag + len(body).to_bytes(4, "little") + body)


def send(tag, *fields):
    """A message to npdb."""
    body = pack(fields)
    data = tag + len(body).to_bytes(4, "little") + body
    with lock:
        if open_here and not ours(events_fd):
            lost()
        if not open_here:
            return
        publish()
        while data:
            try:
                data = data[os.write(events_fd, data) :]
            except OSError:
                npdb_is_gone()


def read(fd, n):
    """Up to n bytes; none once the channels are lost."""
    if open_here and not ours(fd):
        lost()
    if not open_here:
        return b""
    got = os.read(fd, n)
    if not got:
        npdb_is_gone()
    return got


def read_exactly(n):
    data = b""
    while open_here and len(data) < n:
        data += read(commands_fd, n - len(data))
    return data


def receive():
    """The next message from npdb: a list of byte strings."""
    body = read_exactly(int.from_bytes(read_exactly(4), "little"))
    if not open_here:
        return [b"move", b"free", b"0", b"0", b"0"]
    fields = []
    at = 0
    while at < len(body):
        n = int.from_bytes(body[at : at + 4], "little")
        fields.append(body[at + 4 : at + 4 + n])
        at += 4 + n
    return fields
