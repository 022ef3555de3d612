"""The reasons why a program has no recording."""

# The reasons, each once. recorder/failure.go contains the same list.
SYNTAX = "syntax error"
NO_CALL = "the entry is no call that can be made"
NO_STATE = "no state"
EVENTS = "too many events"
LONG = "long value"
ADDRESS = "address in a value"
REPR = "__repr__ with effects"
DEEP = "value that cannot be shown"
LOCALS = "reads its locals"
CRASH = "names that this Python cannot read"
DELEGATION = "throws into a delegating generator"
CALLER = "a caller without a state"
TRACING = "changes tracing"
MEMORY = "memory limit"
TIME = "time limit"
RECURSION = "recursion limit"
INTERRUPT = "raises KeyboardInterrupt"
INPUT = "reads input"
FILES = "opens files"
NETWORK = "uses the network"
THREADS = "starts threads"
PROCESSES = "starts processes"
NATIVE = "calls native code"
CLOCK = "reads the clock"
CHANCE = "asks for chance"
EDIT = "edit that cannot be made"
MAKING = "the generator failed"
ENDED = "ends its process"
KILLED = "killed"
LARGE = "too large a recording"

# In a child that records programs: a function that reports the failure and ends the process. GiveUp
# calls it with the reason.
leave = None


class GiveUp(BaseException):
    """Raised if a program cannot be recorded. It is not an Exception, so that `except Exception`
    in the program does not catch it."""

    def __init__(self, reason):
        super().__init__(reason)
        if leave is not None:
            leave(reason)
