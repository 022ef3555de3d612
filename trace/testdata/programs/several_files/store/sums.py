from .shelf import Shelf


def total(shelf):
    assert isinstance(shelf, Shelf)
    return sum(n for n in shelf.items.values())
