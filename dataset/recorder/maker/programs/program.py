"""What a generator of programs gives."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A program to record.

    source ends with a newline. entry is an expression, `f('ab', 3)`, that is
    evaluated after the module ran unrecorded; None where the module's own code is the
    program. family names the generator that made it.
    """

    source: str
    entry: str | None
    family: str
