"""Fibonacci numbers by recursion, slowly and with a memory.

What to look for: step into slow(10) and watch the same arguments come again
and again; then into memo(30), which needs 59 calls where slow would need
2,692,537. step_return (r) and its inverse (rf) jump from a call to its result
and from a result back to its arguments.
"""


def counted(function):
    """Wrap function so that wrapper.calls counts its calls."""

    def wrapper(n):
        wrapper.calls += 1
        return function(n)

    wrapper.calls = 0
    return wrapper


def remembered(function):
    """Wrap a function of one argument so that it never computes twice."""
    known = {}

    def wrapper(n):
        if n not in known:
            known[n] = function(n)
        return known[n]

    return wrapper


@counted
def slow(n):
    if n < 2:
        return n
    return slow(n - 1) + slow(n - 2)


@counted
@remembered
def memo(n):
    if n < 2:
        return n
    return memo(n - 1) + memo(n - 2)


def main():
    print(f"slow(10) = {slow(10)} in {slow.calls} calls")
    print(f"memo(30) = {memo(30)} in {memo.calls} calls")


if __name__ == "__main__":
    main()
