"""Sieves primes with generators that feed one another.

Each prime found wraps the stream of candidates in one more filter, so a
number passes through all filters before it is accepted.

What to look for: at a `yield`, step_into (s) goes to whoever asked for the
value, while step_over (n) stays with the generator until it is resumed. The
stack shows as many filters as there are primes so far.
"""

from itertools import islice


def candidates():
    """Yield 2 and the odd numbers from 3 on."""
    yield 2
    number = 3
    while True:
        yield number
        number += 2


def without_multiples(prime, numbers):
    """Yield the numbers that prime does not divide."""
    for number in numbers:
        if number % prime:
            yield number


def primes():
    """Yield the primes, without end."""
    numbers = candidates()
    while True:
        prime = next(numbers)
        yield prime
        numbers = without_multiples(prime, numbers)


def main():
    found = list(islice(primes(), 12))
    print(*found)
    gaps = [after - before for before, after in zip(found, found[1:])]
    print("widest gap:", max(gaps))


if __name__ == "__main__":
    main()
