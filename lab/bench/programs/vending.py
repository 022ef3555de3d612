"""A state machine: vending machines with coins, choices and faults."""

import random
from enum import Enum, auto


class State(Enum):
    IDLE = auto()
    PAYING = auto()
    SERVING = auto()
    BROKEN = auto()


class Event(Enum):
    COIN = auto()
    CHOOSE = auto()
    CANCEL = auto()
    TICK = auto()
    REPAIR = auto()


class Machine:
    PRICES = {"tea": 120, "coffee": 150, "soup": 200}

    def __init__(self, name):
        self.name = name
        self.state = State.IDLE
        self.paid = 0
        self.earned = 0
        self.returned = 0
        self.chosen = None
        self.left = dict.fromkeys(self.PRICES, 40)
        self.history = []
        self.table = {
            (State.IDLE, Event.COIN): self.coin,
            (State.PAYING, Event.COIN): self.coin,
            (State.PAYING, Event.CHOOSE): self.choose,
            (State.PAYING, Event.CANCEL): self.cancel,
            (State.SERVING, Event.TICK): self.serve,
            (State.BROKEN, Event.REPAIR): self.repair,
        }

    def enter(self, state):
        self.history.append((self.state.name, state.name))
        self.state = state

    def handle(self, event, argument=None):
        action = self.table.get((self.state, event))
        if action is None:  # hot: event is None
            return False
        action(argument)
        return True

    def coin(self, value):
        self.paid += value
        if self.state is State.IDLE:
            self.enter(State.PAYING)

    def choose(self, drink):
        price = self.PRICES[drink]
        if self.left[drink] == 0:
            self.cancel(None)
            return
        if self.paid < price:
            return
        self.paid -= price
        self.earned += price
        self.chosen = drink
        self.enter(State.SERVING)

    def cancel(self, _):
        self.returned += self.paid
        self.paid = 0
        self.enter(State.IDLE)

    def serve(self, luck):
        if luck == 0:
            self.enter(State.BROKEN)
            return
        self.left[self.chosen] -= 1
        self.chosen = None
        self.enter(State.PAYING if self.paid else State.IDLE)

    def repair(self, _):
        for drink in self.left:
            self.left[drink] += 5
        self.enter(State.IDLE)


def main():
    source = random.Random(2)
    machines = [Machine(f"machine {letter}") for letter in "abcdef"]
    ignored = 0
    events = list(Event)
    for _ in range(12000):
        machine = source.choice(machines)
        event = source.choice(events)
        argument = None
        if event is Event.COIN:
            argument = source.choice([10, 20, 50, 100, 200])
        elif event is Event.CHOOSE:
            argument = source.choice(list(Machine.PRICES))
        elif event is Event.TICK:
            argument = source.randrange(30)
        if not machine.handle(event, argument):
            ignored += 1
    checksum = 0
    for machine in machines:
        print(machine.name, machine.state.name, "earned", machine.earned, "left", machine.left)
        checksum = (checksum * 31 + machine.earned + machine.returned + len(machine.history)) % 1000003
    print("ignored", ignored)
    print("checksum", checksum)


if __name__ == "__main__":
    main()
