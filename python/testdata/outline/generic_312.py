type Pair[T] = tuple[
    T, T
]


def first[
    T,
](pair):
    return pair[0]


class Box[T]:
    def __init__(self, item: T):
        self.item = item

    def get(self) -> T:
        return self.item


first((1, 2))
Box(1).get()
Pair.__value__
