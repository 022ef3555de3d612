"""What a process takes upon itself before it runs a program."""

import ctypes
import os
import resource
import signal
import struct
import sys

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
SECCOMP_MODE_FILTER, SIGKILL = 2, 9
CAPABILITIES = 0x20080522  # _LINUX_CAPABILITY_VERSION_3
INSTRUCTION = 8  # bytes of a struct sock_filter, whose operand are the last four

LINUX = sys.platform == "linux"
system = ctypes.CDLL(None, use_errno=True)


class Filter:
    """A program for seccomp(2), whose instructions at pids have the number of the process
    that takes it as their operand."""

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
    """prctl(2)."""
    if system.prctl(option, ctypes.c_ulong(first), ctypes.c_ulong(second), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), "prctl(%d)" % option)


def guard():
    """No process of this user's without privileges looks into this one, and it has none
    itself: of root's is left what the owner of root's files may do with them."""
    if not LINUX:
        return
    control(PR_SET_DUMPABLE, 0)
    header, none = struct.pack("=Ii", CAPABILITIES, 0), struct.pack("=6I", 0, 0, 0, 0, 0, 0)
    if system.capset(ctypes.c_char_p(header), ctypes.c_char_p(none)):
        raise OSError(ctypes.get_errno(), "capset")


def confine(limits, filter, parent):
    """Limits this process, and on Linux has it end with its parent, whose number is given;
    elsewhere when its time is over, if the program leaves the timer alone."""
    if LINUX:  # first: once it has a session of its own, no signal to its parent's group ends it
        control(PR_SET_PDEATHSIG, SIGKILL)
        if os.getppid() != parent:  # which ended before
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
        except (ValueError, OSError):  # one that the system has not, or has as less
            pass
    if filter is not None:
        filter.take()
