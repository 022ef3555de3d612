"""Determines why children have ended, and ends them."""

import os
import signal
import time

from .giving_up import ENDED, KILLED, TIME

now = time.monotonic  # a copy, because programs get another time.monotonic
gone = set()  # children that ended and were waited for


def how_it_ended(pid, deadline):
    """Returns the reason why a child stopped writing its output."""
    while now() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            gone.add(pid)
            if os.WIFSIGNALED(status):
                return TIME if os.WTERMSIG(status) == signal.SIGXCPU else KILLED
            return ENDED
        time.sleep(0.002)
    return TIME


def end(pid):
    if pid in gone:
        gone.remove(pid)
        return
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
