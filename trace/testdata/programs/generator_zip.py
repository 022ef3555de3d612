# zip of two generators: the shorter one ends it, the longer one keeps a value it gave.
def letters():
    for c in "abc":
        yield c


def numbers():
    n = 10
    while n < 12:
        yield n
        n += 1


pairs = list(zip(letters(), numbers()))
both = dict(zip(numbers(), letters()))
flat = [x for p in pairs for x in p]
