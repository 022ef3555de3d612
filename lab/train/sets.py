"""The sets with which a model in training is measured: trajectories that are never used for
training.

The file has a line of JSON for each trajectory: its set, its tokens with their kinds, and for
each reply the first token, the end, the move, the horizon and the position in its walk. The
trajectories come from files of `npdb dataset`: held-out ones, and walks through programs that
people wrote.

    npdb dataset --out INTO --programs dev.jsonl --policy step_into.json --held-out 1 …
    python3 -m lab.train.sets OUT.jsonl generated=DATA/test-00000-of-00100.jsonl.zst "cruxeval step_into=INTO/test-00000-of-00001.jsonl.zst"
"""

import argparse
import json

from lab.train.tokens import Tokenizer
from lab.train.trajectories import read, segments


def document(tokenizer, name, line):
    """Returns the document of a set for a line of a dataset."""
    parts, replies = segments(line)
    numbers, counts = tokenizer.numbers(parts)
    return {
        "set": name,
        "numbers": numbers,
        "replies": [
            (counts[first - 1], counts[last - 1], action.split(" ")[0], horizon, place)
            for place, ((first, last), action, horizon) in enumerate(zip(replies, line["actions"], line["horizons"]))
        ],
    }


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("sets", nargs="+", metavar="NAME=FILE")
    p.add_argument("--most", type=int, default=2000, help="trajectories of a file")
    p.add_argument("--npdb", default="npdb", help="the program, where it is not on PATH")
    return p.parse_args()


def main():
    o, tokenizer, documents = options(), Tokenizer(), 0
    with open(o.out, "w") as out:
        for each in o.sets:
            name, _, path = each.partition("=")
            for n, line in enumerate(read(path, o.npdb)):
                if n == o.most:
                    break
                json.dump(document(tokenizer, name, line), out)
                out.write("\n")
                documents += 1
    print(f"{documents} documents")


if __name__ == "__main__":
    main()
