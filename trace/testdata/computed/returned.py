"""Objects whose __repr__ returns one expression: npdb evaluates it. Names that begin with
computed hold such; those that begin with attributes hold objects that are shown by their
attributes, as their text does not follow from what is recorded."""
import abc
import enum
from dataclasses import dataclass
from decimal import Decimal

SCALE = 10


@dataclass
class Point:
    x: int
    y: int


class Color(enum.Enum):
    RED = 1


class Money:
    unit = "cent"

    def __init__(self, amount, currency="EUR"):
        self.amount = amount
        self.currency = currency
        self.__secret = 3

    def __repr__(self):
        """A docstring stands before."""
        return f"{type(self).__name__}({self.amount:>8.2f} {self.currency!r:.3}, {self.__secret})"


class Coin(Money):
    pass


class Node:
    __slots__ = ("value", "next", "at")

    def __init__(self, value, next=None, at=None):
        self.value, self.next, self.at = value, next, at

    def __repr__(self):
        return "Node(%r, %r, %s)" % (self.value, self.next, self.at)


class Player:
    def __init__(self, name, money):
        self.name = name
        self.money = money

    def __repr__(self):
        return "Player(" + repr(self.name) + ", " + str(self.money) + ")"


class Team:
    def __init__(self, name, *players):
        self.name = name
        self.players = list(players)
        self.scores = {"won": 0, "lost": [1, 2.5, None]}

    def __repr__(self):
        return (
            "<{} {}: ".format(self.__class__.__name__, self.name)
            + ", ".join(p.name.upper() for p in self.players if p is not None)
            + "; " + ", ".join(map(repr, self.players))
            + f" {self.scores} {len(self.players)} {sum(self.scores['lost'][:2])}"
            + (" empty" if not self.players else "")
            + ">"
        )


class Shown:
    def __init__(self, *values):
        self.values = values

    def __repr__(self):
        return f"Shown{self.values}"

    __str__ = __repr__


class Worded:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Worded({self.x!r})"

    def __str__(self):
        return "in words"


class Formatted:
    def __repr__(self):
        return "Formatted()"

    def __format__(self, spec):
        return "formatted"


class Base(abc.ABC):
    @abc.abstractmethod
    def area(self):
        ...

    def __repr__(self):
        return f"{self.__class__.__name__}({', '.join(f'{name}={value!r}' for name, value in sorted(self.sides.items()))})"


class Square(Base):
    def __init__(self, **sides):
        self.sides = sides

    def area(self):
        return 1


class Hidden:
    """The attribute that is recorded is not what self.x gives."""

    def __init__(self):
        self.__dict__["x"] = 1

    @property
    def x(self):
        return 2

    def __repr__(self):
        return f"Hidden({self.x})"


class Guarded:
    def __init__(self):
        self.x = 1

    def __getattribute__(self, name):
        return 7 if name == "x" else object.__getattribute__(self, name)

    def __repr__(self):
        return f"Guarded({self.x})"


class Global:
    def __repr__(self):
        return f"Global({SCALE})"


class Unit:
    kind = "unit"

    def __repr__(self):
        return f"Unit({self.kind})"


class Called:
    def __init__(self):
        self.x = 1

    def name(self):
        return "called"

    def __repr__(self):
        return f"{self.name()}({self.x})"


class Raising:
    def __init__(self):
        self.x = 0

    def __repr__(self):
        return f"Raising({1 / self.x})"


class Number:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return self.x


class Equal:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __eq__(self, other):
        return True

    def __bool__(self):
        return False

    def __repr__(self):
        return "Equal(%s)" % ("same" if self.a == self.b else "other")


class Truth:
    def __init__(self, of):
        self.of = of

    def __repr__(self):
        return "Truth" if self.of else "Falsehood"


class Inner:
    def __init__(self, of):
        self.of = of

    def __repr__(self):
        return f"Inner({self.of!r})"


class Told:
    def __init__(self, of):
        self.of = of

    def __repr__(self):
        return f"Told({self.of})"


class Kept(type):
    @property
    def __name__(cls):
        return "by the metaclass"


class Meta(metaclass=Kept):
    def __repr__(self):
        return type(self).__name__


class Listed(list):
    def __repr__(self):
        return "Listed"


def replaced(self):
    return "replaced"


def closing(word):
    class Closed:
        def __repr__(self):
            return word

    return Closed()


def run():
    computed_money = Money(2.5)
    computed_coin = Coin(3, "USD")
    computed_list = [computed_money, (computed_coin,), {"a": computed_coin}]
    computed_node = Node(1, Node("two", None, Point(1, 2)))
    computed_player = Player("ann", computed_money)
    computed_team = Team("a", computed_player, None)
    computed_shown = Shown(computed_money, [1, 'x"'])
    computed_square = Square(b=computed_money, a=[Point(3, 4)])
    computed_inner = Inner({"p": Point(1, computed_coin), Decimal("1.5"): {computed_money}})
    computed_red = Inner(Color.RED)
    computed_told = Told([computed_money])
    computed_long = Inner(list(range(300)))
    computed_money.amount = 7
    computed_node.next.value = [computed_money, computed_node.next.next]
    computed_team.players.append(Player("bob", computed_coin))
    computed_team.scores["lost"][0] = 12
    computed_same = Told(Shown(1))
    computed_none = Truth([])
    attributes_worded = Told(Worded(1))
    computed_worded = Inner(Worded(1))
    attributes_formatted = Told(Formatted())
    attributes_decimal = Told(Decimal("1.50"))
    attributes_color = Told(Color.RED)
    attributes_error = Told(ValueError("x"))
    computed_error = Inner(ValueError("x"))
    attributes_hidden = Hidden()
    attributes_guarded = Guarded()
    attributes_global = Global()
    attributes_unit = Unit()
    attributes_called = Called()
    attributes_raising = Raising()
    attributes_number = Number(1)
    computed_number = Number("1")
    attributes_equal = Equal(Equal(1, 2), 3)
    attributes_truth = Truth(Equal(1, 2))
    attributes_meta = Meta()
    attributes_listed = Listed([1])
    attributes_closed = closing("word")
    computed_inner.of = computed_function = run
    attributes_self = Inner(None)
    attributes_self.of = [attributes_self]
    Coin.__repr__ = replaced
    computed_coin.amount = 8
    Worded.__repr__ = replaced
    end = 1
    return end


run()
