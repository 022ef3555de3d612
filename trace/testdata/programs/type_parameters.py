# Type parameters make hidden functions of their own; f-strings nest.
# python: >=3.12
class Box[T]:
    def __init__(self, item: T):
        self.item = item

    def get[U](self, other: U) -> T | U:
        return self.item or other


type Pair[A] = tuple[A, A]

b = Box(0)
x = b.get("other")
y = f"{f"{x}"}"
