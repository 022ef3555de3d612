# RecursionError that nothing catches: two functions in turn.
# conformance: recursion
def even(n):
    return odd(n + 1)


def odd(n):
    return even(n + 1)


before = 1
even(0)
