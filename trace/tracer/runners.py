"""Modules that run other code: with -m pytest the tests are debugged, with -m calendar
the calendar module.

The list names modules of the standard library, and other modules that run files or
modules in their own process. timeit is not listed: it runs a text from the command
line.
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
    """Returns whether a module is one that runs other code, or belongs to one."""
    return name.split(".", 1)[0] in RUNNERS


def roots(spec, path):
    """Returns the folders of the code of a module that is debugged itself: those of its
    outermost package, or the module's file if it has no package. Other distributions
    share a package without a file of its own."""
    parts = spec.parent.split(".") if spec.parent else []
    for n in range(len(parts)):
        package = sys.modules.get(".".join(parts[: n + 1]))
        if getattr(package, "__file__", None) is not None:
            return [os.path.join(os.path.abspath(folder), "") for folder in package.__path__]
    return [path]
