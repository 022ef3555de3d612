"""The time that looking at very many objects may take."""

from _npdb import channel, library
from _npdb.entries import touched
from _npdb.render import limits

OBJECTS = 1000  # that are looked at, at once, before the time is
factor = 2.0  # how many times as long as all else looking at very many objects may take; None: as long as it takes
GRACE = 0.5  # s of it that are free
LARGE = 1000  # elements
PART = 256  # of them, where there is no time for all
clock = library.take("time").perf_counter
began = clock()
spent = 0.0  # s, on very many objects
since = None  # when this walk came to be long
tired = False  # whether npdb was told that not all is looked at

TIRED = (
    "what the program holds is too large to be looked at after every line: values with more than %d objects below"
    " them may be shown in part, or as they were before; --slowdown (limits.slowdown) gives it more time" % OBJECTS
)


def room_for(size):
    """How many elements of an object are recorded."""
    return limits["items"] if size <= LARGE or patient() else min(PART, limits["items"])


def patient():
    """Whether there is time to look at more objects."""
    global since, tired
    if factor is None:
        return True
    now = clock()
    if since is None:
        since = now
        touched.append(0)  # so that the end of it is noticed
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
