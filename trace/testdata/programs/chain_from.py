# raise … from …: the cause is another exception with a traceback of its own.
class AppError(Exception):
    pass


def parse(s):
    return int(s)


def load(s):
    try:
        return parse(s)
    except ValueError as e:
        raise AppError("cannot load") from e


try:
    load("x")
except AppError as e:
    cause = type(e.__cause__).__name__
load("y")
