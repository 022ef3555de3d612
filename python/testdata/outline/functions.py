"""A module whose
docstring spans lines."""
import functools


def one_liner(): return 1


def documented(a,
               b=2):
    """A docstring has no line event
    of its own."""
    total = (
        a
        +
        b
    )
    return total


def only_a_docstring():
    """Nothing else."""


def nothing():
    pass


@functools.lru_cache
@functools.lru_cache(
    maxsize=None
)
def decorated_docstring():
    """Nothing else
    here."""


def decorate(*arguments):
    def wrap(function):
        @functools.wraps(function)
        def inner(*args):
            return function(
                *args
            )
        return inner
    return wrap


@decorate(
    1,
    2,
)
@decorate()
def decorated(
    x,
    *,
    y=3,
):
    # a comment
    @decorate()
    def nested():
        nonlocal x
        x += 1
        return x
    return nested()


def declared():
    global made_global

    def made_global():
        return 4
    made_global()


class Account:
    """An account."""

    kind = "plain"

    def __init__(self, owner):
        self.owner = owner

    @property
    def name(self):
        return (self
                .owner
                .title())

    class Inner:
        @staticmethod
        def deep():
            def deeper():
                return 5
            return deeper()


make = (
    lambda x:
        x + 1
)

adders = [
    lambda y, z=i:
        y
        + z
    for i
    in range(2)
]

one_liner(); documented(1)
only_a_docstring()
nothing()
decorated_docstring()
decorated(1)
declared()
Account("ann").name
Account.Inner.deep()
make(1)
[adder(1) for adder in adders]
