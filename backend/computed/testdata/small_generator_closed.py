from itertools import islice
def numbers():
    n = 0
    while True:
        yield n
        n += 1
it = islice(numbers(), 5)
a = next(it)
b = a
it = None
c = b
