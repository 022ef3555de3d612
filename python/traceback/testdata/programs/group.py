def fail(kind, text):
    raise kind(text)


def collect():
    errors = []
    for kind, text in [(ValueError, "one"), (KeyError, "two")]:
        try:
            fail(kind, text)
        except Exception as error:
            errors.append(error)
    inner = ExceptionGroup("inner", errors)
    raise ExceptionGroup("outer", [TypeError("three"), inner])


collect()
