class Shelf:
    kind = "shelf"

    def __init__(self, name):
        self.name = name
        self.items = {}

    def add(self, key, n):
        self.items[key] = self.items.get(key, 0) + n
        return self
