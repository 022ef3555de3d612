"""Programs to train on. They come from several families; some are mutated, some get other
definitions beside them, and some get a longer layout.

make(rng, difficulty) returns one Program. The same state of rng leads to the same program (with
PYTHONHASHSEED=0). Programs are likely, but not certain, to run and to end in time: the recorder
discards the others.
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
# There are only some thousand pieces of real code, so half of the programs of this
# family are mutations.
MUTATED_REAL = 0.5
# The share of programs that get a longer layout. The generators write tersely, while
# users' programs have docstrings, comments and statements over several lines. The other
# programs stay short and cheap to train on.
DRESSED = 0.55

# The share of programs that get definitions that they do not use, because the functions
# that people debug are in a file with others.
SURROUNDED = 0.4

# The programs may have `1 is 1` or "\\d"; the warnings about them do not matter here.
warnings.filterwarnings("ignore", category=SyntaxWarning)
warnings.filterwarnings("ignore", category=DeprecationWarning)

_families = None


def families():
    """Returns a list of (a family's make, cumulative weight). The family real is only
    included if its file is named."""
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
    """Returns one program of a family that is chosen by weight. With some probability it gets
    further definitions and another layout."""
    family = drawn(rng)
    program = family(rng, difficulty)
    if rng.random() < (MUTATED_REAL if family is real.make else MUTATED):
        program = mutated(rng, program)
    while rng.random() < SURROUNDED:
        program = surrounded(rng, program, drawn(rng)(rng, difficulty))
    return dressed(rng, program) if rng.random() < DRESSED else program


def drawn(rng):
    """Returns the function make of a random family, chosen by weight."""
    at = rng.random()
    for family, upto in families():
        if at < upto:
            break
    return family


def mutated(rng, program):
    """Returns a mutation of the program that ends, or the program itself if no attempt succeeds.
    Most mutations that raise are rejected."""
    for _ in range(4):
        other = mutate(rng, program)
        outcome = run_bounded(other.source, other.entry, idiom.BOUNDS)
        if outcome.ended and outcome.events > 2 and (not outcome.raised or rng.random() < 0.12):
            return other
    return program
