# Form feeds between functions and in front of a line.
x = 1

def f(n):
    m = n + 1

    return m
y = f(x)
z = ""
