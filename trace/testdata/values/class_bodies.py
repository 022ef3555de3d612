# Class bodies that run code, and functions that change their names' values.
made = []


def register(items):
    items.append(len(made))
    made.append(items)
    return items


class Outer:
    items = register([])
    items.append("body")
    names = {"items": items}

    class Inner:
        values = register([0])
        values += made[0]
        made[0].append("inner")

        def method(self):
            return made

    inner = Inner()
    register(items)
    loops = [register([i]) for i in range(2)]
    if made:
        names["made"] = made
        del items
    items = names.pop("items")
    register(items)

    def method(self):
        self.items.append(__class__.__name__)
        return self.items


o = Outer()
o.method()
Outer.items.append("outside")
o.items = []
o.method()
made.clear()
print(Outer.items, o.items, Outer.names, Outer.Inner.values)
