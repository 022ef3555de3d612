def add(first, second, third):
    return first + second + third


def run():
    number = 1
    return add(
        number,
        second=2,
        third="three",
    )


run()
