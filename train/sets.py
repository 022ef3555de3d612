"""What a model in training is measured with: trajectories it never learns from.

A line of JSON for each: the set it belongs to, its tokens with their kinds, and for
each reply the first token, the last and one, the move, the horizon and the place in its
walk.

    python3 -m train.sets OUT.jsonl --programs 600 [--cruxeval FILE]
"""

import argparse
import json
import random

from train import policy
from train.moves import END, Position
from train.shards import confine
from train.tokens import Tokenizer, held_out
from train.wire import Page, Writer
from maker.programs import make
from maker.program import Program
from maker.recording import record


class Collector:
    """Writes trajectories to a file."""

    def __init__(self, path):
        self.tokenizer, self.out, self.documents = Tokenizer(), open(path, "w"), 0

    def add(self, name, trajectory):
        numbers, counts = self.tokenizer.numbers(trajectory.segments)
        replies = [
            (counts[r.first - 1], counts[r.last - 1], r.move, r.horizon, place)
            for place, r in enumerate(trajectory.replies)
        ]
        json.dump({"set": name, "numbers": numbers, "replies": replies}, self.out)
        self.out.write("\n")
        self.documents += 1


def straight(recording, action, most=500):
    """The trajectory of one action again and again from the first state to the end."""
    position, writer = Position(recording, 0), Writer(Page(recording))
    writer.begin(0)
    for _ in range(most):
        before = position.at
        outcome, event = position.move(action)
        writer.step(action, outcome, event, event - before)
        if outcome == END:
            break
    return writer.finish()


def generated(collector, n):
    """Held-out programs of the generators, their walks by the policy and by single steps."""
    rng, names = random.Random("measure"), 0
    while names < n:
        try:
            program = make(rng, rng.random())
        except Exception:  # as rare as train.shards counts it
            continue
        made = record(program) if held_out(program.source) else None
        if made is None:
            continue
        names += 1
        for t in policy.trajectories(rng, made, 1):
            collector.add("generated", t)
        for action in ("step_into", "step_over"):
            collector.add(f"generated {action}", straight(made, action))


def cruxeval(collector, path):
    """CruxEval's functions, to look at, never to learn from."""
    rng = random.Random("cruxeval")
    for line in open(path, encoding="utf-8"):
        p = json.loads(line)
        made = record(Program(p["code"].rstrip() + "\n", f"f({p['input']})", "cruxeval"))
        if made is None:
            continue
        for action in ("step_into", "step_over", "step_return"):
            collector.add(f"cruxeval {action}", straight(made, action))
        for t in policy.trajectories(rng, made, 1):
            collector.add("cruxeval", t)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--programs", type=int, default=600)
    p.add_argument("--cruxeval")
    o = p.parse_args()
    confine()
    collector = Collector(o.out)
    generated(collector, o.programs)
    if o.cruxeval:
        cruxeval(collector, o.cruxeval)
    collector.out.close()
    print(f"{collector.documents} documents")


if __name__ == "__main__":
    main()
