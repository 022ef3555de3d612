# Texts of partial objects, which show their arguments.
import functools


class Form:
    def __init__(self, rows):
        self.show = functools.partial(print, rows, sep="-")
        self.rows = rows


rows, options = [], {}
show = functools.partial(print, rows)
named = functools.partial(print, 1, end=options)
rows.append(1)
size = len(rows)
options["a"] = [2]
options["a"].append(3)
size = len(options)
form = Form(rows)
form.rows.append(2)
size = len(rows)
placed = functools.partial(print, (options, {"p": [rows]}))
options["b"] = 1
size = len(options)
rows.clear()
size = len(rows)
print(size, options)
