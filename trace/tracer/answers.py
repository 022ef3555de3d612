"""Finds a place of a line that is reached through code of the program, from the values
that this code returned to the line. The activation of the line stores them.
"""

from _npdb.callees import code_of
from _npdb.entries import ATOMS
from _npdb.following import Lost, attribute, follower, item, lookup, object_


def returned_to(effect, where, found, outer, me, top):
    """Returns the possible values of a place of a line that code of the program
    returned."""
    if not effect.answers:
        raise Lost
    n = [one for _, one, _ in effect.places].index(where)
    values = candidates(*effect.ways[n], found, outer, lambda code: answers(me, code, top))
    return [value for value in values if type(value) not in ATOMS]


def answers(me, code, top):
    """Returns the values that a code object returned to the line of an activation.
    While the line runs (not top), no stored value means that the code was not called."""
    found = [(weak, value) for of, weak, value in me.answers if of is code]
    if not found and top:
        raise Lost
    values = []
    for weak, value in found:
        if weak is not None:
            value = weak()
        elif value is None:
            raise Lost
        if value is not None:
            values.append(value)
    return values


def candidates(p, scope, L, G, answered):
    """Returns the possible values at the end of a path that leads through code of the
    program. answered(code) returns the values that code returned; it raises Lost if
    they are unknown."""
    kind = p[0]
    if kind == "object":
        return [object_(v) for v in candidates(p[1], scope, L, G, answered)]
    if kind not in ("attribute", "item", "returned"):
        return [follower(p, scope)(L, G)]
    found = []
    for v in candidates(p[1], scope, L, G, answered):
        code = code_between(v, kind, p[2])
        if code is not None:
            found += answered(code)
        elif kind == "attribute":
            found.append(attribute(v, p[2]))
        elif kind == "item":
            found.append(item(v, follower(p[2], scope)(L, G)))
        else:
            raise Lost
    return found


def code_between(v, kind, name):
    """Returns the code of the program that one step of a path runs, or None."""
    if kind == "returned":
        return code_of(v, name)
    if v is None or issubclass(type(v), type):
        return None
    if kind == "item":
        return code_of(lookup(type(v), "__getitem__"), None)
    found = lookup(type(v), name)
    return code_of(found.fget, None) if type(found) is property else None
