def attempt():
    import broken
    return broken


for i in range(2):
    try:
        attempt()
    except ZeroDivisionError as e:
        print("no", e)
try:
    import missing_optional
except ImportError:
    missing_optional = None
from errors import ParseError, check

try:
    check("")
except ParseError as e:
    print(e, e.args)
try:
    check("bad")
except ValueError as e:
    message = str(e)


class Strict(ParseError):
    pass


def strict(text):
    if len(text) > 2:
        raise Strict(text, len(text))
    return check(text)


try:
    strict("abc")
except ParseError as e:
    caught = e.args[1]
check("")
