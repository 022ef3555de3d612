"""The jobs that children do for the worker."""

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
    """Runs the program of a job, and returns the packed recording."""
    program = made(asked) if "seed" in asked else Program(asked["source"], asked.get("entry"), asked.get("family", ""))
    random.seed(0)  # os.fork has seeded it randomly
    return pack(program, perform(program, asked.get("events") or EVENTS, asked.get("edit")))


def made(asked):
    """Generates and returns the program for a seed and a number."""
    from . import programs

    try:
        effects.away = True
        return programs.make(random.Random("%s/%d" % (asked["seed"], asked["number"])), asked["difficulty"])
    except MemoryError:
        raise
    except Exception:  # this happens to one program in a thousand
        raise GiveUp(MAKING) from None
    finally:
        effects.away = False


def harvest(asked, out):
    """Writes the functions of a file that can be run alone, one per line."""
    real_harvest = importlib.import_module("maker.programs.real_harvest")

    def write(record):
        write_all(out, json.dumps(record).encode() + b"\n")

    effects.away = True  # harvesting has its own checks
    real_harvest.work(asked["text"], asked["name"], asked["skip"], write)
    write({"done": True})
