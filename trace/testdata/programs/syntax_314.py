# What 3.14 adds to the language: template strings, except without parentheses.
# python: >=3.14
from string.templatelib import Interpolation, Template


def shout(template: Template):
    parts = []
    for item in template:
        match item:
            case str():
                parts.append(item)
            case Interpolation(value, expression, conversion, spec):
                parts.append(f"{expression}={value!r}")
    return "".join(parts)


def width():
    return 5


name = "npdb"
plain = t"hello {name}"
said = shout(plain)
nested = t"{t'{name!r}'} and {
    width() + 1
:>{width()}}"
raw = rt"\d{name=}"
both = shout(t"a{1}" t"b{2}")


def divide(a, b):
    try:
        return a / b
    except ZeroDivisionError, TypeError:
        return None
    except ValueError, KeyError:
        return 0


results = [divide(1, 0), divide(1, "x"), divide(4, 2)]


def groups():
    try:
        raise ExceptionGroup("many", [TypeError(1), KeyError(2), OSError(3)])
    except* TypeError, KeyError:
        pass
    except* OSError:
        return_code = 3
    return return_code


code = groups()
