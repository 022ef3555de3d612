# __del__ runs when the last name goes: at once, and in a known order.
log = []


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append(self.name)


a = Loud("a")
b = Loud("b")
a = None
del b
c = [Loud("c0"), Loud("c1")]
c.clear()
order = list(log)
