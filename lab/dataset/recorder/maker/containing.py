"""Restrictions that a process puts on itself before it runs a program."""

import ctypes
import os
import resource
import signal
import struct
import sys

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
SECCOMP_MODE_FILTER, SIGKILL = 2, 9
CAPABILITIES = 0x20080522  # _LINUX_CAPABILITY_VERSION_3
INSTRUCTION = 8  # bytes of a struct sock_filter; the last four are its operand

LINUX = sys.platform == "linux"
system = ctypes.CDLL(None, use_errno=True)


class Filter:
    """A program for seccomp(2). The instructions at the indexes pids get the number of the current
    process as their operand."""

    def __init__(self, program, pids):
        self.buffer = ctypes.create_string_buffer(program, len(program))
        self.pids = [at * INSTRUCTION + 4 for at in pids]
        self.fprog = ctypes.create_string_buffer(struct.pack("@HP", len(program) // INSTRUCTION, ctypes.addressof(self.buffer)))

    def take(self):
        for at in self.pids:
            struct.pack_into("=I", self.buffer, at, os.getpid())
        control(PR_SET_NO_NEW_PRIVS, 1)
        control(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(self.fprog))


def control(option, first, second=0):
    """Calls prctl(2), and raises OSError if it fails."""
    if system.prctl(option, ctypes.c_ulong(first), ctypes.c_ulong(second), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), "prctl(%d)" % option)


def guard():
    """Makes this process unreadable for other unprivileged processes of the same user, and drops
    its own privileges. As root it keeps only the access to files that their owner has."""
    if not LINUX:
        return
    control(PR_SET_DUMPABLE, 0)
    header, none = struct.pack("=Ii", CAPABILITIES, 0), struct.pack("=6I", 0, 0, 0, 0, 0, 0)
    if system.capset(ctypes.c_char_p(header), ctypes.c_char_p(none)):
        raise OSError(ctypes.get_errno(), "capset")


def confine(limits, filter, parent):
    """Limits this process. On Linux, the process also ends with its parent, whose number is given.
    On other systems it ends when its time is over, unless the program changes the timer."""
    # This must come first: after setsid, a signal to the parent's group no longer reaches this
    # process.
    if LINUX:
        control(PR_SET_PDEATHSIG, SIGKILL)
        if os.getppid() != parent:  # the parent ended before prctl could watch it
            os._exit(1)
    os.setsid()
    if not LINUX:
        signal.setitimer(signal.ITIMER_REAL, limits["seconds"] + 1)
    cpu = limits["cpu"]
    for what, most in (
        (resource.RLIMIT_CPU, (cpu, cpu + 1)),
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_FSIZE, (0, 0)),
        (resource.RLIMIT_NOFILE, (limits["files"], limits["files"])),
        (resource.RLIMIT_NPROC, (0, 0)),
        (resource.RLIMIT_AS, (limits["memory"], limits["memory"])),
    ):
        try:
            resource.setrlimit(what, most)
        except (ValueError, OSError):  # a limit that the system does not have, or that is already lower
            pass
    if filter is not None:
        filter.take()
