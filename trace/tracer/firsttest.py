"""Begins recording with -m pytest and -m unittest at the first line of the first test.
Imports, collection and fixtures run unrecorded before that.

Each runner calls tests from one function. The first user code that is entered after
that function is the test.
"""

import os

from _npdb import moves, unrecorded

DOORS = frozenset((
    ("unittest", "case.py", "_callTestMethod"), ("unittest", "async_case.py", "_callTestMethod"),
    ("_pytest", "python.py", "pytest_pyfunc_call"), ("_pytest", "doctest.py", "runtest"),
))  # fmt: skip

opened = False  # a runner has reached its first test


def stop_there():
    """Makes the program stop where the first test begins."""
    unrecorded.on_entry = entered


def entered(code, info):
    """Checks a code object that is entered in the main thread."""
    global opened
    if opened:
        if info:
            unrecorded.on_entry = None
            line = code.co_firstlineno if code.co_name == "<module>" else moves.load("named").body_line(code)
            info.stops.setdefault(line, []).append(moves.Stop(0, code.co_name, "", 0))
    elif not info and is_door(code):
        opened = True
        unrecorded.watcher.forget()


def is_door(code):
    folder, name = os.path.split(code.co_filename)
    return (os.path.basename(folder), name, code.co_name) in DOORS
