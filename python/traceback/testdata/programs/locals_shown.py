import sys
import traceback

import shop


def show(kind, error, tb):
    shown = traceback.TracebackException(kind, error, tb, capture_locals=True)
    print("".join(shown.format()), end="", file=sys.stderr)


def run():
    basket = [("pear", 0)]
    shop.total(basket)


sys.excepthook = show
run()
