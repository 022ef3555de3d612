"""A doubly linked list, with a stack and a queue made from it."""


class Link:
    def __init__(self, value, before=None, after=None):
        self.value = value
        self.before = before
        self.after = after


class LinkedList:
    def __init__(self, values=()):
        self.first = None
        self.last = None
        self.length = 0
        for value in values:
            self.append(value)

    def __len__(self):
        return self.length

    def __iter__(self):
        link = self.first
        while link is not None:
            yield link.value
            link = link.after

    def append(self, value):
        link = Link(value, before=self.last)
        if self.last is None:
            self.first = link
        else:
            self.last.after = link
        self.last = link
        self.length += 1

    def remove(self, link):
        if link.before is None:
            self.first = link.after
        else:
            link.before.after = link.after
        if link.after is None:
            self.last = link.before
        else:
            link.after.before = link.before
        self.length -= 1
        return link.value

    def reverse(self):
        link = self.first
        while link is not None:
            link.before, link.after = link.after, link.before
            link = link.before
        self.first, self.last = self.last, self.first

    def insert_sorted(self, value):
        link = self.first
        while link is not None and link.value < value:
            link = link.after  # hot: value < 0
        if link is None:
            self.append(value)
            return
        new = Link(value, before=link.before, after=link)
        if link.before is None:
            self.first = new
        else:
            link.before.after = new
        link.before = new
        self.length += 1


def josephus(count, step):
    ring = LinkedList(range(1, count + 1))
    link = ring.first
    order = []
    while len(ring) > 1:
        for _ in range(step - 1):
            link = link.after or ring.first
        following = link.after or ring.first
        order.append(ring.remove(link))
        link = following
    return ring.first.value, order


def sort(values):
    result = LinkedList()
    for value in values:
        result.insert_sorted(value)
    return result


def main():
    survivor, order = josephus(900, 7)
    state = 12345
    values = []
    for _ in range(420):
        state = (state * 1103515245 + 12345) % 2147483648
        values.append(state % 10000)
    ordered = sort(values)
    assert list(ordered) == sorted(values)
    ordered.reverse()
    checksum = survivor
    for value in ordered:
        checksum = (checksum * 31 + value) % 1000003
    for value in order:
        checksum = (checksum * 7 + value) % 1000003
    print("survivor", survivor, "of", len(order) + 1, "sorted", len(ordered))
    print("checksum", checksum)


if __name__ == "__main__":
    main()
