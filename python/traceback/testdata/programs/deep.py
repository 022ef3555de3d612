def down(n):
    return down(n + 1)


def start():
    down(0)


start()
