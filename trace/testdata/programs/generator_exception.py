# An exception out of a generator, StopIteration turned into RuntimeError, a raise at the consumer.
def explode(n):
    yield n
    raise KeyError(n)


def stops():
    yield 1
    raise StopIteration("inside")


got = []
try:
    for v in explode(1):
        got.append(v)
except KeyError:
    got.append("key")
try:
    for v in stops():
        got.append(v)
except RuntimeError as e:
    got.append(type(e.__cause__).__name__)
try:
    for v in explode(2):
        raise ValueError(v)
except ValueError:
    got.append("value")
