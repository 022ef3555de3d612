# Dataclasses and enums: methods generated from text, reprs of their own.
import dataclasses
import enum


class Colour(enum.Enum):
    RED = 1
    BLUE = 2

    def next(self):
        members = list(Colour)
        return members[(members.index(self) + 1) % len(members)]


@dataclasses.dataclass(order=True)
class Item:
    name: str
    price: float = 0.0
    tags: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.tags.append(self.name)


c = Colour.RED.next()
a, b = Item("a", 2.0), Item("b")
cheap = min([a, b], key=lambda i: i.price)
same = a == b
r = dataclasses.replace(a, price=1.0)
