"""Records one heappush or heappop on a list. Only elements on one path between the root
and a leaf have changed then (heapq.py, _heapqmodule.c).
"""

from _npdb.codes import ITEM, SPLICE, varint
from _npdb.contents import keep
from _npdb.entries import atomic, field_of, out, touched
from _npdb.render import limits
from _npdb.store import walk

MOST = 200  # maximum number of elements to follow, because equal elements hide the path


def pushed(value, e):
    """Records the effect of heappush. Returns False if something else happened."""
    size = len(value)
    if size != e.size + 1 or e.size != len(e.shadow) or size > limits["items"]:
        return False
    way = []
    at = size - 1
    while at:
        at = (at - 1) >> 1
        way.append(at)
    shadow, plain = e.shadow, e.plain
    x = value[-1]
    if plain and not all([atomic(one, type(one)) for one in [x] + [value[at] for at in way]]):
        return False
    held = () if plain else {shadow[at] for at in way}
    todo = []
    out.append(SPLICE + e.field[1:] + varint(e.size) + b"\0\1" + field_of(x, todo))
    shadow.append(None)
    remember(e, size - 1, x)
    for at in way:
        put(value, e, at, todo)
    for one in todo:
        if id(one) not in held:
            walk(one, False)
    e.size = size
    touched.append(id(value))
    return True


def popped(value, e):
    """Records the effect of heappop, like pushed. All elements that moved were already
    in the list."""
    size = len(value)
    shadow, plain = e.shadow, e.plain
    if size != e.size - 1 or e.size != len(shadow):
        return False
    way = []
    todo = [0] if size else []
    for at in todo:  # todo grows during the loop
        if len(todo) > MOST:
            return False
        now = value[at] if plain else id(value[at])
        if now is not shadow[at] if plain else now != shadow[at]:
            way.append(at)
        for child in range(2 * at + 1, min(2 * at + 3, size)):
            if shadow[child] is now if plain else shadow[child] == now:
                todo.append(child)  # it moved up
    out.append(SPLICE + e.field[1:] + varint(size) + b"\1\0")
    del shadow[-1]
    for at in way:
        put(value, e, at, [])
    e.size = size
    touched.append(id(value))
    return True


def put(value, e, at, todo):
    """Records the element at an index if it has changed."""
    x = value[at]
    if x is e.shadow[at] if e.plain else id(x) == e.shadow[at]:
        return
    out.append(ITEM + e.field[1:] + varint(at) + field_of(x, todo))
    remember(e, at, x)


def remember(e, at, x):
    """Stores an element in the shadow in the same way as the others."""
    e.shadow[at] = x if e.plain else id(x)
    if not e.plain and atomic(x, type(x)):
        keep(e, x)
