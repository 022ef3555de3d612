"""The tracer's channels to npdb.

Records of events go into shared memory, in chunks that npdb drains while the
program runs on: what was written before a segfault or os._exit is not lost.
Messages (a stop, an answer) go through pipes. None of them is inherited.
"""

import _thread
import mmap
import os
import sys

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

PART, LAST, OUT = b"\x13", b"\x14", b"\x0b"

lock = _thread.RLock()
chunks = []
header = None
write = None  # of the current chunk
current = 0
credits = 0
size = 0
events_fd = commands_fd = credits_fd = -1
open_here = False  # whether this process still owns the channels


def setup(memory_fd, events, commands, credit, count, chunk_size):
    global header, write, size, credits, events_fd, commands_fd, credits_fd, open_here
    header = mmap.mmap(memory_fd, HEADER)
    for n in range(count):
        chunks.append(mmap.mmap(memory_fd, chunk_size, offset=HEADER + n * chunk_size))
    os.close(memory_fd)
    for fd in (events, commands, credit):
        os.set_inheritable(fd, False)
    events_fd, commands_fd, credits_fd = events, commands, credit
    size = chunk_size
    credits = count - 1
    write = chunks[0].write
    open_here = True


def abandon():
    """In a forked child: the channels are the parent's."""
    global open_here
    open_here = False
    for fd in (events_fd, commands_fd, credits_fd):
        try:
            os.close(fd)
        except OSError:
            pass
    for mapping in [header] + chunks:
        mapping.close()


def npdb_is_gone():
    os.kill(os.getpid(), 9)


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
    while credits <= 0:
        got = os.read(credits_fd, 64)
        if not got:
            npdb_is_gone()
        credits += len(got)
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
    """What the program prints is npdb's at once, also while a move runs."""
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
        publish()
        while data:
            try:
                data = data[os.write(events_fd, data) :]
            except OSError:
                npdb_is_gone()


def read_exactly(n):
    data = b""
    while len(data) < n:
        got = os.read(commands_fd, n - len(data))
        if not got:
            npdb_is_gone()
        data += got
    return data


def receive():
    """The next message from npdb: a list of byte strings."""
    body = read_exactly(int.from_bytes(read_exactly(4), "little"))
    fields = []
    at = 0
    while at < len(body):
        n = int.from_bytes(body[at : at + 4], "little")
        fields.append(body[at + 4 : at + 4 + n])
        at += 4 + n
    return fields
