"""A process that has everything imported, and forks a child for each program.

It reads jobs from its standard input and answers each on its standard output: a frame is
its length in four bytes, little-endian, and so much. A job is JSON. An answer is a letter
and a text or bytes: C what the child said, P the lines it said until its time was over, F a
reason why it said nothing, E what went wrong here. What a child says is R and a packed
recording, or F and a reason; or, of functions that it harvests, JSON lines.

Nothing that a child says is looked at here, and no child outlives its answer: a program
can at worst spoil its own recording, and no other in a sandbox or as a user of its own. With
limits alone it changes the files of this user's, the interpreter's among them.
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
import time
import warnings

from . import containing, effects, giving_up, values
from .frames import EXACT, VERSION
from .giving_up import ENDED, MAKING, MEMORY, TIME, GiveUp
from .packing import pack
from .program import Program
from .recording import EVENTS, FILE, Streams, ignore, perform

LIBRARY = sysconfig.get_paths()["stdlib"]
MAKES = EXACT and VERSION >= (3, 12)  # what the generators try runs under sys.monitoring
WARMING = 8  # programs of each family
HARVEST_SECONDS = 60  # for a file
now = time.monotonic  # programs get another one
MOST_OF_JOB = 1 << 28  # bytes


class Job:
    """What a child is to do, and what it says it on."""

    def __init__(self, asked, out):
        self.asked = asked
        self.out = out

    def say(self, data, write=os.write):
        view = memoryview(len(data).to_bytes(4, "little") + data)
        while view:
            view = view[write(self.out, view) :]


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

    def serve(self):
        while self.once():
            pass

    def once(self):
        """A job, of which next to nothing is left in this process."""
        job = read_frame(self.commands)
        if job is None:
            return False
        job = json.loads(job)
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
                os.close(self.commands.fileno())
                os.close(self.answers)
                self.child(Job(job, write))
            finally:
                os._exit(1)
        os.close(write)
        try:
            kind, said = self.overhear(read) if "harvest" in job else self.listen(read, pid)
        finally:
            os.close(read)
        end(pid)  # before it is answered for: nobody may find it still there
        self.answer(kind, said)
        return True

    def answer(self, kind, said):
        write_all(self.answers, (len(said) + 1).to_bytes(4, "little") + kind + said)

    def listen(self, fd, pid):
        """What a child says until it has said all, or is over."""
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
        """The lines that a child says until it is over, or silent for too long."""
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

    def child(self, job):
        os.dup2(1, 2)
        if "harvest" in job.asked:
            containing.confine({**self.limits, "cpu": HARVEST_SECONDS}, self.filter, self.number)
            harvest(job)
            os._exit(0)
        containing.confine(self.limits, self.filter, self.number)
        exit = os._exit

        def leave(reason):
            job.say(b"F" + reason.encode())
            exit(0)

        giving_up.leave = leave
        try:
            self.record(job)
        except MemoryError:
            leave(MEMORY)
        exit(0)

    def record(self, job):
        asked = job.asked
        program = made(asked) if "seed" in asked else Program(asked["source"], asked.get("entry"), asked.get("family", ""))
        random.seed(0)  # as os.fork gives it anew by chance
        found = perform(program, asked.get("events") or EVENTS, asked.get("edit"))
        job.say(b"R" + pack(program, found))

    def settle(self):
        """Does all that programs need and that need not be done for each."""
        values.LONGEST = self.limits["text"]
        warnings.filters[:] = self.warnings
        warnings._filters_mutated()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.streams.place()
        sys.unraisablehook = ignore
        sys.argv = [FILE]
        effects.watch()
        containing.guard()
        gc.disable()  # what it finalises, and when, would depend on the programs before
        gc.collect()
        gc.freeze()


def harvest(job):
    """Says the functions of a file, as lines."""
    real_harvest = importlib.import_module("maker.programs.real_harvest")

    def write(record):
        data = memoryview(json.dumps(record).encode() + b"\n")
        while data:
            data = data[os.write(job.out, data) :]

    asked = job.asked["harvest"]
    effects.away = True  # it has a watch of its own
    real_harvest.work(asked["text"], asked["name"], asked["skip"], write)
    write({"done": True})


def made(asked):
    """The program of a seed and a number."""
    from . import programs

    try:
        effects.away = True
        return programs.make(random.Random("%s/%d" % (asked["seed"], asked["number"])), asked["difficulty"])
    except MemoryError:
        raise
    except Exception:  # a program in a thousand
        raise GiveUp(MAKING) from None
    finally:
        effects.away = False


def how_it_ended(pid, deadline):
    """Why a child said nothing more."""
    while now() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            gone.add(pid)
            if os.WIFSIGNALED(status):
                return TIME if os.WTERMSIG(status) == signal.SIGXCPU else giving_up.KILLED
            return ENDED
        time.sleep(0.002)
    return TIME


gone = set()  # children that were waited for


def end(pid):
    if pid in gone:
        gone.remove(pid)
        return
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def read_frame(commands):
    """The next frame, None at the end."""
    head = commands.read(4)
    size = int.from_bytes(head, "little")
    if len(head) < 4 or size > MOST_OF_JOB:
        return None
    data = commands.read(size)
    return data if len(data) == size else None


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


# What programs import most: it is there already.
COMMON = (
    "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "json", "math", "operator", "re", "statistics", "string", "textwrap", "typing",
)


def warm(real):
    """Imports what is needed, and has the generators make what they keep. real: the lines of
    the file of real functions."""
    for name in COMMON:
        importlib.import_module(name)
    if MAKES:
        programs = importlib.import_module("maker.programs")
        if real:
            programs.real.load(real.splitlines())
        programs.families()
        for number in range(WARMING):
            for family in (programs.synth, programs.idiom, programs.module):
                family.make(random.Random("warm/%d" % number), number / WARMING)


def main(commands):
    """commands: the standard input, of which the package has been read."""
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
