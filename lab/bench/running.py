"""Functions that the measuring programs share: running a command, npdb's home, the
command line."""

import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time


class Failure(Exception):
    """Raised if a command failed or printed something unexpected."""


class Run:
    """One finished command: wall and CPU seconds, peak resident bytes, output.

    CPU time and peak include the process and the children that it waited for.
    """

    def __init__(self, command, commands="", env=None, most=None):
        """Run command with the input commands, for at most `most` CPU seconds."""
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            stdin.write(commands.encode())
            stdin.seek(0)
            begin = time.perf_counter()
            process = subprocess.Popen(
                command,
                stdin=stdin,
                stdout=out,
                stderr=err,
                env=env,
                preexec_fn=None if most is None else lambda: at_most(most),
            )
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.perf_counter() - begin
            process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
            out.seek(0)
            err.seek(0)
            self.stdout = out.read().decode(errors="replace")
            self.stderr = err.read().decode(errors="replace")
        self.command = command
        self.code = process.returncode
        self.cpu = usage.ru_utime + usage.ru_stime
        # Linux reports kilobytes, macOS bytes.
        self.peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        found = re.findall(r"^(?:\(npdb\) |\(Pdb\) )*checksum (\S+)", self.stdout, re.M)
        self.checksum = found[-1] if found else None

    def done(self):
        """Return this run, or raise Failure if the command failed."""
        if self.code != 0:
            raise Failure(f"{self.command} exited with {self.code}:\n{self.said()}")
        return self

    def said(self):
        """Returns the end of the command's output, for messages."""
        return self.stdout[-2000:] + self.stderr[-2000:]


def at_most(seconds):
    """Limit this process, and each process that it starts, to this number of CPU seconds."""
    most = math.ceil(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))


def environment(home, **more):
    """Return the environment of a command with a home directory of its own."""
    return {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, **more}


def arguments(doc, rounds):
    """Return the parser of the arguments that all measuring programs have: npdb, a Python, and
    rounds."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("npdb")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=rounds)
    return parser
