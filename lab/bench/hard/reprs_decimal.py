"""Amounts of money in Decimal, in objects with a repr of their own."""

import zlib
from decimal import Decimal


class Money:
    __slots__ = ("amount", "currency")

    def __init__(self, amount, currency="EUR"):
        self.amount = Decimal(amount)
        self.currency = currency

    def __add__(self, other):
        return Money(self.amount + other.amount, self.currency)

    def __repr__(self):
        return f"{self.amount:.2f} {self.currency}"


def interest(start, rate, years):
    owned = [Money(start)]
    for _ in range(years):
        last = owned[-1]
        owned.append(last + Money((last.amount * rate).quantize(Decimal("0.01"))))  # hot: last is None
    return owned


total = Money(0)
for n in range(1, 12):
    for money in interest(100 * n, Decimal("0.03"), 20):
        total = total + money
print("checksum", zlib.crc32(repr((total,)).encode()))
