"""A program to run and record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A program to record.

    source ends with a newline. entry is an expression such as `f('ab', 3)`, which is evaluated
    after the module has run unrecorded. It is None if the module's own code is recorded. family
    is the name of the generator that wrote the program, or "".
    """

    source: str
    entry: str | None
    family: str
