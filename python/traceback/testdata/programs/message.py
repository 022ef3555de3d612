class Odd(ValueError):
    def __str__(self):
        return "first line\nsecond line\n\nlast line"


def fail():
    raise Odd()


fail()
