# fractions: operators, __new__, properties.
# conformance: history
# user: fractions
import sys

sys.modules.pop("fractions", None)
from fractions import Fraction

a = Fraction(1, 3) + Fraction("0.25")
b = a ** 2
c = max(Fraction(1, 2), Fraction(2, 3))
d = Fraction(3.5).limit_denominator(2)
ordered = sorted([c, a, b])
text = str(d)
