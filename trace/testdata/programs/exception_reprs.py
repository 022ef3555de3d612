# Exceptions with arguments of every kind; one whose own repr fails.
class Odd(Exception):
    def __repr__(self):
        raise RuntimeError("no repr of an exception")


class Fields(Exception):
    def __init__(self, code):
        super().__init__("code", code)
        self.code = code


def trial(make):
    try:
        raise make()
    except Exception as e:
        return type(e).__name__


a = trial(lambda: Fields(3))
b = trial(lambda: OSError(2, "No such file", "name"))
c = trial(lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"))
d = trial(lambda: KeyError("\udc80"))
e = trial(Odd)
f = trial(lambda: StopIteration([1]))
