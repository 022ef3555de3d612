"""Debuggers with a prompt: pdb and npdb. They read commands from a terminal and write to a pipe, so that
the answer of each command can be told from the others."""

import os
import pty
import subprocess
import tempfile
import termios
import time

from bugs import FAILING
from proof import Turn

PATIENCE = 120


def environment(home):
    """Returns the environment of a debugger: a new home, without settings and earlier sessions."""
    return {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "PYTHONDONTWRITEBYTECODE": "1"}


class Prompt:
    """A session of a debugger with a prompt."""

    name, prompt = "", b""
    samples = False  # whether two recordings of the same program may differ

    def __init__(self, python, npdb):
        self.python, self.npdb = python, npdb

    def command(self, bug):
        """Returns the words that start the debugger."""
        raise NotImplementedError

    def script(self, bug):
        """Returns the commands that are typed."""
        raise NotImplementedError

    def play(self, bug, folder):
        """Types a bug's script. Returns the turns and the seconds from the start to the end of the session."""
        with tempfile.TemporaryDirectory() as home:
            return self.type(bug, folder, environment(home))

    def type(self, bug, folder, env):
        ours, theirs = pty.openpty()
        mode = termios.tcgetattr(theirs)
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, mode)
        begin = time.perf_counter()
        process = subprocess.Popen(
            self.command(bug), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=env
        )
        os.close(theirs)
        turns = [Turn("", self.read(process))]
        for command in self.script(bug):
            os.write(ours, command.encode() + b"\n")
            turns.append(Turn(command, self.read(process)))
        os.write(ours, b"q\nq\n")  # pdb's first q may only leave the post mortem
        process.stdout.read()
        process.wait(PATIENCE)
        seconds = time.perf_counter() - begin
        os.close(ours)
        return turns, seconds

    def read(self, process):
        """Returns the answer up to the next prompt, or what there is if the debugger ends."""
        answer = b""
        while not answer.endswith(self.prompt):
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                break
            answer += part
        return answer.removesuffix(self.prompt).decode(errors="replace")


class Pdb(Prompt):
    name, prompt = "pdb", b"(Pdb) "

    def command(self, bug):
        return [self.python, "-m", "pdb", FAILING]

    def script(self, bug):
        typed = []
        for command in bug.script("forward"):
            # After the end of the program pdb's c restarts it, and stops at the first line.
            typed += ["c", "c"] if command == "again" else [command]
        return typed


class Npdb(Prompt):
    name, prompt = "npdb", b"(npdb) "

    def command(self, bug):
        start = ["--from", bug.start] if bug.start else []
        return [self.npdb, "--plain", "--no-rc", "--python", self.python, *start, FAILING]

    def script(self, bug):
        return bug.script("npdb")
