# Lambdas: several on one line, one over several lines, defaults, immediately called.
add = lambda a, b=1: a + b
compose = lambda f, g: lambda x: f(g(x))
h = compose(lambda n: n * 2, lambda n: n + 1)
a = add(1)
b = h(3)
c = (
    lambda p:
    p
    + 1
)(4)
d = sorted([3, 1, 2], key=lambda v: -v)
