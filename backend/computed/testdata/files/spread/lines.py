table = {
    "a": 1,
    "b": [
        2,
        len("xyz"),
    ],
}
second = 2


def first(
    a,
    b=second,
):
    return (
        a
        + b
    )


class Context:
    value = 4

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None
