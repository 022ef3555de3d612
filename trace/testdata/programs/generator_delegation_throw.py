# throw and close travel down a chain of yield from.
log = []


def leaf():
    try:
        yield 1
    except ValueError:
        log.append("leaf caught")
        yield 2
    finally:
        log.append("leaf done")


def top():
    try:
        yield from leaf()
    finally:
        log.append("top done")


g = top()
a = next(g)
b = g.throw(ValueError("x"))
g.close()
order = list(log)
