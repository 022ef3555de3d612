"""Tries calls of a function and keeps those that are worth recording.

It runs in a confined process: see real_harvest.
"""

import ast
import signal
import sys

from .mutate_values import vary_call
from .trial import FILE, Bounds, Outcome, Stop, run_bounded

_BOUNDS = Bounds(128, number=10 ** 12, shown=400, digits=9)
_LONGEST = 200
_KEEP = 10


def confine():
    """From now on, refuses access to files, processes, sockets and imports."""
    def hook(event, _):
        if event.startswith(("open", "os.", "socket.", "subprocess.", "shutil.",
                             "ctypes", "pty.", "signal.", "sqlite3", "mmap")):
            raise Stop(event)
    # Modules that the programs use must be imported before. From 3.14 on, ast.unparse() imports the
    # module that implements it at its first call.
    ast.unparse(ast.Pass())
    import bisect, collections, contextlib, copy, dataclasses, enum, functools
    import heapq, itertools, math, operator, re, string, textwrap, types, typing
    import struct, binascii, unicodedata, abc, keyword, warnings
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _alarm)
    sys.addaudithook(hook)


def _alarm(*_):
    raise Stop("time")


def _noisy(value):
    """Returns whether a value contains numbers that nobody computes mentally: long floats, huge
    integers."""
    if isinstance(value, (list, tuple)):
        return any(map(_noisy, value))
    return not _BOUNDS.fit(value)


def _run(code, call):
    """Returns the outcome of a call, or of the module's own code. Its value is the text of the
    value.

    The outcome counts as not ended if it took too long or if its value is not suitable for
    training.
    """
    signal.setitimer(signal.ITIMER_REAL, 0.25)
    try:
        outcome = run_bounded(code, call, _BOUNDS)
        text = repr(outcome.value)
        if _noisy(outcome.value) or " at 0x" in text or len(text) > _LONGEST or text.startswith("<"):
            outcome.ended = False
        outcome.value = text
    except (Stop, Exception):  # the time limit, or an error of a __repr__
        outcome = Outcome(ended=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return outcome


def trial(rng, name, source, hints, seeds, yields):
    """Returns the calls of `name` that work and differ, and the largest number of
    events of one."""
    try:
        code = compile(source, FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None, 0
    raises = any(isinstance(n, ast.Raise) for n in ast.walk(ast.parse(source)))

    def wrap(call):
        return "list(%s)" % call if yields else call

    good, failed, tried = {}, {}, set()

    def attempt(call):
        if call in tried or len(call) > 160:
            return
        tried.add(call)
        run = _run(code, call)
        if not run.ended or run.events < 3:
            return
        if run.error is None:
            good[call] = run
        elif raises and not isinstance(run.error, (
                TypeError, AttributeError, NameError, MemoryError,
                RecursionError)):
            failed[call] = run

    for seed in seeds:
        attempt(wrap(seed))
    for turn in range(60):
        if turn >= 36 and not good:
            break
        if len(good) >= 16:
            break
        attempt(wrap(hints.call(rng, name)))
    if not good:
        return None, 0
    for _ in range(24):
        if len(good) >= 28:
            break
        attempt(vary_call(rng, list(good)[int(rng.random() * len(good))]))
    if not hints.votes and not hints.vararg:
        # Without input, a call is worth recording only if it has many events.
        return ([call for call in good if good[call].events > 6][:1] or None,
                max(run.events for run in good.values()))
    if len({run.value for run in good.values()}) < 2:
        return None, 0
    # First one call for each path through the code, longer paths first.
    chosen, covered = [], set()
    order = sorted(good, key=lambda call: -len(good[call].lines))
    for call in order:
        if not good[call].lines <= covered:
            covered |= good[call].lines
            chosen.append(call)
    results = {good[call].value for call in chosen}
    for call in order:
        if call not in chosen and good[call].value not in results:
            results.add(good[call].value)
            chosen.append(call)
    chosen = chosen[:_KEEP]
    events = max(good[call].events for call in chosen)
    if failed and len(chosen) > 2:
        chosen.append(list(failed)[0])
    return chosen, events


def trial_script(source):
    """Returns the number of events of a module that runs to its end within the bounds,
    or 0."""
    run = _run(source, None)
    return run.events if run.ended and run.error is None else 0
