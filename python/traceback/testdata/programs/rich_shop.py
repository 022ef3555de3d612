import rich.traceback

import shop

rich.traceback.install(show_locals=True, width=100)


def run():
    basket = [("apples", 2), ("pear", 0)]
    notes = {"a long key number one": "a value that takes some room", "a long key number two": list(range(30))}
    text = "z" * 200
    shop.total(basket)


run()
