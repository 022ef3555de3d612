def rate(n):
    return 1.05 ** n
try:
    rate(100000)
except OverflowError as e:
    a = e.args
