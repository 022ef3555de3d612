# One exception unwinds several activations, and each has something to clean up.
log = []


def level(n):
    try:
        if n == 0:
            raise LookupError("bottom")
        level(n - 1)
    finally:
        log.append(n)


try:
    level(3)
except LookupError:
    log.append("top")
