# sort with keys that look at, and change, other things.
def key(x):
    asked.append(x)
    return -x


def by_rank(person):
    ranks[person["name"]] = len(ranks)
    return person["rank"]


class Card:
    compared = 0

    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        Card.compared += 1
        met.append((self.n, other.n))
        self.met = other.n
        return self.n < other.n


def whole(items):
    view = items
    items.sort(key=key)
    best = max(items, key=lambda x: asked.append("max") or x)
    items.sort(reverse=True)
    return view, best


asked, met, ranks = [], [], {}
numbers = [2, 3, 1]
view, best = whole(numbers)
people = [{"name": "ann", "rank": 2}, {"name": "bob", "rank": 1}]
people.sort(key=by_rank)
ordered = sorted(people, key=by_rank, reverse=True)
ordered[0]["rank"] = 9
cards = [Card(3), Card(1), Card(2)]
cards.sort()
least = min(cards)
cards.reverse()
print(numbers, asked, best, people, ranks, met, least.n, Card.compared)
