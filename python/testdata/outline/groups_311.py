def groups(kind):
    try:
        raise ExceptionGroup("g", [kind("x")])
    except* ValueError as group:
        text = str(group)
    except* (
        KeyError
    ):
        text = "key"
    return text


groups(ValueError)
groups(KeyError)
