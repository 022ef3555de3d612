"""Plays pudb, a full-screen debugger. It runs in a terminal of its own, gets keys, and its screen is read with the
terminal emulator pyte (Debian: python3-pudb, python3-pyte)."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import tempfile
import termios
import time
from pathlib import Path

from bugs import FAILING
from prompt import PATIENCE, environment
from proof import Turn

ROWS, COLUMNS = 50, 160
DOWN, BACK = "\x1b[B", "\x18"  # BACK returns from the command line to the source
WAITING = {"7", "23", "270", "271"}  # the numbers of poll, select, pselect6 and ppoll on x86-64
SETTINGS = "[pudb]\nseen_welcome = e044\nline_numbers = True\n"
SHOWN = ("l", "ll", "w")  # commands for the source and the stack, which are always on the screen
NO_SLEEP = "\nvoluntary_ctxt_switches: 0\n"  # stands for the status of a program that has ended
FRAME = re.compile("[─│┌┐└┘]")
HITS = re.compile(r"^.*\(\d+ hits\)$")


class Pudb:
    """A session of pudb. It makes the moves of pdb."""

    name, samples = "pudb", False

    def __init__(self, python, npdb):
        self.python = python

    def play(self, bug, folder):
        """Types the keys of a bug's script. Returns the turns and the seconds."""
        with tempfile.TemporaryDirectory() as home:
            settings = Path(home, "pudb", "pudb.cfg")
            settings.parent.mkdir()
            settings.write_text(SETTINGS)
            begin = time.perf_counter()
            session = Session(self.python, folder, environment(home))
            turns = [session.turn("", session.text())]
            for command in bug.script("forward"):
                turns += session.do(command)
            session.end()
            return turns, time.perf_counter() - begin


class Session:
    """A run of pudb in a terminal."""

    def __init__(self, python, folder, env):
        self.terminal = Terminal([python, "-m", "pudb", FAILING], folder, env)
        self.side = self.terminal.rows()[1].index("Variables:")
        self.before = []

    def do(self, command):
        """Carries out a command and returns its turns. There is none if the screen shows the answer already."""
        word, _, rest = command.partition(" ")
        if word in SHOWN or word == "p" and self.shows(rest):
            return []
        if word == "p":
            return [self.evaluate(rest)]
        if word == "b":
            self.set(rest)
        elif word == "again":
            self.press("q", "\r")  # "Restart" of the dialog that follows
            return [self.turn("q", self.text()), *self.do("c")]
        else:
            self.press(word)
        failure = self.text() if self.dialog("Uncaught Exception") else ""
        if failure:
            self.press("\r")
        return [self.turn(command, failure + self.text())]

    def press(self, *keys):
        for key in keys:
            self.terminal.type(key)

    def set(self, place):
        """Sets a breakpoint, FILE:LINE or FILE:LINE, CONDITION."""
        place, _, condition = place.partition(",")
        file, line = place.split(":")
        module = file.removeprefix("src/").removesuffix(".py").replace("/", ".")
        self.press("m", module)
        boxed = [row.partition("│")[2].split() or [""] for row in self.terminal.rows()]
        listed = [words[0] for words in boxed]
        self.press(*[DOWN] * (listed.index(module) - listed.index("Filter:") - 1), "\r")
        self.press("L", line, "\r", "b")
        if condition:
            self.press("B", "e", DOWN, condition.strip(), "\r", "C")

    def shows(self, expression):
        """Reports whether the pane of variables shows the value of each name, not its type."""
        return all(re.search(rf"^{re.escape(name.strip())}: (-?\d+|'[^']*'|True|False|None)$", self.text(), re.M)
                   for name in expression.split(","))

    def evaluate(self, expression):
        """Types an expression into the command line and reads the answer above the next prompt."""
        self.press("!", expression, "\r")
        turn = self.turn(f"p {expression}", self.text())
        self.press(BACK)
        rows = [row[:self.side].rstrip() for row in self.terminal.rows()]
        first = max(k for k, row in enumerate(rows) if row == f">>> {expression}")
        prompt = next(k for k in range(first + 1, len(rows)) if rows[k].startswith(">>>"))
        turn.answer = " ".join(row.strip() for row in rows[first + 1:prompt]).strip()
        return turn

    def turn(self, command, text):
        """Returns a turn. Its printed lines are those that the screen before did not have."""
        lines = text.splitlines()
        printed = "".join(f"{line}\n" for line in lines if line.strip() and line not in self.before)
        self.before = self.text().splitlines()
        return Turn(command, text, printed=printed)

    def dialog(self, title):
        return any(title in row for row in self.terminal.rows())

    def text(self):
        """Returns the text of the screen: the panes on the left, then those on the right. It leaves out the marks
        and the list of breakpoints, which do not show where the program is."""
        rows = self.terminal.rows()
        left = [re.sub(r"^( *)\*", r"\1 ", FRAME.sub("", row[:self.side])).rstrip() for row in rows]
        right = [FRAME.sub("", row[self.side:]).strip() for row in rows]
        return "".join(f"{line}\n" for line in left + right if not HITS.match(line))

    def end(self):
        for _ in range(3):  # the program, the dialog that follows, and a program that the dialog started again
            if self.terminal.process.poll() is None:
                self.press("q")
        self.terminal.close()


class Terminal:
    """A terminal in which a program runs."""

    def __init__(self, command, folder, env):
        import pyte  # only this debugger needs it

        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        env = {**env, "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            command, stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, cwd=folder, env=env,
            start_new_session=True,
        )
        self.wait()

    def type(self, keys):
        slept = self.sleeps()
        os.write(self.ours, keys.encode())
        self.wait(slept)

    def rows(self):
        return [row.rstrip() for row in self.screen.display]

    def wait(self, slept=0):
        """Reads until the program waits for the next key: it has slept more often than before, has written its
        screen, and sleeps in select or poll."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            if self.sleeps() > slept and self.waits() and not self.read() and self.waits():
                return
            self.read()
            if time.monotonic() > deadline:
                self.process.kill()
                raise TimeoutError("pudb does not wait for a key. Its screen:\n" + "\n".join(self.rows()))
        self.read()

    def waits(self):
        """Reports whether the program sleeps in select or poll and has no key to read."""
        (unread,) = struct.unpack("i", fcntl.ioctl(self.theirs, termios.FIONREAD, bytes(4)))
        return not unread and self.about("syscall").split()[0] in WAITING

    def sleeps(self):
        """Returns how often the program has slept. It rises when the program has taken a key and waits again."""
        return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", self.about("status") + NO_SLEEP, re.M)[1])

    def about(self, what):
        """Returns a file of /proc about the program, "-" if the program has ended."""
        try:
            return Path(f"/proc/{self.process.pid}/{what}").read_text() or "-"
        except ProcessLookupError:
            return "-"

    def read(self):
        """Reads what the program has written. Reports whether there was anything."""
        some = False
        while select.select([self.ours], [], [], 0.001)[0]:
            self.stream.feed(os.read(self.ours, 1 << 16))
            some = True
        return some

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            raise TimeoutError("pudb does not end. Its screen:\n" + "\n".join(self.rows()))
        os.close(self.ours)
        os.close(self.theirs)
