"""Moves npdb's descriptors to numbers where the program does not expect any.

Programs close descriptors that they do not know, and open their own in these places.
Daemons, for example, close those from 3 to 1024 or to the soft limit.
"""

import os

from _npdb import library

HIGH, SPARE = 10_000, 16  # the first number to try, and how many are tried


def out_of_the_way(fds):
    """Moves descriptors to high numbers, beyond the soft limit if necessary: the limit
    only applies to new ones. They are not inherited."""
    fcntl, resource = library.take("fcntl"), library.take("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    top = HIGH + SPARE
    if hard != resource.RLIM_INFINITY:
        top = min(top, hard)
    raised = soft != resource.RLIM_INFINITY and soft < top
    try:
        if raised:
            resource.setrlimit(resource.RLIMIT_NOFILE, (top, hard))
        moved = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, max(top - SPARE, 3)) for fd in fds]
    except (OSError, ValueError):
        for fd in fds:
            os.set_inheritable(fd, False)
        return fds
    finally:
        if raised:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    for fd in fds:
        os.close(fd)
    return moved


def identity(fd):
    """Returns the identity of the file behind a descriptor, or None if it is closed."""
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def next_free(fd):
    """Returns the number that the next descriptor will get."""
    found = os.dup(fd)
    os.close(found)
    return found
