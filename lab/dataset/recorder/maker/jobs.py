"""What children are asked for."""

import importlib
import json
import random

from . import effects
from .giving_up import MAKING, GiveUp
from .packing import pack
from .pipes import write_all
from .program import Program
from .recording import EVENTS, perform


def recorded(asked):
    """The packed recording of what a job asks for."""
    program = made(asked) if "seed" in asked else Program(asked["source"], asked.get("entry"), asked.get("family", ""))
    random.seed(0)  # as os.fork gives it anew by chance
    return pack(program, perform(program, asked.get("events") or EVENTS, asked.get("edit")))


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


def harvest(asked, out):
    """Says the functions of a file, as lines."""
    real_harvest = importlib.import_module("maker.programs.real_harvest")

    def write(record):
        write_all(out, json.dumps(record).encode() + b"\n")

    effects.away = True  # it has a watch of its own
    real_harvest.work(asked["text"], asked["name"], asked["skip"], write)
    write({"done": True})
