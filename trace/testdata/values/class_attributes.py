# Class attributes, shared by instances and changed from everywhere.
class Base:
    shared = []
    count = 0

    def __init__(self, tag):
        self.tag = tag
        Base.count += 1
        self.shared.append(tag)
        self.mine = type(self).count

    @classmethod
    def reset(cls):
        cls.count = -1
        cls.shared = cls.shared + ["reset"]
        return cls

    @staticmethod
    def push(items, x):
        items.insert(0, x)
        return items


class Sub(Base):
    count = 10

    def __init__(self, tag):
        super().__init__(tag)
        self.shared = [tag]


a = Base("a")
b = Sub("b")
shared = Base.shared
c = Base.push(shared, "c")
Base.reset()
Sub.reset()
d = Sub("d")
b.shared.append(a)
a.count = 5
del a.count
Base.count += a.count
setattr(Sub, "extra", shared)
d.extra.append("extra")
print(shared, Base.shared, Sub.shared, b.shared[0], d.mine)
