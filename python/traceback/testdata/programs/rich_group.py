import rich.traceback

rich.traceback.install(width=80, extra_lines=1, show_locals=True)


def fail(kind):
    error = kind("bad")
    error.add_note("while failing")
    raise error


def collect():
    errors = []
    for kind in (ValueError, KeyError):
        try:
            fail(kind)
        except Exception as error:
            errors.append(error)
    raise ExceptionGroup("several", errors)


collect()
