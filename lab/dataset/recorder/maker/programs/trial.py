"""A bounded run of a program in the making: does it end, how, with what values."""

import builtins
import sys
import warnings
from dataclasses import dataclass, field
from inspect import CO_OPTIMIZED
from types import CodeType

from .. import sharing

FILE = "<program>"
# Events that a module may take before a call in it is counted.
DEFINING = 600
_COLLECTIONS = (list, dict, tuple, set, frozenset)

# A look at the locals of a frame may draw this one.
warnings.filterwarnings("ignore", message="assigning None to unbound local")


class Stop(BaseException):
    """Ends a run that is out of bounds."""


@dataclass(frozen=True)
class Bounds:
    """What a run may take; None where there is no bound.

    Numbers, strings and lengths count at every event, the texts of values
    where a frame returns.
    """

    events: int
    number: int | None = None   # the absolute value of an integer
    passing: int | None = None  # the same within a frame that goes on
    string: int | None = None   # the length of a string
    items: int | None = None    # the length of a collection
    shown: int | None = None    # the length of a collection's text
    digits: int | None = None   # the length of a float's text
    orderly: bool = False       # no sets of strings: their order is nobody's

    def small(self, value, number):
        """Whether a look at the value alone finds nothing large."""
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
        """Whether the value is one to be shown."""
        kind = type(value)
        if not self.small(value, self.number):
            return False
        if kind is float:
            return self.digits is None or len(repr(value)) <= self.digits
        if kind is str:
            return " at 0x" not in value  # differs from run to run
        if kind not in _COLLECTIONS:
            return True
        return self.shown is None or len(repr(value)) <= self.shown

    def hold(self, frame, event, value):
        """Whether the frame keeps to the bounds on values."""
        # To ask a module's frame for f_locals breaks a comprehension it is in (CPython 3.12.1).
        names = frame.f_locals if frame.f_code.co_flags & CO_OPTIMIZED else frame.f_globals
        if event != "return":
            number = self.number if self.passing is None else self.passing
            return all(self.small(one, number) for name, one in names.items() if name[:2] != "__")
        try:
            return self.fit(value) and all(self.fit(one) for name, one in names.items() if name[:2] != "__")
        except Exception:  # of a __repr__ in the program
            return False


@dataclass
class Outcome:
    """How a run went. What counts is the call where there is one, else the module."""

    ended: bool = True  # within the bounds
    events: int = 0
    lines: set = field(default_factory=set)
    value: object = None  # of the call
    error: BaseException | None = None  # that left the program

    @property
    def raised(self):
        """The name of the exception that left the program, or ""."""
        return type(self.error).__name__ if self.error is not None else ""


def run_bounded(source, entry, bounds, space=None):
    """Runs a module (its source, or code with the file name FILE), then the entry.

    The names are new ones unless a space is given. An Outcome comes of every
    program, also of one that does not compile or that catches what stops it.
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
    sys.unraisablehook = _ignore  # a generator that is stopped while it is closed complains
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
        if isinstance(error, (MemoryError, RecursionError)):  # of which others may have taken a part
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
    """Counts events; one that is out of bounds, and each one after it, raises Stop."""
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


# A trace function that raised is not called again, so that a program which catches what
# it raised would go on for ever. A monitor's callback is: it raises at every line.
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
    """print without output; the texts are made all the same."""
    (" " if sep is None else sep).join(map(str, values)) + ("\n" if end is None else end)
