"""The tracer's channels to npdb.

Records of events are written to shared memory, in chunks that npdb reads while the
program continues. So records that were written before a segfault or os._exit are not
lost. Messages (a stop, an answer) are sent through pipes. Child processes inherit none
of the channels.
"""

import _thread
import os
import sys

from _npdb import library
from _npdb.descriptors import identity, next_free, out_of_the_way

mmap = library.take("mmap")

HEADER = 65536  # bytes before the first chunk: a multiple of every page size
# Bytes of the header. One side sets each of them and the other clears it.
IN_REPR = 0  # a __repr__ of the program is running
INTERRUPT = 1  # npdb asks the running program to stop
OFF = 2  # the interpreter turned tracing off
SERIAL = 3  # counts the calls of __repr__, so that npdb detects one that hangs
STOP_REPR = 4  # npdb wants to stop the __repr__ that is running
PAUSE = 5  # the recording has reached a limit
WAITING = 6  # a signal handler of the program waits for the end of an event
NEWS = 7  # there is output that npdb has not read yet
WRITTEN = 8  # eight bytes: the chunk, and the offset up to which it is written, at the last message or output
READING = 16  # the number of the wait for standard input that was reported to npdb, 0 when it has ended
LOST = 17  # the program closed the channels

PART, LAST, OUT = b"\x13", b"\x14", b"\x0b"

lock = _thread.RLock()
main = recorded = _thread.get_ident()  # the main thread, and the one that is recorded
chunks = []
header = None
write = None  # the write function of the current chunk
current = 0
credits = 0
size = 0
events_fd = commands_fd = credits_fd = -1
held = {}  # descriptor -> its identity
mapped = []  # descriptors that the mappings own, up to Python 3.12
open_here = False  # whether this process still owns the channels
on_loss = None  # called when the channels are lost; set by launch
filled = False  # a chunk was filled; see forgetting
outlives = False  # this process runs on when npdb has ended; set by attached


def setup(memory_fd, events, commands, credit, count, chunk_size):
    global header, write, size, credits, events_fd, commands_fd, credits_fd, open_here
    # Python 3.13 can create a mapping without a descriptor of its own.
    keep = {"trackfd": False} if sys.version_info >= (3, 13) else {}
    for n in range(count + 1):
        if not keep:
            mapped.append(next_free(memory_fd))
        at = HEADER + (n - 1) * chunk_size if n else 0
        chunks.append(mmap.mmap(memory_fd, chunk_size if n else HEADER, offset=at, **keep))
    header = chunks.pop(0)
    # Keeps the mappings alive until the process ends, because the end of a mapping
    # would close its descriptor, or the one that the program opened in its place.
    os.register_at_fork(before=release, after_in_child=library.take("_functools").partial(len, [header] + chunks))
    held.update((fd, identity(memory_fd)) for fd in mapped)
    os.close(memory_fd)
    events_fd, commands_fd, credits_fd = out_of_the_way([events, commands, credit])
    held.update((fd, identity(fd)) for fd in (events_fd, commands_fd, credits_fd))
    size = chunk_size
    credits = count - 1
    write = chunks[0].write
    open_here = True


def ours(fd):
    """Returns whether a descriptor still refers to npdb's file. The program may have
    closed it and opened another under its number."""
    return identity(fd) == held[fd]


def abandon():
    """Gives up the channels in a forked child: they belong to the parent."""
    global open_here
    open_here = False
    for fd in (events_fd, commands_fd, credits_fd):
        if ours(fd):
            os.close(fd)
    if all(map(ours, mapped)):  # closing a mapping closes its descriptor
        for mapping in [header] + chunks:
            mapping.close()


def leave():
    """Gives up the channels, because npdb has left a process that runs on."""
    global write
    release()
    abandon()
    write = len  # accepts a record, and is written in C


def npdb_is_gone():
    if outlives:
        lost()
    else:
        os.kill(os.getpid(), 9)


def lost():
    """Handles a channel that the program closed: the program continues as without npdb."""
    global open_here, write
    open_here = False
    write = len  # accepts a record, and is written in C
    header[LOST] = 1
    on_loss()


def spill(record):
    """Writes a record that does not fit into the current chunk. Returns whether npdb
    asked for a pause."""
    global filled
    filled = True
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


holding = []  # streams of the recorded thread that hold back output; see streams.Out


def write_after_output(record):
    """Replaces the write function while a stream holds back output."""
    if _thread.get_ident() == recorded:
        release()
        write(record)
    else:
        chunks[current].write(record)


def release():
    """Lets the streams write the output that they hold back."""
    global write
    if not holding or _thread.get_ident() != recorded:
        return
    if write is write_after_output:
        write = chunks[current].write
    streams = holding[:]
    holding.clear()
    for stream in streams:
        try:
            stream.release()
        except OSError:
            pass  # the program has closed the descriptor


def put(record):
    """Writes a record from any module."""
    try:
        write(record)
    except ValueError:
        spill(record)


def publish():
    """Publishes how far the chunk is written. npdb may read up to there while threads
    of the program write."""
    with lock:  # no other thread changes the chunk meanwhile
        header[WRITTEN : WRITTEN + 8] = (current << 32 | chunks[current].tell()).to_bytes(8, sys.byteorder)


def refuse(record):
    """Replaces the write function while the chunk is changed."""
    raise ValueError


def output(stream, data):
    """Passes the program's output to npdb at once, also while a move runs."""
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
    """Writes a record with fields: a file, a code object, a name."""
    body = pack(fields)
    put(tag + len(body).to_bytes(4, "little") + body)


def send(tag, *fields):
    """Sends a message to npdb."""
    release()
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
                return


def read(fd, n):
    """Reads up to n bytes. Returns none once the channels are lost."""
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
    """Returns the next message from npdb as a list of byte strings."""
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
