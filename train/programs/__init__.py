"""Programs to train on: several families, mixed, some of them mutated.

make(rng, difficulty) gives one Program; the same state of rng gives the same
program (with PYTHONHASHSEED=0). Programs are likely, not certain, to run and
to end in time: the recorder discards the others.
"""

import warnings

from . import idiom, module, real, synth
from .idiom_check import outcome
from .mutate import mutate
from .program import Program

WEIGHTS = {"synth": 0.38, "idiom": 0.32, "module": 0.2, "real": 0.1}
MUTATED = 0.25
# There are some thousand pieces of real code only: each is seen in many forms.
MUTATED_REAL = 0.5

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
    """One program of a family drawn by weight."""
    at = rng.random()
    for family, upto in families():
        if at < upto:
            break
    program = family(rng, difficulty)
    if rng.random() < (MUTATED_REAL if family is real.make else MUTATED):
        return mutated(rng, program)
    return program


def mutated(rng, program):
    """A mutation of the program that ends; most that raise are drawn again."""
    if "except:" in program.source or "BaseException" in program.source:
        # It could catch what ends a trial that runs away.
        return program
    for _ in range(4):
        other = mutate(rng, program)
        try:
            result = outcome(other.source, other.entry)
        except (SystemExit, GeneratorExit, RecursionError):
            continue
        if result and result[0] > 2 and (not result[1] or rng.random() < 0.12):
            return other
    return program
