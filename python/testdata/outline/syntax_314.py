import string.templatelib


def read(path):
    try:
        return open(path).read()
    except OSError, ValueError:
        return None


def load(paths):
    try:
        for path in paths:
            yield read(path)
    except* OSError, ValueError:
        pass


name = "x"
template = t"{name!r:>{len(name)}} {
    name
    + "y"
}"
