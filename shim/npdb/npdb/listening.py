"""Lets npdb attach to this process, on Pythons before 3.14: npdb.listen().

npdb sends this process a signal, whose handler connects to the socket where npdb waits. There is
no thread and no open port. A file in a folder that only this user can use tells npdb that the
process expects the signal, which would otherwise end it; a lock on the file tells that the process
still runs.
"""

import atexit
import fcntl
import os
import signal
import socket
import stat
import sys

from npdb import debugger

marker = None  # (descriptor, path, process id) of the file


def folder():
    """Returns the folder in which npdb and processes of this user meet. npdb knows its name."""
    path = "/tmp/npdb-%d" % os.getuid()
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError("%s is not a folder of this user alone (mode 0700): remove it" % path)
    return path


def listen(number=None):
    """Lets the command npdb attach stop this process. number is the signal to use, SIGUSR2 by default. It
    must be called in the main thread."""
    global marker
    number = signal.SIGUSR2 if number is None else number
    present = signal.getsignal(number)
    if present is on_signal:
        return
    if present not in (signal.SIG_DFL, signal.SIG_IGN):
        raise ValueError("the program handles %s itself: give npdb.listen() another signal" % signal.Signals(number).name)
    path = os.path.join(folder(), "listen-%d" % os.getpid())
    signal.signal(number, on_signal)
    forget()
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    os.write(fd, b"%d\n" % number)
    if marker is None:
        atexit.register(forget)
        os.register_at_fork(after_in_child=close)
    marker = fd, path, os.getpid()


def forget():
    """Removes the file."""
    if marker is not None and marker[2] == os.getpid() and marker[0] >= 0:
        try:
            os.remove(marker[1])
        except OSError:
            pass
        close()


def close():
    """Lets go of the file: in a fork, it is the parent's."""
    global marker
    if marker is not None and marker[0] >= 0:
        os.close(marker[0])
        marker = -1, "", 0


def on_signal(number, frame):
    """Connects to npdb, and begins a session in the frame."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        with connection:
            connection.connect(os.path.join(folder(), "attach-%d.sock" % os.getpid()))
            debugger.enter(connection)
    except (EOFError, OSError):
        return  # nobody waits, or npdb has refused and says why
    sys.modules["_npdb.visiting"].begin(frame, at_once=True)
