# functools.singledispatch, cached_property and context variables: library code between two of ours.
import contextvars
from functools import cached_property, singledispatch


@singledispatch
def show(x):
    return "?"


@show.register(int)
def _(x):
    return "int"


@show.register(list)
def _(x):
    return [show(y) for y in x]


class Lazy:
    @cached_property
    def value(self):
        return show([1, "a", [2]])


var = contextvars.ContextVar("var", default=0)


def inside(n):
    var.set(n)
    return var.get()


lazy = Lazy()
first = lazy.value
second = lazy.value
ctx = contextvars.copy_context()
got = ctx.run(inside, 5), var.get()
del ctx, var
