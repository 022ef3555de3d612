"""A simulation of events: customers, tills and a clock, by a heap of tuples."""

import heapq
import random


class Customer:
    def __init__(self, number, arrived, items):
        self.number = number
        self.arrived = arrived
        self.items = items
        self.served = None
        self.left = None

    def waited(self):
        return self.served - self.arrived


class Till:
    def __init__(self, name, speed):
        self.name = name
        self.speed = speed
        self.queue = []
        self.serving = None
        self.busy = 0

    def length(self):
        return len(self.queue) + (1 if self.serving else 0)

    def duration(self, customer):
        return 5 + customer.items * self.speed


class Shop:
    def __init__(self, tills, source):
        self.tills = tills
        self.source = source
        self.clock = 0
        self.events = []
        self.sequence = 0
        self.done = []
        self.longest = 0

    def schedule(self, delay, kind, subject):
        self.sequence += 1
        heapq.heappush(self.events, (self.clock + delay, self.sequence, kind, subject))

    def arrive(self, customer):
        till = min(self.tills, key=Till.length)
        till.queue.append(customer)
        self.longest = max(self.longest, len(till.queue))
        if till.serving is None:
            self.serve(till)

    def serve(self, till):
        customer = till.queue.pop(0)
        till.serving = customer
        customer.served = self.clock
        duration = till.duration(customer)
        till.busy += duration
        self.schedule(duration, "finish", till)

    def finish(self, till):
        customer = till.serving
        customer.left = self.clock
        self.done.append(customer)
        till.serving = None
        if till.queue:
            self.serve(till)

    def run(self):
        while self.events:
            time, _, kind, subject = heapq.heappop(self.events)
            self.clock = time
            if kind == "arrive":  # hot: time < 0
                self.arrive(subject)
            elif kind == "finish":
                self.finish(subject)


def main():
    source = random.Random(29)
    tills = [Till("left", 3), Till("middle", 2), Till("right", 4), Till("express", 1)]
    shop = Shop(tills, source)
    moment = 0
    for number in range(6000):
        moment += source.randrange(1, 18)
        customer = Customer(number, moment, source.randrange(1, 25))
        shop.schedule(moment, "arrive", customer)
    shop.run()
    waits = [customer.waited() for customer in shop.done]
    print("served", len(waits), "on average waited", sum(waits) // len(waits), "longest queue", shop.longest)
    for till in tills:
        print(f"{till.name:8} busy {100 * till.busy // shop.clock}%")
    checksum = 0
    for customer in shop.done:
        checksum = (checksum * 31 + customer.number + customer.left) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
