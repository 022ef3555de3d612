# Loops that a session may begin inside: how far each has come follows from its item, or does not.


def ranges(n, step):
    total = 0
    for i in range(n):
        total += i
        for j in range(10, 0, step):
            total += j
    for i in range(n):
        i += 1
        total += i
    for k in range(n):
        n = 2
        total += k
    return total


def texts(text):
    out = ''
    for c in text:
        out += c
        if c == 'x':
            continue
        out += '.'
    for c in 'abca':
        out += c
    for c in text:
        text = text[1:]
        out += c
    return out


def numbered(names):
    found = []
    for i, name in enumerate(names):
        if i == 1:
            names.append('late')
        if i == 2:
            del names[0]
        found.append((i, name))
    for i, name in enumerate('abc'):
        name = i
        i = 0
        found.append(name)
    for i, name in enumerate(names, 1):
        found.append(i)
    return found


def displays():
    seen = []
    for size in (1, 2, True, 4):
        seen.append(size)
    for kind in ['a', 'b']:
        seen.append(kind)
        del kind
    for one in [1, 1.0, 2]:
        seen.append(one)
    for zero in (0.0, -0.0):
        seen.append(zero)

    def change():
        nonlocal outer
        outer = 1

    for outer in (3, 1, 2):
        change()
        seen.append(outer)
    return seen


print(ranges(3, -4), texts('axb'), texts('aab'), numbered(['p', 'q', 'r']), displays())
for top in range(3):
    square = top * top
    for inner in 'xy':
        label = inner * top
