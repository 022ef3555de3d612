# Objects that notice being looked at: nothing but the program looks.
looks = []


class Shy:
    def __getattribute__(self, name):
        looks.append(name)
        return object.__getattribute__(self, name)

    def __repr__(self):
        return "Shy"


class Lazy:
    @property
    def value(self):
        looks.append("property")
        return 1

    def __getattr__(self, name):
        looks.append("missing " + name)
        raise AttributeError(name)

    def __len__(self):
        looks.append("len")
        return 3

    def __iter__(self):
        looks.append("iter")
        return iter("abc")

    def __eq__(self, other):
        looks.append("eq")
        return True

    def __hash__(self):
        looks.append("hash")
        return 5

    def __bool__(self):
        looks.append("bool")
        return False


class Items(list):
    def __iter__(self):
        looks.append("list iter")
        return super().__iter__()

    def __getitem__(self, i):
        looks.append("list item")
        return super().__getitem__(i)

    def __len__(self):
        looks.append("list len")
        return super().__len__()


class Table(dict):
    def __missing__(self, key):
        looks.append("table missing")
        return key

    def items(self):
        looks.append("table items")
        return super().items()

    def __iter__(self):
        looks.append("table iter")
        return super().__iter__()


class Meta(type):
    def __instancecheck__(cls, x):
        looks.append("instance")
        return False

    def __getattribute__(cls, name):
        looks.append("meta " + name)
        return type.__getattribute__(cls, name)


class Watched(metaclass=Meta):
    pass


shy, lazy, items, table, watched = Shy(), Lazy(), Items([1]), Table(a=1), Watched()
everything = [shy, lazy, items, table, watched]
held = {"lazy": lazy, lazy: shy}
lazy.attribute = 1
items.append(lazy)
table["b"] = shy
for x in everything:
    y = x
n = len(everything)
print(looks)
