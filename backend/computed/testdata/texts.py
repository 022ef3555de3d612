# An object whose text reads as a literal is none.
import random


class Heap:
    def __init__(self):
        self.items = [3, 1]

    def __repr__(self):
        return str(self.items)

    def size(self):
        seed = random.Random(1).randrange(2)
        return len(self.items)


class Word(str):
    def upper(self):
        return "other"


def use(heap, word):
    seed = random.Random(2).randrange(2)
    first = heap.items[0]
    loud = word.upper()
    return heap.size(), first, loud


print(use(Heap(), Word("a")))
