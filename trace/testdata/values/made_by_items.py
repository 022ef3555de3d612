# Reading an item of some containers makes a value anew, often where a freed one was.
import decimal

try:
    import numpy
except ImportError:
    numpy = None


def items(found):
    for i in range(4):
        one = found[i]
    return one


def arrays():
    return (
        items(numpy.array([10, 20, 30, 40])),
        items(numpy.array([1.5, 2.5, 3.5, 4.5])),
        items(numpy.array(["2020-01-01", "2021-02-02", "2022-03-03", "2023-04-04"], dtype="M8[D]")),
        items(numpy.array([1, 20, 300, 4000], dtype="m8[s]")),
        items(numpy.array([1.5, 2.5, 3.5, 4.5], dtype="c8")),
        items([decimal.Decimal(n) for n in (10, 20, 30, 40)]),
    )


if numpy:
    print(arrays())
