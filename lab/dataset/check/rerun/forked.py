"""Runs work in a child of this process, with a time limit."""

import contextlib
import os
import pickle
import select
import signal
import time

SIZE = 8  # bytes of the length before an answer


class CannotRun(Exception):
    """Raised if work has no result. The message says why."""


def forked(work, seconds):
    """Calls work in a child without input and output, and returns its result. Processes that the
    work leaves behind are killed with the child. Raises CannotRun with the reason if there is
    no result."""
    here, there = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(here)
            answer(work, there)
        finally:
            os._exit(0)
    os.close(there)
    try:
        found = read(here, time.monotonic() + seconds)
    finally:
        os.close(here)
        # Fails if the child does not lead its own group yet, or if the group has ended.
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    if found is None:
        raise CannotRun(f"more than {seconds} seconds")
    if not found:
        raise CannotRun("it takes its process with it")
    done, found = pickle.loads(found)
    if not done:
        raise CannotRun(found)
    return found


def answer(work, there):
    """Calls work and writes the size of its result or exception in bytes, then the result or
    exception. The reader needs the size, because a process that the work has forked may keep
    the pipe open."""
    os.setsid()
    me = os.getpid()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    try:
        found = pickle.dumps((True, work()))
    except BaseException as e:
        found = pickle.dumps((False, f"{type(e).__name__}: {e}"))
    if os.getpid() == me:  # false in a process that the work has forked
        with os.fdopen(there, "wb") as pipe:
            pipe.write(len(found).to_bytes(SIZE, "big") + found)


def read(descriptor, deadline):
    """Reads an answer. Returns b"" if the child ends too early, and None if the deadline has
    passed, which is a time of time.monotonic."""
    found = bytearray()
    while len(found) < SIZE or len(found) < SIZE + int.from_bytes(found[:SIZE], "big"):
        ready, _, _ = select.select([descriptor], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            return None
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            return b""
        found += piece
    return bytes(found[SIZE:])
