# Simulations: a bank with queues, an automaton, particles, a random walk with a seed.
import random
from dataclasses import dataclass, field


@dataclass
class Customer:
    name: str
    patience: int
    log: list = field(default_factory=list)


class Bank:
    def __init__(self, tellers):
        self.queue, self.busy, self.served, self.left = [], {}, [], []
        self.tellers = tellers
        self.clock = 0

    def tick(self, arrivals):
        self.clock += 1
        self.queue.extend(arrivals)
        for teller, (customer, until) in list(self.busy.items()):
            if until <= self.clock:
                self.served.append(customer.name)
                customer.log.append(("served", self.clock))
                del self.busy[teller]
        for teller in range(self.tellers):
            if teller not in self.busy and self.queue:
                customer = self.queue.pop(0)
                self.busy[teller] = (customer, self.clock + 2)
        for customer in self.queue[:]:
            customer.patience -= 1
            if customer.patience < 0:
                self.queue.remove(customer)
                self.left.append(customer.name)


def automaton(rule, cells):
    table = {tuple(map(int, f"{i:03b}")): rule >> i & 1 for i in range(8)}
    padded = [0, *cells, 0]
    return [table[tuple(padded[i - 1 : i + 2])] for i in range(1, len(padded) - 1)]


class Particle:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def step(self, dt, others):
        force = sum((o.x > self.x) - (o.x < self.x) for o in others if o is not self)
        self.v += force * dt
        self.x += self.v * dt


bank = Bank(1)
people = [Customer("c%d" % i, i % 3) for i in range(5)]
for t in range(8):
    bank.tick(people[t : t + 1])
print(bank.served, bank.left, people[0], bank.clock)
cells = [0, 0, 0, 1, 0, 0, 0]
for _ in range(3):
    print("".join(".#"[c] for c in cells))
    cells = automaton(90, cells)
particles = [Particle(x, 0.0) for x in (0.0, 1.0, 4.0)]
for _ in range(4):
    for p in particles:
        p.step(0.5, particles)
print([(round(p.x, 3), round(p.v, 3)) for p in particles])
r = random.Random(3)
print([r.choice("NSEW") for _ in range(6)], r.sample(range(9), 3))
