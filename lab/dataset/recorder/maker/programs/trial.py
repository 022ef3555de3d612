"""Runs a program that is being generated, within bounds: whether it ends, how, and with which
values."""

import builtins
import sys
import warnings
from dataclasses import dataclass, field
from inspect import CO_OPTIMIZED
from types import CodeType

from .. import sharing

FILE = "<program>"
# The largest number of events of a module's own code, if an entry is called after it.
DEFINING = 600
_COLLECTIONS = (list, dict, tuple, set, frozenset)

# Reading the locals of a frame may cause this warning.
warnings.filterwarnings("ignore", message="assigning None to unbound local")


class Stop(BaseException):
    """Raised to end a run that exceeds its bounds."""


@dataclass(frozen=True)
class Bounds:
    """The bounds of a run; None means no bound.

    Numbers, strings and lengths are checked at every event, the texts of values when a frame
    returns.
    """

    events: int
    number: int | None = None   # the absolute value of an integer
    passing: int | None = None  # the same in a frame that has not returned
    string: int | None = None   # the length of a string
    items: int | None = None    # the length of a collection
    shown: int | None = None    # the length of a collection's text
    digits: int | None = None   # the length of a float's text
    orderly: bool = False       # no sets of strings, whose order depends on the hash seed

    def small(self, value, number):
        """Returns whether the value itself is small, without looking at its elements."""
        kind = type(value)
        if kind is int:
            return number is None or -number < value < number
        if kind is str:
            return self.string is None or len(value) <= self.string
        if kind in _COLLECTIONS:
            if self.items is not None and len(value) > self.items:
                return False
            return not (self.orderly and kind in (set, frozenset) and len(value) > 1 and any(type(one) is str for one in value))
        return True

    def fit(self, value):
        """Returns whether the value can be shown in a state: it is within the bounds, and the same
        in every run."""
        kind = type(value)
        if not self.small(value, self.number):
            return False
        if kind is float:
            return self.digits is None or len(repr(value)) <= self.digits
        if kind is str:
            return " at 0x" not in value  # an address differs from run to run
        if kind not in _COLLECTIONS:
            return True
        return self.shown is None or len(repr(value)) <= self.shown

    def hold(self, frame, event, value):
        """Returns whether the values of the frame are within the bounds."""
        # Reading f_locals of a module's frame breaks a comprehension in it (CPython
        # 3.12.1).
        names = frame.f_locals if frame.f_code.co_flags & CO_OPTIMIZED else frame.f_globals
        if event != "return":
            number = self.number if self.passing is None else self.passing
            return all(self.small(one, number) for name, one in names.items() if name[:2] != "__")
        try:
            return self.fit(value) and all(self.fit(one) for name, one in names.items() if name[:2] != "__")
        except Exception:  # an error of a __repr__ in the program
            return False


@dataclass
class Outcome:
    """The result of a run: of the call if there is one, else of the module."""

    ended: bool = True  # it ended within the bounds
    events: int = 0
    lines: set = field(default_factory=set)
    value: object = None  # the value of the call
    error: BaseException | None = None  # the exception that ended the program

    @property
    def raised(self):
        """Returns the name of the exception that ended the program, or ""."""
        return type(self.error).__name__ if self.error is not None else ""


def run_bounded(source, entry, bounds, space=None):
    """Runs a module (its source, or code with the file name FILE), then the entry.

    The namespace is new unless space is given. It returns an Outcome for every program, also
    for one that does not compile or that catches Stop.
    """
    outcome = Outcome()
    if space is None:
        space = {"__name__": "program" if entry else "__main__", "__builtins__": builtins, "print": quiet}
    try:
        code = source if isinstance(source, CodeType) else compile(source, FILE, "exec", dont_inherit=True)
        steps = [(code, bounds)]
        if entry:
            steps = [(code, Bounds(DEFINING)), (compile(entry, "<entry>", "eval", dont_inherit=True), bounds)]
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        outcome.ended = False
        return outcome
    sharing.admit(code, entry, space)
    before, hook = sys.gettrace(), sys.unraisablehook
    sys.unraisablehook = _ignore  # else a generator that is stopped while it is closed prints an error
    try:
        for step, limits in steps:
            outcome.events = 0
            outcome.lines.clear()
            sys.settrace(_tracer(outcome, limits, code))
            try:
                outcome.value = eval(step, space)
            finally:
                sys.settrace(before)
        if entry and not bounds.fit(outcome.value):
            outcome.ended = False
    except Stop:
        outcome.ended = False
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        error.__traceback__ = None
        if isinstance(error, (MemoryError, RecursionError)):  # other programs in this process may have caused it
            sharing.doubt()
        outcome.error = error
        if step is not steps[-1][0]:
            outcome.events = 0
    finally:
        if not outcome.ended:
            _desist()
        sys.unraisablehook = hook
    return outcome


def _tracer(outcome, bounds, code):
    """Counts events. From the first event out of bounds on, each event raises Stop."""
    most = bounds.events
    looks = bounds != Bounds(most)

    def trace(frame, event, value):
        if frame.f_code.co_filename != FILE:
            return None
        outcome.events += 1
        if event == "line":
            outcome.lines.add(frame.f_lineno)
        if outcome.events > most or looks and not bounds.hold(frame, event, value):
            outcome.ended = False
            _insist(code)
            raise Stop
        return trace

    return trace


# A trace function that raised is not called again, so a program that catches the exception would
# run forever. The callback of a monitor is called again: it raises at every line.
_TOOL = 4


def _insist(code):
    monitoring = sys.monitoring
    if monitoring.get_tool(_TOOL) is None:
        monitoring.use_tool_id(_TOOL, "npdb trial")
    events = monitoring.events
    for event in (events.LINE, events.JUMP):
        monitoring.register_callback(_TOOL, event, _stop)
    codes = [code]
    while codes:
        code = codes.pop()
        monitoring.set_local_events(_TOOL, code, events.LINE | events.JUMP)
        codes += [one for one in code.co_consts if isinstance(one, CodeType)]


def _stop(*_):
    raise Stop


def _desist():
    monitoring = sys.monitoring
    if monitoring.get_tool(_TOOL) is not None:
        for event in (monitoring.events.LINE, monitoring.events.JUMP):
            monitoring.register_callback(_TOOL, event, None)
        monitoring.free_tool_id(_TOOL)


def _ignore(unraisable):
    pass


def quiet(*values, sep=" ", end="\n", file=None, flush=False):
    """Replaces print in a bounded run. It discards the output, but still computes the texts of the
    values."""
    (" " if sep is None else sep).join(map(str, values)) + ("\n" if end is None else end)
