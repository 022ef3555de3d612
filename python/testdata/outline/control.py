import contextlib


def loops(n):
    found = 0
    while n > 0:
        n -= 1
        if n == 3:
            continue
        elif n == 1:
            break
        else:
            found += 1
    else:
        found = -1
    for i in range(
        2
    ):
        pass
    else:
        found += i
    return found


def trials(kind):
    try:
        if kind == 0:
            raise ValueError(
                "zero"
            )
        assert kind != 1, (
            "one"
        )
        if kind == 2:
            return "early"
    except ValueError as error:
        text = str(error)
    except (
        AssertionError,
        KeyError,
    ):
        text = "assertion"
    else:
        text = "none"
    finally:
        kind = None
    return text


def managed():
    with contextlib.suppress(
        KeyError
    ), contextlib.nullcontext(
        1
    ) as one:
        with contextlib.suppress(ValueError):
            {}[
                one
            ]
    try:
        with contextlib.nullcontext():
            raise KeyError
    except KeyError:
        pass
    return one


def branches(x):
    if x and (
        x > 1
        or x < -1
    ):
        y = 1
    else:
        y = 2
    z = (
        "a" if y == 1
        else
        "b"
    )
    del y
    if __debug__:
        z += "d"
    if 0:
        z = "never"
    if not (
        1
        <
        x
        <
        3
    ):
        return z
    return f"{z}{x}"


loops(6)
loops(3)
loops(0)
for each in range(4):
    trials(each)
managed()
branches(0)
branches(1)
branches(2)
branches(-5)
a, \
    b = 1, \
    2
a: int = 3
table = {
    "a": 1,
    "b": [
        2,
        a,
    ],
    **{
        "c": 3
    },
}
print(
    f"{a}"
    f"{b!r:>4}",
    file=None,
    end="",
) if a else None
