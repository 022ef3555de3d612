import helper_of_helper
value = 0
items = []


def bump(by=1):
    global value
    value += by


def read():
    return value


def through(f):
    return f() + value


def count():
    return len(items)


def scaled(n):
    return helper_of_helper.scale(n)
