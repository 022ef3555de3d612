"""The time budget for examining very many objects."""

from _npdb import channel, library
from _npdb.entries import touched
from _npdb.render import limits

OBJECTS = 1000  # objects examined between two checks of the time
factor = 2.0  # maximum time for very many objects, as a multiple of all other time; None: no limit
GRACE = 0.5  # seconds that are always allowed
LARGE = 1000  # elements of a large container
PART = 256  # elements recorded of it if there is no time for all
clock = library.take("time").perf_counter
began = clock()
spent = 0.0  # seconds spent on very many objects
since = None  # when the current walk became long
tired = False  # whether npdb was told that not everything is examined

TIRED = (
    "what the program holds is too large to be looked at after every line: values with more than %d objects below"
    " them may be shown in part, or as they were before; --slowdown (limits.slowdown) gives it more time" % OBJECTS
)


def room_for(size):
    """Returns how many elements of an object are recorded."""
    return limits["items"] if size <= LARGE or patient() else min(PART, limits["items"])


def patient():
    """Returns whether there is time to examine more objects."""
    global since, tired
    if factor is None:
        return True
    now = clock()
    if since is None:
        since = now
        touched.append(0)  # so that the end of the walk is detected
    if spent + now - since <= GRACE + factor * (now - began - spent):
        return True
    if not tired:
        tired = True
        channel.send(b"N", TIRED)
    return False


def rest():
    global since, spent
    spent += clock() - since
    since = None
