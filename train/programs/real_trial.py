"""Tries calls of a function and keeps those worth recording.

Runs in a confined child of real_harvest.
"""

import ast
import io
import signal
import sys

from .mutate_values import vary_call

_FILE = "<trial>"
_MOST_EVENTS = 128
_LONGEST = 200
_KEEP = 10


class Runaway(BaseException):
    """Too many events, or too long."""


def confine():
    """Refuses files, processes, sockets and imports from now on."""
    def hook(event, _):
        if event.startswith(("open", "os.", "socket.", "subprocess.", "shutil.",
                             "ctypes", "pty.", "signal.", "sqlite3", "mmap")):
            raise Runaway(event)
    # What the programs import must be there before.
    import bisect, collections, contextlib, copy, dataclasses, enum, functools
    import heapq, itertools, math, operator, re, string, textwrap, types, typing
    import struct, binascii, unicodedata, abc, keyword, warnings
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _alarm)
    sys.addaudithook(hook)


def _alarm(*_):
    raise Runaway("time")


def _noisy(value):
    """Numbers nobody works out in the head: long floats, huge integers."""
    if isinstance(value, float):
        return len(repr(value)) > 9
    if isinstance(value, int):
        return abs(value) > 10 ** 12
    return isinstance(value, (list, tuple)) and any(map(_noisy, value))


class Run:
    """One call: its events, its result, and whether it may be kept.

    Without a call the module's own code is what runs.
    """

    def __init__(self, code, call):
        self.events, self.lines, self.bad = 0, set(), False
        self.result = self.error = None
        try:
            entry = compile(call, "<entry>", "eval") if call else code
        except (SyntaxError, ValueError):
            self.bad = True
            return
        space = {"__name__": "prog"}
        keep = sys.stdout
        sys.stdout = io.StringIO()
        signal.setitimer(signal.ITIMER_REAL, 0.25)
        try:
            if call:
                exec(code, space)
            sys.settrace(self._trace)
            try:
                result = eval(entry, space)
            finally:
                sys.settrace(None)
            self.result = repr(result)
            if _noisy(result) or " at 0x" in self.result or len(self.result) > _LONGEST or \
                    self.result.startswith("<"):
                self.bad = True
        except Runaway:
            self.bad = True
        except Exception as error:
            self.error = error
            self.result = repr(error)
        finally:
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.stdout = keep

    def _trace(self, frame, event, arg):
        if frame.f_code.co_filename != _FILE:
            return None
        self.events += 1
        if self.events > _MOST_EVENTS:
            self.bad = True
            raise Runaway("events")
        if event == "line":
            self.lines.add(frame.f_lineno)
        elif event == "return":
            try:
                for name, value in frame.f_locals.items():
                    if name.startswith("__"):
                        continue
                    if isinstance(value, (str, bytes, list, tuple, dict, set)):
                        text = repr(value)
                        if len(text) > 2 * _LONGEST or " at 0x" in text and \
                                "<function" not in text:
                            self.bad = True
                    if _noisy(value):
                        self.bad = True
            except Exception:
                self.bad = True
        return self._trace


def trial(rng, name, source, hints, seeds, yields):
    """Calls of `name` that work and differ, and the most events of one."""
    try:
        code = compile(source, _FILE, "exec", dont_inherit=True)
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
        run = Run(code, call)
        if run.bad or run.events < 3:
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
        # Nothing to depend on: worth a look where much happens.
        return ([call for call in good if good[call].events > 6][:1] or None,
                max(run.events for run in good.values()))
    if len({run.result for run in good.values()}) < 2:
        return None, 0
    # First one call for each way through the code, longer ways first.
    chosen, covered = [], set()
    order = sorted(good, key=lambda call: -len(good[call].lines))
    for call in order:
        if not good[call].lines <= covered:
            covered |= good[call].lines
            chosen.append(call)
    results = {good[call].result for call in chosen}
    for call in order:
        if call not in chosen and good[call].result not in results:
            results.add(good[call].result)
            chosen.append(call)
    chosen = chosen[:_KEEP]
    events = max(good[call].events for call in chosen)
    if failed and len(chosen) > 2:
        chosen.append(list(failed)[0])
    return chosen, events


def trial_script(source):
    """The events of a module that runs to its end within the bounds, or 0."""
    try:
        code = compile(source, _FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return 0
    run = Run(code, None)
    return 0 if run.bad or run.error is not None else run.events
