# __del__ of a function's locals, by rebinding and by return.
# conformance: lifetimes
log = []


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append(self.name)


def rebind():
    x = Loud("first")
    x = Loud("second")
    y = 1
    return y


def returned():
    x = Loud("third")
    return len(log)


r = rebind()
s = returned()
order = list(log)
