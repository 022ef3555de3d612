"""The names that the doctests of test_pdb use, for programs made of them.

With NPDB_TESTPDB_TYPES set, as a program is run alone, pdb is typed to by what
the doctest says; before each line stands a mark. Else the debugger that runs
the program is typed to.
"""

import _thread
import os
import sys

import test.test_pdb as subject

MARK = "\x1e"


class Typed:
    """Standard input that is what is typed."""

    def __init__(self, lines):
        self.lines = list(lines)

    def readline(self):
        sys.stdout.write(MARK)
        return self.lines.pop(0) + "\n" if self.lines else ""


def PdbTestInput(lines):
    if "NPDB_TESTPDB_TYPES" in os.environ:
        sys.stdin = Typed(lines)
    return _thread.allocate_lock()  # a with statement that runs no Python


globals().update((k, v) for k, v in vars(subject).items() if not k.startswith("_") and k != "PdbTestInput")
