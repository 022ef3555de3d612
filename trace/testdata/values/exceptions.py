# Exceptions that carry what handlers change.
class Problem(Exception):
    def __init__(self, items, **details):
        super().__init__(items)
        self.items = items
        self.details = details


class Quiet(Exception):
    def __str__(self):
        return "quiet %s" % self.args


def fail(items):
    try:
        items.append("try")
        raise Problem(items, n=len(items))
    except Problem as p:
        p.items.append("except")
        p.details["seen"] = True
        p.note = items
        raise
    finally:
        items.append("finally")


def chain(items):
    try:
        fail(items)
    except Problem as p:
        p.args = (1, items)
        raise KeyError(items) from p


a = []
try:
    chain(a)
except KeyError as e:
    kept = e
    cause = e.__cause__
    a.append("handled")
    cause.items.append(cause.details)
kept.args = ()
try:
    raise Quiet(a)
except Quiet as q:
    q.args[0].append("quiet")
    said = str(q)
cause.details["late"] = a
kept.__cause__ = None
kept.extra = cause = None
for i in range(3):
    try:
        if i == 1:
            continue
        a.append(1 // i)
    except ZeroDivisionError as e:
        a.append(e)
    else:
        a.append("else")
print(len(a), said[:5], repr(kept))
