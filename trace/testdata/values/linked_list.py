# A linked list, reversed in place.
class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


class Linked:
    def __init__(self, values=()):
        self.head = None
        self.size = 0
        for v in values:
            self.push(v)

    def push(self, value):
        self.head = Node(value, self.head)
        self.size += 1

    def reverse(self):
        before, now = None, self.head
        while now:
            now.next, before, now = before, now, now.next
        self.head = before
        return self

    def remove(self, value):
        now, before = self.head, None
        while now and now.value != value:
            before, now = now, now.next
        if now is None:
            return None
        if before is None:
            self.head = now.next
        else:
            before.next = now.next
        self.size -= 1
        return now

    def __iter__(self):
        now = self.head
        while now:
            yield now.value
            now = now.next


linked = Linked([1, 2, 3])
second = linked.head.next
linked.reverse()
gone = linked.remove(2)
gone.next = None
linked.push(gone)
print(list(linked)[1:], second.value, linked.size)
