"""Places that a line reaches through code of the program: found again from what that
code has returned to the line, which its activation notes.
"""

from _npdb.callees import code_of
from _npdb.entries import ATOMS
from _npdb.following import Lost, attribute, follower, item, lookup, object_


def returned_to(effect, where, found, outer, me, top):
    """What a place of a line may be that code of the program has returned to it."""
    if not effect.answers:
        raise Lost
    n = [one for _, one, _ in effect.places].index(where)
    values = candidates(*effect.ways[n], found, outer, lambda code: answers(me, code, top))
    return [value for value in values if type(value) not in ATOMS]


def answers(me, code, top):
    """What a code object has returned to the line of an activation. Before the line's
    end that is nothing where it has not yet."""
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
    """What a path may lead to, as a list, where it leads through code of the program:
    answered(code) gives what code has returned; it raises Lost where that is not known."""
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
    """The code of the program that a step of a path runs, which returns what is next."""
    if kind == "returned":
        return code_of(v, name)
    if v is None or issubclass(type(v), type):
        return None
    if kind == "item":
        return code_of(lookup(type(v), "__getitem__"), None)
    found = lookup(type(v), name)
    return code_of(found.fget, None) if type(found) is property else None
