"""Lists the program's threads: their names, and where each one is."""

import os
import sys

from _npdb import channel, library, tracer, usercode

FIELD, RECORD = "\x1f", "\x1e"
MOST = 1000  # maximum threads that are listed
UNNAMED = "a thread without a name"


def tell(frame, text):
    """Returns the number of threads, then for each thread its name, its ident, whether it
    is the recorded one, and path, line and function: of the innermost frame of user code,
    or of the innermost frame if the thread runs none. If another function is innermost,
    its path, line and name follow."""
    names = named()
    at = sys._current_frames()
    idents = sorted(at, key=lambda ident: ident != channel.recorded)
    records = [str(len(idents))]
    for ident in idents[:MOST]:
        innermost = frame if ident == channel.recorded else at[ident]
        shown = of_user(innermost) or innermost
        fields = [names.get(ident, UNNAMED), str(ident), "1" if ident == channel.recorded else ""]
        fields += place(shown)
        fields += place(innermost) if innermost is not shown else ("", "", "")
        records.append(FIELD.join(plain(one) for one in fields))
    return RECORD.join(records), False, False


def named():
    """Returns the names of the threads that the program's threading knows, by ident."""
    threading = sys.modules.get("threading")
    active = getattr(threading, "_active", None)
    if type(active) is not dict:  # no threading, or a module of the program
        return {channel.main: "MainThread"}
    return {ident: str(getattr(thread, "_name", UNNAMED)) for ident, thread in list(active.items())}


def name_of(ident):
    return named().get(ident, UNNAMED)


others = library.take("_thread")._count  # number of threads beside the main one


def beside():
    """Returns whether another thread may run beside this one. others does not count threads
    that a library in C has made."""
    return others() > 0 or len(sys._current_frames()) > 1


def of_user(frame):
    """Returns the innermost frame of user code, from one outwards."""
    while frame is not None:
        if is_users(frame.f_code):
            return frame
        frame = frame.f_back
    return None


def is_users(code):
    """Returns whether code belongs to the user. It classifies nothing, because that writes
    records, and another thread may be writing."""
    found = tracer.infos.get(id(code))
    if found is not None:
        return bool(found)
    name = code.co_filename
    return not name.startswith("<") and usercode.is_users(os.path.abspath(name))


def place(frame):
    if frame is None:
        return "", "", ""
    return frame.f_code.co_filename, str(frame.f_lineno or 0), frame.f_code.co_name


def plain(text):
    return text.replace(FIELD, "?").replace(RECORD, "?")
