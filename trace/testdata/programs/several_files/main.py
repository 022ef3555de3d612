# A program of several files: a package, relative imports, a module imported late and one reloaded.
import importlib

from store import Shelf, total
from store.nested import deep

shelf = Shelf("books")
shelf.add("a", 2)
shelf.add("b", 3)
t = total(shelf)


def late():
    import helper_module

    return helper_module.answer(t)


a = late()
b = late()
import helper_module

importlib.reload(helper_module)
c = deep.down(2)
