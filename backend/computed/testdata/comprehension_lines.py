# Comprehensions over several lines: which line each instruction has.


def lc(xs):
    a = [
        x + 1
        for x in xs
    ]
    return a


def lcif(xs):
    a = [
        x + 1
        for x in xs
        if x > 1
    ]
    return a


def lcif2(xs):
    a = [x + 1
         for x in xs
         if x > 1]
    return a


def gen(xs):
    a = sum(
        x + 1
        for x in xs
    )
    return a


def gen2(xs):
    return sum(x
               for x in xs if x > 1)


def nest(xs):
    a = [
        (x, y)
        for x in xs
        for y in [
            1, 2
        ]
        if y
    ]
    return a


def dc(xs):
    a = {
        x:
            x + 1
        for x in xs
    }
    return a


def sc(xs):
    a = {
        len(str(x))
        for x in xs
        if len(
            str(x)
        )
    }
    return a


def join(xs):
    return "0b" + "".join(
        str(x) for x in xs
    )


def elt(xs):
    return [
        max(
            x,
            2
        )
        for x in xs
    ]


def tern(xs):
    return [
        1 if x > 2
        else 3
        for x in xs
    ]


def tup(xs):
    return [
        [
            x,
            x + 1,
        ]
        for x, y in zip(xs,
            xs)
    ]


lc([1, 3])
lcif([1, 3])
lcif2([1, 3])
gen([1, 3])
gen2([1, 3])
nest([1, 3])
dc([1, 3])
sc([1, 3])
join([1, 3])
elt([1, 3])
tern([1, 3])
tup([1, 3])


def cleared(val):
    return [
        str(val)
        for val in [val, 2]
    ]


cleared(1)
