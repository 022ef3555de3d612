def f(x):
    y = x + 1
    return y


a = f(2)
b = a * 2
