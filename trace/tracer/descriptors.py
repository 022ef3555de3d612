"""Descriptors where the program does not expect any.

Programs close descriptors that they do not know, daemons for one from 3 up to
1024 or to the soft limit, and put their own in these places.
"""

import os

from _npdb import library

HIGH, SPARE = 10_000, 16  # the first number that is tried, and how many follow it


def out_of_the_way(fds):
    """Moves descriptors to high numbers, beyond the soft limit if need be: the
    limit is for new ones only. They are not inherited."""
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
    """What a descriptor stands for; None if it is closed."""
    try:
        found = os.fstat(fd)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def next_free(fd):
    """The number that the next descriptor gets."""
    found = os.dup(fd)
    os.close(found)
    return found
