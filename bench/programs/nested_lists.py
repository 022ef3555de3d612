"""Lists within lists, 500 deep."""


def nest(depth):
    inner = []
    for n in range(depth):
        inner = [n, inner]  # hot: inner is None
    return inner


def flat(nested):
    found = []
    while nested:
        found.append(nested[0])
        nested = nested[1]
    return found


deep = nest(500)
for _ in range(3):
    numbers = flat(deep)
print("checksum", hash(repr((sum(numbers),))) % 10**6)
