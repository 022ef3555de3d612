import functools
def traced(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return fn(*args)
    return wrapper
def area(w):
    return w * w
area = traced(area)
x = area(2)
