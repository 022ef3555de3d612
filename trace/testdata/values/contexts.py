# Context managers that change what the body sees.
import contextlib


class Changed:
    def __init__(self, target, **names):
        self.target, self.names, self.old = target, names, {}

    def __enter__(self):
        for name, value in self.names.items():
            self.old[name] = getattr(self.target, name)
            setattr(self.target, name, value)
        return self.old

    def __exit__(self, kind, value, trace):
        for name, old in self.old.items():
            setattr(self.target, name, old)
        if value is not None:
            self.target.log.append(str(value))
        return kind is KeyError


class Settings:
    depth = 1

    def __init__(self):
        self.width = [80]
        self.log = []


@contextlib.contextmanager
def pushed(items, x):
    items.append(x)
    try:
        yield items
    finally:
        items.remove(x)
        items.append("left")


def work(settings):
    with Changed(settings, width=[40], depth=2) as old:
        settings.width.append(old)
        settings.log.append(settings.depth)
        with pushed(settings.log, "inner") as log:
            log.append("body")
            raise KeyError("out")
    return settings.width


s = Settings()
width = work(s)
width.append(132)
stack = contextlib.ExitStack()
with stack:
    stack.callback(width.append, "callback")
    stack.enter_context(pushed(s.log, "last"))
    s.log.append("in stack")
with contextlib.suppress(IndexError), pushed([], 1) as short:
    short[5]
print(s.width, s.log, s.depth, width, short)
