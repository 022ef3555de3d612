# No newline at the end of the file.
def f(x):
    return x


a = f(1)
b = f(a) + 1