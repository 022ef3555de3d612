"""A program to run and record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A program to record.

    source ends with a newline. entry is an expression, `f('ab', 3)`, that is
    evaluated after the module ran unrecorded; None where the module's own code is the
    program. family names the generator that made it, "" for none.
    """

    source: str
    entry: str | None
    family: str
