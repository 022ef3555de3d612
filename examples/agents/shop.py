"""A shop with a wrong discount. test_shop.py fails because of it."""


def discount(code):
    """The part of the price that a code saves."""
    rates = {"spring": 0.1, "summer": 20}
    return rates[code]


def total(prices, code):
    """The sum of the prices, less the discount."""
    whole = sum(prices)
    off = discount(code)
    return whole - whole * off
