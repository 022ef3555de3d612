# Decorators: with arguments, stacked, of classes and of methods.
import functools


def twice(f):
    @functools.wraps(f)
    def wrapper(*args):
        f(*args)
        return f(*args)

    return wrapper


def tag(name):
    def deco(obj):
        obj.tag = name
        return obj

    return deco


calls = []


@tag("a")
@twice
def note(x):
    calls.append(x)
    return len(calls)


@tag("b")
class K:
    @staticmethod
    @twice
    def s(x):
        calls.append(-x)

    @classmethod
    def c(cls, x):
        return cls.tag * x


n = note(7)
K.s(1)
t = K.c(2)
