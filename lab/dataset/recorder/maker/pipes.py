"""Frames on pipes: the length in four bytes, little-endian, and then that many bytes."""

import os

MOST = 1 << 28  # in bytes


def read_frame(file):
    """Returns the next frame, or None at the end."""
    head = file.read(4)
    size = int.from_bytes(head, "little")
    if len(head) < 4 or size > MOST:
        return None
    data = file.read(size)
    return data if len(data) == size else None


def say(fd, data, write=os.write):
    """Writes a frame. It keeps a reference to os.write, because a program may have changed os."""
    write_all(fd, len(data).to_bytes(4, "little") + data, write)


def write_all(fd, data, write=os.write):
    view = memoryview(data)
    while view:
        view = view[write(fd, view) :]
