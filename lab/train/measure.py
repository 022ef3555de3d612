"""Measures how many whole states a model in training predicts correctly.

A reply is correct if each of its tokens is the most likely one after the tokens before it, so
that greedy decoding would produce exactly this reply. There are two counts: of whole replies,
and of replies without the text of the line, which npdb appends itself.
"""

import json
import time

import numpy
import torch


def load(path):
    """Returns the lines of a file that train.sets wrote."""
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


@torch.no_grad()
def look(model, documents, device, cast, limit, window, batch=32):
    """Returns results by set and move: {"set/move": [correct, correct without the line's text,
    asked]}.

    limit is the largest number of documents of a set; None means all. Replies beyond the window
    are not counted. "set/walks" holds the share of documents without an error, the mean share
    of a walk before its first error, and the number of walks.
    """
    began = time.monotonic()
    model.eval()
    chosen, seen = [], {}
    for d in documents:
        seen[d["set"]] = seen.get(d["set"], 0) + 1
        if limit is None or seen[d["set"]] <= limit:
            chosen.append(d)
    moves, walks = {}, {}
    for i in range(0, len(chosen), batch):
        some = chosen[i : i + batch]
        rows = numpy.zeros((len(some), window + 1), numpy.int64)
        for row, d in zip(rows, some):
            numbers = d["numbers"][: window + 1]
            row[: len(numbers)] = numbers
        rows = torch.from_numpy(rows).to(device)
        tokens, kinds = rows & 0x1FF, rows >> 9
        with cast():
            logits = model(tokens[:, :-1])
        miss = logits.argmax(-1) != tokens[:, 1:]
        both = torch.stack((miss, miss & (kinds[:, 1:] != 3)), 1).cumsum(2).cpu().numpy()
        for d, wrong in zip(some, both):
            count(d, wrong, window, moves, walks)
    model.train()
    shares = {k: [round(a / n, 4), round(b / n, 4), n] for k, (a, b, n) in sorted(moves.items())}
    for name, of in sorted(walks.items()):
        whole, part = sum(w == 1 for w in of) / len(of), sum(of) / len(of)
        shares[f"{name}/walks"] = [round(whole, 4), round(part, 4), len(of)]
    return {"exact": shares, "seconds": round(time.monotonic() - began, 1)}


def count(document, wrong, window, moves, walks):
    """Counts which of a document's replies are correct. wrong holds the number of errors up to
    each token, [2, window], beginning with token 1."""
    clean, asked, good = True, 0, 0
    for lo, hi, move, _, _ in document["replies"]:
        if hi > window + 1:
            break
        faults = wrong[:, hi - 2] - wrong[:, lo - 2]
        c = moves.setdefault(f"{document['set']}/{move}", [0, 0, 0])
        c[0] += int(faults[0] == 0)
        c[1] += int(faults[1] == 0)
        c[2] += 1
        clean = clean and faults[1] == 0
        asked += 1
        good += clean
    if asked:
        walks.setdefault(document["set"], []).append(good / asked)
