"""A coffee bar as a simulation: guests, one machine and an event queue.

The clock is a heap of (time, number, action): the earliest action runs next
and may put further ones on the heap. No real time passes.

What to look for: `queue` and `now`. An action is an object with a method, so
stepping into action() shows who acts; the guest who leaves without coffee is
decided in arrive(), long before the line that reports it.
"""

import heapq


class Simulation:
    """A clock and the actions that are still to come."""

    def __init__(self):
        self.now = 0
        self.number = 0
        self.queue = []

    def after(self, delay, action):
        self.number += 1
        heapq.heappush(self.queue, (self.now + delay, self.number, action))

    def run(self):
        while self.queue:
            self.now, _, action = heapq.heappop(self.queue)
            action()


class Guest:
    """Arrives, waits if not too many others wait, drinks, leaves."""

    def __init__(self, name, bar):
        self.name = name
        self.bar = bar

    def arrive(self):
        if len(self.bar.waiting) >= self.bar.patience:
            self.bar.lost.append(self.name)
        else:
            self.bar.waiting.append(self)
            self.bar.serve()

    def served(self):
        self.bar.say(f"{self.name} drinks")
        self.bar.busy = False
        self.bar.serve()


class Bar:
    """One machine: it brews for one guest at a time."""

    def __init__(self, clock, patience):
        self.clock = clock
        self.patience = patience
        self.busy = False
        self.waiting = []
        self.lost = []

    def serve(self):
        if self.waiting and not self.busy:
            self.busy = True
            self.clock.after(4, self.waiting.pop(0).served)

    def say(self, words):
        print(f"{self.clock.now:3} min: {words}")


def main():
    clock = Simulation()
    bar = Bar(clock, patience=2)
    for minute, name in zip((0, 1, 2, 3, 9), ("ann", "bob", "cy", "dee", "eve")):
        clock.after(minute, Guest(name, bar).arrive)
    clock.run()
    bar.say(f"closed; left without coffee: {', '.join(bar.lost) or 'nobody'}")


if __name__ == "__main__":
    main()
