# What a handler does goes on after a state that was not computed.
import random


def returns(text):
    try:
        return int(text)
    except ValueError as e:
        seed = random.Random(1).randrange(2)
        return -1
    return -2


def breaks():
    for i in range(3):
        try:
            [][i]
        except IndexError as e:
            seed = random.Random(2).randrange(2)
            break
    return i


def raises(first):
    try:
        {}[first]
    except KeyError as e:
        seed = random.Random(3).randrange(2)
        kept = 1
    return kept


def again(inner):
    try:
        inner()
    except ValueError:
        seed = random.Random(4).randrange(2)
        raise


def plain():
    raise ValueError("plain")


print(returns("x"), breaks(), raises("k"))
try:
    1 // 0
except ZeroDivisionError:
    try:
        again(plain)
    except ValueError as e:
        text = str(e)
try: p, q = (v for v in range(3))
except ValueError: p = 1
try: p = [__import__("json").loads(v) for v in ("1", "x")]
except ValueError: p = 2
try:
    if __import__("json").loads("x"): p = 3
except ValueError:
    p = 4
try:
    for v in (1, 2): p = __import__("json").loads("x" * v)
except ValueError: p = 5
try:
    while p: p = __import__("json").loads("x")
except ValueError: p = 6
try: int(5, "a")
except TypeError: p = 7
