"""Programs to train on: several families, mixed, some of them mutated, some beside others, some
set down at length.

make(rng, difficulty) gives one Program; the same state of rng gives the same
program (with PYTHONHASHSEED=0). Programs are likely, not certain, to run and
to end in time: the recorder discards the others.
"""

import warnings

from . import idiom, module, real, synth
from .layout import dressed
from .mutate import mutate
from .neighbours import surrounded
from ..program import Program
from .trial import run_bounded

WEIGHTS = {"synth": 0.38, "idiom": 0.32, "module": 0.2, "real": 0.1}
MUTATED = 0.25
# There are some thousand pieces of real code only: each is seen in many forms.
MUTATED_REAL = 0.5
# The generators write tersely; what users bring has docstrings, remarks and statements over
# several lines. The rest stays short and cheap to learn.
DRESSED = 0.55

# What people debug stands in a file with other definitions.
SURROUNDED = 0.4

# `1 is 1` and "\\d" in what is made: the programs' matter, not ours.
warnings.filterwarnings("ignore", category=SyntaxWarning)
warnings.filterwarnings("ignore", category=DeprecationWarning)

_families = None


def families():
    """(family's make, cumulative weight); real only where its file is named."""
    global _families
    if _families is None:
        makes = {"synth": synth.make, "idiom": idiom.make,
                 "module": module.make, "real": real.make}
        try:
            real.load()
        except LookupError:
            del makes["real"]
        total = sum(WEIGHTS[name] for name in makes)
        upto, found = 0.0, []
        for name, family in makes.items():
            upto += WEIGHTS[name] / total
            found.append((family, upto))
        _families = found
    return _families


def make(rng, difficulty):
    """One program of a family drawn by weight, with what surrounds it."""
    family = drawn(rng)
    program = family(rng, difficulty)
    if rng.random() < (MUTATED_REAL if family is real.make else MUTATED):
        program = mutated(rng, program)
    while rng.random() < SURROUNDED:
        program = surrounded(rng, program, drawn(rng)(rng, difficulty))
    return dressed(rng, program) if rng.random() < DRESSED else program


def drawn(rng):
    """A family's make, drawn by weight."""
    at = rng.random()
    for family, upto in families():
        if at < upto:
            break
    return family


def mutated(rng, program):
    """A mutation of the program that ends; most that raise are drawn again."""
    for _ in range(4):
        other = mutate(rng, program)
        outcome = run_bounded(other.source, other.entry, idiom.BOUNDS)
        if outcome.ended and outcome.events > 2 and (not outcome.raised or rng.random() < 0.12):
            return other
    return program
