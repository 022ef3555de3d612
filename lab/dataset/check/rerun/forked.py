"""Runs work in a child of this process, with a time limit."""

import contextlib
import os
import pickle
import select
import signal
import time

SIZE = 8  # bytes of the length before an answer


class CannotRun(Exception):
    """The work has no answer; the text says why."""


def forked(work, seconds):
    """Returns the result of work, which is called in a child without input and output.
    Processes that the work leaves behind end with it. Raises CannotRun with the reason
    if there is no answer."""
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
        with contextlib.suppress(OSError):  # before it leads a group, or where that has ended
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
    """Writes the size of the answer and then what work returned or raised. The size is
    needed because a process that the work has forked may keep the pipe open."""
    os.setsid()
    me = os.getpid()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    try:
        found = pickle.dumps((True, work()))
    except BaseException as e:
        found = pickle.dumps((False, f"{type(e).__name__}: {e}"))
    if os.getpid() == me:  # not in a process that the work has forked
        with os.fdopen(there, "wb") as pipe:
            pipe.write(len(found).to_bytes(SIZE, "big") + found)


def read(descriptor, deadline):
    """Returns an answer. It is empty if the child ends too soon, and None if the
    deadline, in time.monotonic's time, has passed."""
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
