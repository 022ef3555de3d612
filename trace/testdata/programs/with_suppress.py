# with statements that suppress, as the last statement of a function too.
from contextlib import contextmanager, suppress


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        return kind is KeyError


def last(d):
    with suppress(KeyError):
        return d["k"]


def own(d):
    with Quiet(), Quiet():
        d["k"]
    return "after"


@contextmanager
def tagged(log, name):
    log.append(name)
    try:
        yield name.upper()
    finally:
        log.append("/" + name)


log = []
a = last({})
b = last({"k": 1})
c = own({})
with tagged(log, "x") as t:
    log.append(t)
with suppress(ValueError), tagged(log, "y"):
    raise ValueError
