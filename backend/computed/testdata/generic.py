# Type parameters (3.12), which a method's frame shows.
class Queue[T]:
    def __init__(self, items):
        self.entries: list[T] = list(items)

    def size(self) -> int:
        return len(self.entries)


def first[U](items: list[U]) -> U:
    return items[0]


queue = Queue([1, 2])
print(queue.size(), first([3]))
