"""A process that imports everything once, and forks a child for each program.

It reads jobs from its standard input and answers each on its standard output. Both are
sequences of frames: a length in four bytes, little-endian, then that many bytes. A job is JSON.
An answer is a letter and a text or bytes:

    C  all output of the child
    P  the lines that the child wrote before its time was over
    F  the reason why there is no output
    E  an error of this process

The output of a child is R and a packed recording, or F and a reason. A child that harvests
functions writes JSON lines.

This process never interprets the output of a child, and no child outlives its answer. A program
can at worst falsify its own recording, and no other one if it runs in a sandbox or as another
user. With limits alone it can change this user's files, including the interpreter. Programs
that can have no side effects (sharing.py) first go to one child that records many programs.
"""

import base64
import gc
import importlib
import json
import os
import random
import select
import signal
import sys
import sysconfig
import warnings

from . import containing, effects, giving_up, values
from .children import end, how_it_ended, now
from .frames import EXACT, VERSION
from .giving_up import MEMORY, TIME
from .jobs import harvest, recorded
from .pipes import read_frame, say
from .recording import FILE, Streams, ignore
from .shared import Shared
from .sharing import Surroundings

LIBRARY = sysconfig.get_paths()["stdlib"]
MAKES = EXACT and VERSION >= (3, 12)  # the generators try their programs under sys.monitoring
WARMING = 8  # programs of each family that are generated to warm up
HARVEST_SECONDS = 60  # the time limit for harvesting a file


class Zygote:
    def __init__(self, commands, answers, config):
        self.commands, self.answers = commands, answers
        self.number = os.getpid()
        self.limits = config["limits"]
        self.filter = None
        if config.get("filter"):
            self.filter = containing.Filter(base64.b64decode(config["filter"]["program"]), config["filter"]["pids"])
        self.streams = Streams(0, 1, 2)
        self.warnings = list(warnings.filters)
        self.shared = Shared(self, config["together"])

    def serve(self):
        while self.once():
            pass
        self.shared.end()

    def once(self):
        """Reads one job and answers it. The program runs in a child, so that almost nothing of it
        remains in this process. Returns False if there are no more jobs."""
        text = read_frame(self.commands)
        if text is None:
            return False
        job = json.loads(text)
        said = None if "harvest" in job else self.shared.record(text)
        if said is not None:
            self.answer(b"C", said)
            return True
        read, write = os.pipe()
        try:
            pid = os.fork()
        except OSError as e:
            os.close(read)
            os.close(write)
            self.answer(b"E", ("no process for a program: %s" % e.strerror).encode())
            return True
        if pid == 0:
            try:
                os.close(read)
                self.part()
                self.child(job, write)
            finally:
                os._exit(1)
        os.close(write)
        try:
            kind, said = self.overhear(read) if "harvest" in job else self.listen(read, pid)
        finally:
            os.close(read)
        end(pid)  # before the answer is sent, so that nobody finds the child still running
        self.answer(kind, said)
        return True

    def part(self):
        """Closes the files that belong to the parent process. Each new child calls this."""
        os.close(self.commands.fileno())
        os.close(self.answers)
        self.shared.part()
        os.dup2(1, 2)

    def answer(self, kind, said):
        say(self.answers, kind + said)

    def listen(self, fd, pid):
        """Returns the output of a child, or the reason why there is no complete
        output."""
        deadline = now() + self.limits["seconds"]
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        said, wanted = bytearray(), None
        while True:
            left = deadline - now()
            if left <= 0 or not poll.poll(left * 1000):
                return b"F", TIME.encode()
            piece = os.read(fd, 1 << 18)
            if not piece:
                return b"F", how_it_ended(pid, deadline).encode()
            said += piece
            if wanted is None and len(said) >= 4:
                wanted = int.from_bytes(said[:4], "little")
                if wanted > self.limits["bytes"]:
                    return b"F", giving_up.LARGE.encode()
            if wanted is not None and len(said) >= 4 + wanted:
                return b"C", bytes(said[4 : 4 + wanted])

    def overhear(self, fd):
        """Returns the lines that a child writes until it ends or has been silent for too long."""
        deadline = now() + HARVEST_SECONDS
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        said = bytearray()
        while len(said) < self.limits["bytes"] and now() < deadline and poll.poll(self.limits["seconds"] * 1000):
            piece = os.read(fd, 1 << 18)
            if not piece:
                break
            said += piece
        return b"P", bytes(said[: self.limits["bytes"]])

    def child(self, job, out):
        if "harvest" in job:
            containing.confine({**self.limits, "cpu": HARVEST_SECONDS}, self.filter, self.number)
            harvest(job["harvest"], out)
            os._exit(0)
        containing.confine(self.limits, self.filter, self.number)
        exit = os._exit

        def leave(reason):
            say(out, b"F" + reason.encode())
            exit(0)

        giving_up.leave = leave
        try:
            say(out, b"R" + recorded(job))
        except MemoryError:
            leave(MEMORY)
        exit(0)

    def settle(self):
        """Prepares this process for all children, so that no child has to do that itself."""
        values.LONGEST = self.limits["text"]
        warnings.filters[:] = self.warnings
        warnings._filters_mutated()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.streams.place()
        sys.unraisablehook = ignore
        sys.argv = [FILE]
        effects.watch()
        containing.guard()
        gc.disable()  # otherwise earlier programs would determine when an object is finalised
        gc.collect()
        self.shared.surroundings = Surroundings()
        gc.freeze()


# The modules that programs import most often. They are imported in advance.
COMMON = (
    "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "json", "math", "operator", "re", "statistics", "string", "textwrap", "typing",
)


def imports():
    """Imports all modules that children need. Returns the package of the generators, or
    None if this Python cannot run it."""
    for name in COMMON:
        importlib.import_module(name)
    return importlib.import_module("maker.programs") if MAKES else None


def warm(real):
    """Imports what is needed, and makes the generators build their tables. real holds the lines of
    the file of real functions."""
    programs = imports()
    if programs:
        if real:
            programs.real.load(real.splitlines())
        programs.families()
        for number in range(WARMING):
            for family in (programs.synth, programs.idiom, programs.module):
                family.make(random.Random("warm/%d" % number), number / WARMING)


def main(commands):
    """Runs the worker. commands is the standard input, from which the package has already been
    read."""
    null = os.open(os.devnull, os.O_RDWR)
    answers = os.dup(1)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.dont_write_bytecode = True
    config = json.loads(read_frame(commands))
    zygote = Zygote(commands, answers, config)
    if EXACT:
        warm(config.get("real"))
        zygote.settle()
    zygote.answer(b"H", json.dumps({"version": sys.version, "exact": EXACT, "makes": MAKES, "library": LIBRARY}).encode())
    if EXACT:
        zygote.serve()
