# Integers of thousands of digits, beyond what str of an int accepts by itself.
def power(base, exp):
    r = 1
    while exp:
        if exp & 1:
            r *= base
        base *= base
        exp >>= 1
    return r


a = power(3, 1000)
b = 10 ** 5000
c = b % 97
d = [-a, a.bit_length()]
e = 1e308 * 10
f = (float("nan"), -0.0, 1j)
