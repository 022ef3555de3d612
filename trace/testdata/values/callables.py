# Functions reached through containers, attributes, partial, operator.
import functools
import itertools
import operator


class Button:
    def __init__(self):
        self.handlers = []
        self.clicks = 0

    def click(self, *args):
        self.clicks += 1
        for h in self.handlers:
            h(*args)
        return self.clicks

    def __call__(self, x):
        self.last = x
        return self


def add(items, x):
    items.append(x)
    return items


def apply(f, *args):
    before = len(a)
    f(*args)
    return before, len(a)


a, b = [], {}
table = {"push": a.append, "pop": a.pop, "add": add}
table["push"](1)
got = table["add"](a, [2])
table["pop"](0)
button = Button()
button.handlers += [a.append, functools.partial(add, a), functools.partial(b.__setitem__, "k")]
button.click("clicked")
button(a).last.append("last")
push = functools.partial(a.append, "partial")
push()
apply(push)
apply(operator.setitem, b, "o", a)
apply(operator.iadd, a, ["iadd"])
apply(operator.delitem, a, 0)
operator.setitem(a, 0, "item")
total = functools.reduce(lambda acc, x: acc.append(x) or acc, [1, 2], [a])
pops = [f() for f in [a.pop, push, a.reverse]]
mapped = list(map(a.append, "mn"))
kept = list(filter(lambda x: a.remove(x) or x, ["m"]))
gathered = list(itertools.starmap(b.setdefault, [("s", []), ("s", None)]))
gathered[0].append("through b")
get = operator.attrgetter("handlers")
get(button).clear()
operator.methodcaller("append", "called")(a)
list(itertools.accumulate([[1], [2]], operator.iadd))
method = a.append
method("bound")
(a.append if b else a.pop)("either")
[a.insert][0](0, "first")
any(a.append(i) for i in range(2))
print(a, b, button.clicks, got is a, total, pops, kept)
