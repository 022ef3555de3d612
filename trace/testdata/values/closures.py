# Names that inner functions change in outer ones.
def counter(step):
    total = 0
    seen = []

    def bump(by=1):
        nonlocal total
        total += by * step
        seen.append(total)
        return inner(by)

    def inner(by):
        nonlocal step
        if by > 1:
            step += 1
        return total

    a = bump()
    b = bump(2)
    return bump, seen, a, b


def outer():
    x = 1

    def middle():
        y = x

        def innermost():
            nonlocal x, y
            x += 10
            y += x
            return y

        first = innermost()
        second = innermost()
        return first, second, y

    got = middle()
    return x, got


def late():
    def reads():
        return later

    try:
        reads()
    except NameError as e:
        problem = type(e).__name__
    later = [1]
    reads().append(2)
    del later
    later = reads.__closure__[0]
    later = (later.cell_contents is later,)
    return problem, later


bump, seen, a, b = counter(3)
c = bump(4)
seen.append("here")
d = bump()
x, got = outer()
problem = late()
print(a, b, c, d, seen, x, got, problem)
