"""A process that records programs one after the other, if they may share a process (sharing.py).

The worker sends it each program before it forks a process for that program alone. The answer is
a letter and a recording:

    +  the process continues
    -  the process ends, because it has recorded enough programs or because its state has changed
    ?  the process does not accept the program
    !  the program did not end in a recording; the process ends

After ? and !, and if the process hangs or dies, the program is run again in a process of its
own. Only that result counts, because the time and memory of the shared process are those of
many programs.
"""

import json
import os
import resource
import sys

from . import containing, giving_up, sharing
from .children import end
from .jobs import recorded
from .pipes import read_frame, say

NEXT, LAST, OTHER, SPOILT = b"+", b"-", b"?", b"!"
GROWTH = 1 << 16  # KiB; on systems that count in bytes the process ends sooner
MAINS = ("__main__", "program")


class Shared:
    """The shared process, as seen by the process that forks it. It is started for the first
    program, and again after it has ended. It records at most `most` programs. If most is less
    than two, there is no shared process."""

    def __init__(self, zygote, most):
        self.zygote, self.most = zygote, most
        self.surroundings = None  # the state of the process before it has run any program
        self.pid = self.jobs = self.said = None

    def record(self, job):
        """Returns the answer to a job, or None if the job must run in a process of its own."""
        if self.most < 2 or self.pid is None and not self.begin():
            return None
        try:
            say(self.jobs, job)
        except OSError:  # the shared process has ended
            self.end()
            return None
        kind, said = self.zygote.listen(self.said, self.pid)
        letter = said[:1] if kind == b"C" else SPOILT
        if letter not in (NEXT, OTHER):
            self.end()
        return said[1:] if letter in (NEXT, LAST) else None

    def begin(self):
        read, jobs = os.pipe()
        said, write = os.pipe()
        try:
            self.pid = os.fork()
        except OSError:
            for fd in (read, jobs, said, write):
                os.close(fd)
            return False
        if self.pid == 0:
            try:
                os.close(jobs)
                os.close(said)
                self.pid = None
                self.zygote.part()
                containing.confine(self.zygote.limits, self.zygote.filter, self.zygote.number)
                self.serve(open(read, "rb"), write)
            finally:
                os._exit(1)
        os.close(read)
        os.close(write)
        self.jobs, self.said = jobs, said
        return True

    def end(self):
        if self.pid is not None:
            self.part()
            end(self.pid)
            self.pid = None

    def part(self):
        """Closes the pipes to the shared process. Each new child calls this, because it must not
        use them."""
        if self.pid is not None:
            os.close(self.jobs)
            os.close(self.said)

    def serve(self, jobs, out):
        """Records the programs in jobs. This runs in the shared process."""
        exit = os._exit
        before = {main: sys.modules.get(main) for main in MAINS}
        kept = []  # objects of a program are not finalised at its end, just as in a process of its own
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        def leave(reason):
            say(out, SPOILT)
            exit(0)

        sharing.together = True
        giving_up.leave = leave
        for number in range(self.most):
            job = read_frame(jobs)
            if job is None:
                break
            sharing.doubtful = False
            said = OTHER
            try:
                recording = recorded(json.loads(job))
                if not sharing.doubtful:
                    said = NEXT + b"R" + recording
            except sharing.Alone:
                pass
            except MemoryError:
                leave(giving_up.MEMORY)
            for main, module in before.items():
                kept.append(sys.modules.pop(main, None))
                if module is not None:
                    sys.modules[main] = module
            used = resource.getrusage(resource.RUSAGE_SELF)
            tired = number + 1 == self.most or used.ru_maxrss - size > GROWTH
            tired = tired or 2 * (used.ru_utime + used.ru_stime) > self.zygote.limits["cpu"]
            if tired or not self.surroundings.same():
                said = SPOILT if said is OTHER else LAST + said[1:]
            say(out, said)
        exit(0)
