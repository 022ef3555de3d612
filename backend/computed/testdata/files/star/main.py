from names import *
from more import *

print(alpha, beta, gamma(1))
alpha = 5
order = [alpha, beta, delta]
try:
    _private
except NameError as e:
    text = str(e)
