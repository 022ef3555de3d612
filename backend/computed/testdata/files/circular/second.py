import first

seen = first.START
try:
    had = first.END
except AttributeError:
    had = None


def back(n):
    return first.go(n)


def later():
    from first import END, go
    import lazy
    return END + lazy.VALUE
