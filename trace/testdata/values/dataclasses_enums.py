# Dataclasses and enums, nested in each other.
import enum
from dataclasses import asdict, dataclass, field, replace


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Flags(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Item:
    name: str
    price: float = 1.0
    tags: list = field(default_factory=list)
    hidden: int = field(default=0, repr=False)


@dataclass(order=True)
class Order:
    number: int
    items: list = field(default_factory=list, compare=False)
    colour: Colour = Colour.RED
    total: float = field(init=False, default=0.0)

    def add(self, item):
        self.items.append(item)
        self.total += item.price
        item.hidden += 1
        return self


@dataclass(frozen=True)
class Key:
    at: tuple
    box: list


def sell(order, *items):
    for item in items:
        order.add(item)
    order.colour = Colour.GREEN
    return order.total


apple = Item("apple", tags=["fruit"])
order = Order(1)
total = sell(order, apple, Item("nail", 0.5))
apple.tags.append("red")
apple.price = Colour.RED
copied = replace(order, number=2)
copied.items.append(order)
order.extra = "no field"
key = Key((1, apple), [])
key.box.append(key)
table = {Colour.RED: [apple], Flags.READ | Flags.WRITE: key}
table[Colour.RED].append(Colour["GREEN"])
flags = Flags.READ
flags |= Flags.WRITE
plain = asdict(Item("x"))
print(total, apple, copied < order, table[Colour.RED][1], flags, plain)
