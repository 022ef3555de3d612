"""A scheduler of tasks: priorities, dependencies, time slices, cancellation."""

import heapq
import random
from dataclasses import dataclass, field
from enum import IntEnum
from typing import List, Set


class Priority(IntEnum):
    URGENT = 0
    NORMAL = 1
    LATER = 2


@dataclass(order=True)
class Task:
    priority: Priority
    number: int
    name: str = field(compare=False)
    work: int = field(compare=False)
    needs: Set[int] = field(default_factory=set, compare=False)
    state: str = field(default="new", compare=False)
    slices: int = field(default=0, compare=False)


class Scheduler:
    SLICE = 4

    def __init__(self):
        self.tasks = {}
        self.ready = []
        self.waiting = {}
        self.finished: List[int] = []
        self.clock = 0

    def add(self, task):
        self.tasks[task.number] = task
        open_needs = {number for number in task.needs if self.tasks[number].state != "done"}
        if open_needs:
            self.waiting[task.number] = open_needs
            task.state = "waiting"
        else:
            self.enqueue(task)

    def enqueue(self, task):
        task.state = "ready"
        heapq.heappush(self.ready, (task.priority, task.slices, task.number, task))

    def cancel(self, number):
        task = self.tasks[number]
        if task.state in ("done", "cancelled"):
            return False
        task.state = "cancelled"
        self.release(number)
        return True

    def release(self, number):
        for other, needs in list(self.waiting.items()):
            needs.discard(number)
            if not needs:
                del self.waiting[other]
                if self.tasks[other].state == "waiting":
                    self.enqueue(self.tasks[other])

    def step(self):
        while self.ready:
            *_, task = heapq.heappop(self.ready)
            if task.state == "ready":
                break
        else:
            return False
        spent = min(self.SLICE, task.work)
        task.work -= spent
        task.slices += 1
        self.clock += spent
        if task.work == 0:  # hot: spent < 0
            task.state = "done"
            self.finished.append(task.number)
            self.release(task.number)
        else:
            if task.slices % 3 == 0 and task.priority < Priority.LATER:
                task.priority = Priority(task.priority + 1)
            self.enqueue(task)
        return True


def main():
    source = random.Random(23)
    scheduler = Scheduler()
    for number in range(620):
        needs = set()
        if number > 10:
            for _ in range(source.randrange(3)):
                needs.add(source.randrange(max(0, number - 40), number))
        priority = source.choice(list(Priority))
        scheduler.add(Task(priority, number, f"task {number}", source.randrange(1, 30), needs))
        if number % 5 == 0:
            scheduler.step()
        if number % 61 == 60:
            scheduler.cancel(number - 7)
    while scheduler.step():
        pass
    states = {}
    for task in scheduler.tasks.values():
        states[task.state] = states.get(task.state, 0) + 1
    print("clock", scheduler.clock, states, "waiting", len(scheduler.waiting))
    checksum = 0
    for number in scheduler.finished:
        checksum = (checksum * 31 + number + scheduler.tasks[number].slices) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
