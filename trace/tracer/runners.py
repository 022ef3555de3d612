"""Modules that are run to run something else: of -m pytest the tests are debugged, of
-m calendar the calendar is.

Named are those of the standard library, and of others what runs files or modules in
its own process. timeit is none: what it runs is text on the command line.
"""

import os
import sys

RUNNERS = (
    "IPython", "_pytest", "behave", "bdb", "cProfile", "celery", "coverage", "debugpy", "django", "doctest",
    "flask", "gunicorn", "hypercorn", "kernprof", "line_profiler", "memory_profiler", "mpi4py", "nose", "nose2",
    "pdb", "profile", "profiling", "pyinstrument", "pytest", "robot", "runpy", "scalene", "sphinx", "streamlit",
    "trace", "trial", "twisted", "typer", "unittest", "uvicorn", "viztracer", "xdoctest",
)  # fmt: skip


def runs_others(name):
    """Whether a module is, or is in, one of those that run other people's code."""
    return name.split(".", 1)[0] in RUNNERS


def roots(spec, path):
    """Where the code of a module lives that is debugged itself: the folders of the
    outermost package that it is in, the module's file where it is in none. A package
    without a file of its own is shared by others."""
    parts = spec.parent.split(".") if spec.parent else []
    for n in range(len(parts)):
        package = sys.modules.get(".".join(parts[: n + 1]))
        if getattr(package, "__file__", None) is not None:
            return [os.path.join(os.path.abspath(folder), "") for folder in package.__path__]
    return [path]
