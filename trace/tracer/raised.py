"""What was raised."""

from _npdb import render as values
from _npdb.channel import encode
from _npdb.codes import END, SAID


def raising(arg):
    """What ends the record of an exception: its repr, and the words for it where
    they are needed."""
    value = raised_value(arg)
    tail = encode(values.render(value)) + END
    said = values.words(value)
    return tail if said is None else tail + SAID + encode(said) + END


def raised_value(arg):
    kind, value, _ = arg
    if isinstance(value, BaseException):
        return value
    try:
        if value is None:
            return kind()
        return kind(*value) if isinstance(value, tuple) else kind(value)
    except BaseException as e:
        values.let_through(e)
        return value
