class Hand:
    def __init__(self, cards):
        self.cards = cards
    def rank(self, c):
        return c[1]
h = Hand(["h3", "c9"])
h.cards.sort(key=h.rank)
data = [3, 1]
data.sort(key=lambda v: len(data))
